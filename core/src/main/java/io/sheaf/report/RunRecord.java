package io.sheaf.report;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Order;
import io.sheaf.manager.TaskGroup;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The complete record of a simulated or real run. Instants are milliseconds of the batch system's clock.
 *
 * @param strategy its name and parameters
 * @param nodes of the cluster
 * @param start the submission of the workflow
 * @param end the end of the last task; for a run in progress, the time of the report
 * @param jobs pilot jobs in order of submission
 * @param attempts ended attempts in order of their ends, then running ones
 */
public record RunRecord(
        Workflow workflow,
        String strategy,
        int nodes,
        int coresPerNode,
        boolean completed,
        long start,
        long end,
        List<JobRecord> jobs,
        List<AttemptRecord> attempts,
        List<DecisionRecord> decisions) {
    /** Adds to each pilot job its claim and its estimated start from the decisions. */
    public RunRecord {
        Map<Long, DecisionRecord.Ordered> submissions = new HashMap<>();
        for (DecisionRecord decision : decisions) {
            for (DecisionRecord.Ordered ordered : decision.orders()) {
                if (ordered.order() instanceof Order.Submit) {
                    submissions.put(ordered.token(), ordered);
                }
            }
        }
        jobs = jobs.stream()
                .map(job -> {
                    DecisionRecord.Ordered ordered = submissions.get(job.token());
                    return ordered != null && ordered.order() instanceof Order.Submit submit
                            ? job.estimated(words(submit.claim(), workflow), ordered.expectedStart())
                            : job;
                })
                .toList();
        attempts = List.copyOf(attempts);
        decisions = List.copyOf(decisions);
    }

    /** A description of the tasks that a claim covers. */
    public static String words(Claim claim, Workflow workflow) {
        TaskGroup tasks = claim.tasks();
        if (tasks.size() == 1) {
            return "task " + workflow.id(tasks.task(0));
        }
        if (claim.isOpenEnded()) {
            return "all tasks";
        }
        String prefix = tasks.isAll() ? "" : tasks.size() + " tasks of ";
        return claim.firstLevel() == claim.lastLevel()
                ? prefix + "level " + claim.firstLevel()
                : prefix + "levels " + claim.firstLevel() + "-" + claim.lastLevel();
    }

    public long makespanMillis() {
        return end - start;
    }

    /** The total queue wait of all pilot jobs that started. */
    public long waitMillis() {
        return jobs.stream()
                .filter(JobRecord::hasStarted)
                .mapToLong(job -> job.started() - job.submitted())
                .sum();
    }

    /** The part of the total queue wait during which another pilot job was running. */
    public long overlappedWaitMillis() {
        TreeMap<Long, int[]> changes = new TreeMap<>();
        for (JobRecord job : byStart()) {
            change(changes, job.submitted(), 1, 0);
            change(changes, job.started(), -1, 1);
            change(changes, job.hasEnded() ? job.ended() : Math.max(end, job.started()), 0, -1);
        }
        long overlapped = 0;
        long since = start;
        int queued = 0;
        int running = 0;
        for (Map.Entry<Long, int[]> change : changes.entrySet()) {
            overlapped += running > 0 ? queued * (change.getKey() - since) : 0;
            since = change.getKey();
            queued += change.getValue()[0];
            running += change.getValue()[1];
        }
        return overlapped;
    }

    private static void change(TreeMap<Long, int[]> changes, long at, int queued, int running) {
        int[] change = changes.computeIfAbsent(at, t -> new int[2]);
        change[0] += queued;
        change[1] += running;
    }

    private List<JobRecord> byStart() {
        return jobs.stream()
                .filter(JobRecord::hasStarted)
                .sorted(Comparator.comparingLong(JobRecord::started))
                .toList();
    }

    /** The time until the last start during which no pilot job was running. */
    public long perceivedWaitMillis() {
        long wait = 0;
        long busyUntil = start;
        for (JobRecord job : byStart()) {
            wait += Math.max(0, job.started() - busyUntil);
            busyUntil = Math.max(busyUntil, job.hasEnded() ? job.ended() : end);
        }
        return wait;
    }

    /** Node time from the start to the end of pilot jobs. */
    public long allocatedNodeMillis() {
        return jobs.stream()
                .filter(JobRecord::hasStarted)
                .mapToLong(job -> ((job.hasEnded() ? job.ended() : end) - job.started()) * job.nodes())
                .sum();
    }

    /** Node time of attempts that succeeded or still run. */
    public long usedNodeMillis() {
        long coreMillis = 0;
        long shareMillis = 0;
        for (AttemptRecord attempt : attempts) {
            if (attempt.done() || attempt.runs()) {
                Resources needed = attempt.needs();
                long millis = attempt.ended() - attempt.started();
                coreMillis += needed.isShare() ? 0 : millis * needed.cores() * needed.nodes();
                shareMillis += millis * needed.share();
            }
        }
        return (coreMillis + shareMillis / Resources.CORE) / coresPerNode;
    }

    public int expired() {
        return (int)
                jobs.stream().filter(job -> job.end() == JobRecord.End.EXPIRED).count();
    }

    /** Attempts that were not the first of their task. */
    public int retries() {
        return (int) (attempts.size()
                - attempts.stream().mapToInt(AttemptRecord::task).distinct().count());
    }
}
