package io.sheaf.lab.savings;

import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Submission;
import io.sheaf.sim.JobOutcome;
import io.sheaf.sim.SimulatedQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Batch jobs that are submitted one by one into a simulated queue, as a user or a workflow tool does it.
 *
 * <p>A job without parents is submitted at its own instant, any other one when its parents have ended, after a delay.
 */
final class ToolSubmission implements SimulatedQueue.JobListener {
    /**
     * A job.
     *
     * @param parents the numbers of the jobs that must end first
     * @param release the instant of its submission; without parents only
     * @param delay from the end of the last parent to its submission
     */
    @SuppressWarnings("ArrayRecordComponent")
    record ToolJob(int nodes, long request, long run, int[] parents, long release, long delay) {}

    private final List<ToolJob> jobs;
    private final SimulatedQueue queue;
    private final SimulatedQueue.JobListener background;
    private final List<List<Integer>> children;
    private final int[] missing;
    private final InstantHeap releases = new InstantHeap();
    private final InstantHeap ends = new InstantHeap();
    private final Map<Integer, Integer> byHandle = new HashMap<>();
    private final int[] handle;
    private final long[] released;
    private final long[] start;
    private int remaining;

    /** @param background receives the events of background jobs */
    ToolSubmission(List<ToolJob> jobs, SimulatedQueue queue, SimulatedQueue.JobListener background) {
        this.jobs = List.copyOf(jobs);
        this.queue = queue;
        this.background = background;
        remaining = jobs.size();
        missing = new int[remaining];
        handle = new int[remaining];
        released = new long[remaining];
        start = new long[remaining];
        children =
                Stream.<List<Integer>>generate(ArrayList::new).limit(remaining).toList();
        for (int job = 0; job < remaining; job++) {
            int[] parents = jobs.get(job).parents;
            missing[job] = parents.length;
            for (int parent : parents) {
                children.get(parent).add(job);
            }
            if (parents.length == 0) {
                releases.add(jobs.get(job).release, job, job);
            }
        }
    }

    /** Simulates until all jobs have ended; returns that instant. */
    long simulate() {
        while (remaining > 0) {
            queue.ends(Math.min(queue.next(), Math.min(releases.first(), ends.first())), this);
            while (ends.first() == queue.now()) {
                ended(ends.remove());
            }
            queue.kills(this);
            queue.arrivals(this);
            while (releases.first() <= queue.now()) {
                submit(releases.remove());
            }
            queue.pass(this);
        }
        return queue.now();
    }

    /** When a job was submitted. */
    long released(int job) {
        return released[job];
    }

    long start(int job) {
        return start[job];
    }

    private void submit(int number) {
        ToolJob job = jobs.get(number);
        released[number] = queue.now();
        handle[number] = queue.submit(
                Submission.of(job.nodes, Math.max(job.run, job.request)).exempt());
        if (handle[number] < 0) {
            throw new IllegalStateException("the simulated cluster refuses a job of " + job.nodes + " nodes");
        }
        byHandle.put(handle[number], number);
    }

    private void ended(int number) {
        queue.complete(handle[number]);
        remaining--;
        for (int child : children.get(number)) {
            if (--missing[child] == 0) {
                releases.add(queue.now() + jobs.get(child).delay, child, child);
            }
        }
    }

    @Override
    public void started(int handleOf) {
        Integer number = byHandle.remove(handleOf);
        if (number == null) {
            throw new IllegalStateException("an unknown job starts");
        }
        start[number] = queue.now();
        ends.add(queue.now() + jobs.get(number).run, number, number);
    }

    @Override
    public void expired(int handleOf) {
        throw new IllegalStateException("a job exceeds its request");
    }

    @Override
    public void backgroundStarted(int job, long at) {
        background.backgroundStarted(job, at);
    }

    @Override
    public void backgroundLeft(int job, long at, JobOutcome outcome) {
        background.backgroundLeft(job, at, outcome);
    }
}
