package io.sheaf.sim;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;

/** How long an attempt of a task really takes in a simulation, in milliseconds. */
@FunctionalInterface
public interface TaskTimes {
    long millis(Workflow workflow, int task, int attempt);

    /** Just as expected. */
    TaskTimes AS_EXPECTED = (workflow, task, attempt) -> (Math.max(0, workflow.timeMicros(task)) + 999) / 1000;

    /** Those of another workflow with the same tasks, where the one that is run does not know its times. */
    default TaskTimes of(Workflow known) {
        return (workflow, task, attempt) -> millis(known, task, attempt);
    }

    /** Expected times multiplied by random factors with this mean spread, drawn for each task and attempt by itself. */
    static TaskTimes spread(double sigma, long seed) {
        RandomStream stream = new RandomStream(seed).split("task times");
        return (workflow, task, attempt) -> {
            // A lognormal of mean 1, so that the work stays what it was on average.
            double factor = stream.split(task).split(attempt).lognormal(-sigma * sigma / 2, sigma);
            return Math.round(AS_EXPECTED.millis(workflow, task, attempt) * factor);
        };
    }

    /** Expected times multiplied by such factors, drawn for each task and the same for all its attempts; a share of the tasks takes some times as long beside. */
    static TaskTimes wrong(double sigma, double share, double times, long seed) {
        RandomStream stream = new RandomStream(seed).split("wrong task times");
        return (workflow, task, attempt) -> {
            RandomStream own = stream.split(task);
            double factor = own.lognormal(-sigma * sigma / 2, sigma) * (own.chance(share) ? times : 1);
            return Math.round(AS_EXPECTED.millis(workflow, task, attempt) * factor);
        };
    }
}
