package io.sheaf.platform;

import io.sheaf.workflow.Workflow;

/** Criterion C1: which ready task is scheduled first. */
@FunctionalInterface
public interface TaskCriterion {
    /** A key for each task; smallest first. */
    double[] keys(Scenario scenario);

    /** The measures of the published study. */
    enum Measure {
        /** Edges to children, not counting those that a path made superfluous. */
        CHILDREN,
        /** The longest sum of run times from a task's start to the end of the workflow. */
        BOTTOM_LEVEL,
        /** The sizes of the files that a task reads. */
        INPUT_DATA,
        /** The sizes of the files that a task reads and writes. */
        DATA,
        /** The run time. */
        WORK;

        double[] of(Scenario scenario) {
            Workflow workflow = scenario.workflow();
            double[] values = new double[workflow.size()];
            int[] children = this == CHILDREN ? ChildCounts.of(workflow) : new int[0];
            long[] bottom = this == BOTTOM_LEVEL ? workflow.bottomLevels() : new long[0];
            for (int task = 0; task < values.length; task++) {
                values[task] = switch (this) {
                    case CHILDREN -> children[task];
                    case BOTTOM_LEVEL -> bottom[task];
                    case INPUT_DATA -> scenario.inputBytes(task);
                    case DATA -> scenario.inputBytes(task) + scenario.outputBytes(task);
                    case WORK -> scenario.work[task];
                };
            }
            return values;
        }
    }

    /** The task with the least of a measure first. */
    record Least(Measure measure) implements TaskCriterion {
        @Override
        public double[] keys(Scenario scenario) {
            return measure.of(scenario);
        }
    }

    /** Largest measure first. */
    record Most(Measure measure) implements TaskCriterion {
        @Override
        public double[] keys(Scenario scenario) {
            double[] keys = measure.of(scenario);
            for (int task = 0; task < keys.length; task++) {
                keys[task] = -keys[task];
            }
            return keys;
        }
    }
}
