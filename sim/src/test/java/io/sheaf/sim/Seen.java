package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;
import java.util.List;

/** Records start, end and outcome of each job of a log. */
class Seen implements SimulatedQueue.JobListener {
    final long[] start;
    final long[] left;
    final JobOutcome[] outcome;

    Seen(int jobs) {
        start = new long[jobs];
        left = new long[jobs];
        outcome = new JobOutcome[jobs];
        Arrays.fill(start, NEVER);
        Arrays.fill(left, NEVER);
        Arrays.fill(outcome, JobOutcome.STUCK);
    }

    Seen(Seen other) {
        start = other.start.clone();
        left = other.left.clone();
        outcome = other.outcome.clone();
    }

    @Override
    public void started(int handle) {
        throw new AssertionError("an own job starts");
    }

    @Override
    public void expired(int handle) {
        throw new AssertionError("an own job expires");
    }

    @Override
    public void backgroundStarted(int job, long at) {
        start[job] = at;
    }

    @Override
    public void backgroundLeft(int job, long at, JobOutcome result) {
        left[job] = at;
        outcome[job] = result;
    }

    List<String> jobs() {
        String[] rows = new String[start.length];
        Arrays.setAll(rows, j -> j + ": " + start[j] + ", " + left[j] + " " + outcome[j]);
        return List.of(rows);
    }
}
