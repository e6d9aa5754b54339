package io.sheaf.lab.savings;

import io.sheaf.text.Place;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Jobs of one user that belong together, with an order that the record allows.
 *
 * <h2>Order</h2>
 * Accounting has no dependencies. A job that was released shortly after the end of another one may depend on every job that had ended by then, and
 * depends on all of them here. So no strategy starts a task earlier than its inputs can have existed, and savings are rather too low than too
 * high. Other jobs depend on nothing.
 *
 * @param user the user's name or number
 * @param jobs the jobs that became tasks, by their places in the log, in order of release; without runs that were requeued
 * @param removed all jobs, including requeued runs
 * @param evidence why the jobs were taken together, most frequent first
 * @param name the common part of the job names; empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent")
public record PastCampaign(String user, int[] jobs, int[] removed, List<Evidence> evidence, String name) {
    /** A reason to take two jobs together. */
    public enum Evidence {
        ARRAY("job array"),
        TOOL("workflow tool"),
        DEPENDENCY("dependency"),
        SCRIPT("submitted together"),
        SIMILAR("similar jobs in a burst"),
        SUCCESSION("submitted at the end of another job");

        private final String text;

        Evidence(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** A job released at most this long after the end of another one may depend on it, in milliseconds. */
    static final long FOLLOWS = 120_000;

    private static final long MICROS = 1000;

    static PastCampaign of(PastJobs log, int[] members, List<Evidence> evidence) {
        int[] tasks = Arrays.stream(members)
                .filter(job -> !log.superseded[job])
                .boxed()
                .sorted(Comparator.comparingLong((Integer job) -> log.release[job])
                        .thenComparingInt(job -> job))
                .mapToInt(job -> job)
                .toArray();
        String common = log.name(members[0]);
        for (int job : tasks) {
            common = prefix(common, log.name(job));
        }
        return new PastCampaign(log.userName(members[0]), tasks, members, evidence, common);
    }

    private static String prefix(String a, String b) {
        int length = 0;
        while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
            length++;
        }
        return a.substring(0, length);
    }

    long firstSubmit(PastJobs log) {
        return Arrays.stream(removed).mapToLong(job -> log.submit[job]).min().orElse(0);
    }

    long lastEnd(PastJobs log) {
        return Arrays.stream(removed).mapToLong(job -> log.end[job]).max().orElse(0);
    }

    /** The release of the last job that depends on nothing: from then on all jobs are known. */
    long known(PastJobs log, int[][] parents) {
        long last = log.release[jobs[0]];
        for (int task = 0; task < jobs.length; task++) {
            last = parents[task].length == 0 ? Math.max(last, log.release[jobs[task]]) : last;
        }
        return last;
    }

    /** Node time of the tasks in milliseconds. */
    long nodeMillis(PastJobs log) {
        return Arrays.stream(jobs)
                .mapToLong(job -> (log.end[job] - log.start[job]) * log.nodes[job])
                .sum();
    }

    /** The tasks on which each task depends directly, by their places in {@link #jobs}. */
    int[][] parents(PastJobs log) {
        boolean[] follows = new boolean[jobs.length];
        int[][] parents = new int[jobs.length][];
        for (int task = 0; task < jobs.length; task++) {
            long released = log.release[jobs[task]];
            // Tasks that ended before another follower was released are ancestors by way of it.
            long covered = Long.MIN_VALUE;
            for (int other = 0; other < task; other++) {
                long end = log.end[jobs[other]];
                follows[task] |= end <= released && end >= released - FOLLOWS;
                covered = end <= released && follows[other] ? Math.max(covered, log.release[jobs[other]]) : covered;
            }
            long after = covered;
            parents[task] = follows[task]
                    ? IntStream.range(0, task)
                            .filter(other -> log.end[jobs[other]] <= released && log.end[jobs[other]] > after)
                            .toArray()
                    : new int[0];
        }
        return parents;
    }

    /** The workflow: one task per job, with its recorded run time, nodes and requested time. */
    Workflow workflow(PastJobs log, int[][] parents) {
        WorkflowBuilder builder = new WorkflowBuilder(name.isEmpty() ? "campaign" : name);
        for (int at = 0; at < jobs.length; at++) {
            int job = jobs[at];
            int task = builder.task("job" + at);
            String stem = log.kind(job).stem();
            builder.category(task, stem.isEmpty() ? "nodes" + log.nodes[job] : stem)
                    .time(task, MICROS * (log.end[job] - log.start[job]))
                    .limit(task, MICROS * log.request[job], Place.NONE)
                    .resources(task, new Resources(1, 0, 0, log.nodes[job]));
        }
        for (int at = 0; at < jobs.length; at++) {
            for (int parent : parents[at]) {
                builder.edge(parent, at);
            }
        }
        return builder.build();
    }
}
