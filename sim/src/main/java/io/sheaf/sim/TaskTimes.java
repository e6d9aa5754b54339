package io.sheaf.sim;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;

/** The actual run time of an attempt of a task in a simulation, in milliseconds. */
@FunctionalInterface
public interface TaskTimes {
    long millis(Workflow workflow, int task, int attempt);

    TaskTimes AS_EXPECTED = (workflow, task, attempt) -> workflow.timeMillis(task);

    /** The times of another workflow with the same tasks, for a workflow without known times. */
    default TaskTimes of(Workflow known) {
        return (workflow, task, attempt) -> millis(known, task, attempt);
    }

    /** Expected times multiplied by random factors with this spread, independent for each task and attempt. */
    static TaskTimes spread(double sigma, long seed) {
        RandomStream stream = new RandomStream(seed).split("task times");
        return (workflow, task, attempt) -> {
            // A lognormal of mean 1, so that the mean work does not change.
            double factor = stream.split(task).split(attempt).lognormal(-sigma * sigma / 2, sigma);
            return Math.round(AS_EXPECTED.millis(workflow, task, attempt) * factor);
        };
    }

    /** Expected times multiplied by such factors, the same for all attempts of a task; a share of the tasks takes longer by another factor. */
    static TaskTimes wrong(double sigma, double share, double times, long seed) {
        RandomStream stream = new RandomStream(seed).split("wrong task times");
        return (workflow, task, attempt) -> {
            RandomStream own = stream.split(task);
            double factor = own.lognormal(-sigma * sigma / 2, sigma) * (own.chance(share) ? times : 1);
            return Math.round(AS_EXPECTED.millis(workflow, task, attempt) * factor);
        };
    }
}
