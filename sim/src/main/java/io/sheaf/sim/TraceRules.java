package io.sheaf.sim;

import io.sheaf.batch.JobLimits;
import io.sheaf.formats.swf.SwfField;
import io.sheaf.formats.swf.SwfLog;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The rules that convert a log to a {@link Trace}: which jobs are replayed, and with which request.
 *
 * <p>A job has its allocated processors, else the requested ones. Jobs are ordered by submission, then by number. {@link Times} selects the
 * origin of times.
 *
 * <p>A job that never ran (run time negative, or 0 seconds) is dropped by default. The thesis' loader replays those with an unknown run
 * time for their full request: {@link Cancelled#FULL}. With {@link Cancelled#WITHDRAW} the job waits in the queue and is cancelled after
 * the recorded wait; if it starts earlier, it runs for its full request. Under both, a job of 0 seconds that had processors is replayed as
 * such.
 *
 * <p>A job has its requested memory, else the memory that it used.
 *
 * <p>{@link Loader#THESIS} converts jobs as the thesis' simulator does: requested processors before allocated ones, jobs limited to the
 * size of the cluster, run times one second shorter, and requests rounded up to the next full minute plus five seconds. Jobs that never ran
 * are independent of it: there the thesis has {@link Cancelled#FULL}.
 *
 * @param nodes nodes of the cluster; larger jobs are dropped
 * @param procsPerNode processors of the log per node; 1 if the log counts nodes
 * @param scaleLoad divides the times between submissions: 2 doubles the load
 * @param from start of the replayed period, after the log's first submission, in the log's time
 * @param length length of that period
 * @param warmup jobs submitted within this time after the first one are replayed and not measured
 * @param times origin of submission times
 * @param limits jobs above these are dropped, as a batch system would refuse them
 */
public record TraceRules(
        int nodes,
        int procsPerNode,
        Cancelled cancelled,
        Estimates estimates,
        double scaleLoad,
        long from,
        long length,
        long warmup,
        Times times,
        Loader loader,
        JobLimits limits) {

    /** What becomes of a job that never ran. */
    public enum Cancelled {
        DROP,
        FULL,
        WITHDRAW
    }

    /** The requested walltime: the user's, or exactly the run time. */
    public enum Estimates {
        REQUESTED,
        ACCURATE
    }

    /** From when submissions are counted. */
    public enum Times {
        /** The first replayed job is submitted at 0. */
        FROM_FIRST_JOB,
        /** The period replayed begins at 0, whether a job is submitted then or not. */
        FROM_PERIOD,
        /** As in the log. */
        AS_LOGGED
    }

    /** What is made of the processors and times of a job. */
    public enum Loader {
        AS_RECORDED,
        THESIS
    }

    private static final long SHORTEST_REQUEST = 1000;
    private static final long SECOND = 1000;
    private static final long KILOBYTE = 1024;
    private static final long MINUTE = 60 * SECOND;
    /** What the thesis' batch system adds to every request. */
    private static final long THESIS_PADDING = 5 * SECOND;

    public TraceRules {
        if (nodes < 1 || procsPerNode < 1) {
            throw new IllegalArgumentException(
                    nodes + " nodes of " + procsPerNode + " processors: need at least one of each");
        }
        if (!(scaleLoad > 0) || Double.isInfinite(scaleLoad)) {
            throw new IllegalArgumentException("load cannot be scaled by " + scaleLoad + "; give a number above 0");
        }
        if (from < 0 || length <= 0 || warmup < 0) {
            throw new IllegalArgumentException(
                    "the period replayed must start at 0 or later, last and have a warm-up of 0 or more");
        }
    }

    /** The default rules for a cluster of this number of nodes. */
    public static TraceRules forNodes(int nodes) {
        return new TraceRules(
                nodes,
                1,
                Cancelled.DROP,
                Estimates.REQUESTED,
                1,
                0,
                Long.MAX_VALUE,
                0,
                Times.FROM_FIRST_JOB,
                Loader.AS_RECORDED,
                JobLimits.NONE);
    }

    public TraceRules withProcsPerNode(int procs) {
        return new TraceRules(
                nodes, procs, cancelled, estimates, scaleLoad, from, length, warmup, times, loader, limits);
    }

    public TraceRules with(Cancelled cancelled) {
        return new TraceRules(
                nodes, procsPerNode, cancelled, estimates, scaleLoad, from, length, warmup, times, loader, limits);
    }

    public TraceRules with(Estimates estimates) {
        return new TraceRules(
                nodes, procsPerNode, cancelled, estimates, scaleLoad, from, length, warmup, times, loader, limits);
    }

    public TraceRules withScaleLoad(double factor) {
        return new TraceRules(
                nodes, procsPerNode, cancelled, estimates, factor, from, length, warmup, times, loader, limits);
    }

    public TraceRules withPeriod(long start, long duration) {
        return new TraceRules(
                nodes, procsPerNode, cancelled, estimates, scaleLoad, start, duration, warmup, times, loader, limits);
    }

    public TraceRules withWarmup(long time) {
        return new TraceRules(
                nodes, procsPerNode, cancelled, estimates, scaleLoad, from, length, time, times, loader, limits);
    }

    public TraceRules with(Times times) {
        return new TraceRules(
                nodes, procsPerNode, cancelled, estimates, scaleLoad, from, length, warmup, times, loader, limits);
    }

    public TraceRules with(JobLimits limits) {
        return new TraceRules(
                nodes, procsPerNode, cancelled, estimates, scaleLoad, from, length, warmup, times, loader, limits);
    }

    public TraceRules with(Loader loader) {
        return new TraceRules(
                nodes, procsPerNode, cancelled, estimates, scaleLoad, from, length, warmup, times, loader, limits);
    }

    public Trace apply(SwfLog log) {
        return new Application(log).run();
    }

    /** The rules being applied to one log. */
    private final class Application {
        private final SwfLog log;
        private final Map<TraceRule, Long> counts = new EnumMap<>(TraceRule.class);
        private final JobLog.Builder jobs = JobLog.builder();
        /** The accounts, from 1, by the numbers of the groups in the log. */
        private final Map<Integer, Integer> accounts = new HashMap<>();

        private long first;
        private long firstKept;

        Application(SwfLog log) {
            this.log = log;
        }

        Trace run() {
            count(TraceRule.MALFORMED, log.malformedLines());
            int[] order = bySubmission();
            first = order.length == 0 ? 0 : log.submit(order[0]);
            for (int at : order) {
                long since = log.submit(at) - first;
                if (since < from || since - from >= length) {
                    count(TraceRule.OUTSIDE_PERIOD, 1);
                } else {
                    job(at);
                }
            }
            long origin = origin();
            long measured = warmup == 0 ? 0 : Math.round(warmup / scaleLoad);
            return new Trace(jobs.build(), Collections.unmodifiableMap(counts), origin, firstKept - origin + measured);
        }

        /** The instant of the log that is 0 here. */
        private long origin() {
            return switch (times) {
                case FROM_FIRST_JOB -> firstKept;
                case FROM_PERIOD -> first + from;
                case AS_LOGGED -> 0;
            };
        }

        private int[] bySubmission() {
            int[] order = new int[log.size()];
            boolean sorted = true;
            long last = Long.MIN_VALUE;
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
                boolean late = log.submit(i) < last;
                count(TraceRule.REORDERED, late ? 1 : 0);
                sorted &= !late && (i == 0 || log.submit(i) != log.submit(i - 1) || log.job(i) > log.job(i - 1));
                last = Math.max(last, log.submit(i));
            }
            if (sorted) {
                return order;
            }
            Comparator<Integer> bySubmission = Comparator.comparingLong(log::submit);
            return Arrays.stream(order)
                    .boxed()
                    .sorted(bySubmission.thenComparingInt(log::job))
                    .mapToInt(i -> i)
                    .toArray();
        }

        private void job(int at) {
            boolean requestedFirst = loader == Loader.THESIS && log.requestedProcs(at) > 0;
            int procs = requestedFirst ? log.requestedProcs(at) : log.procs(at);
            if (procs <= 0) {
                count(TraceRule.NO_PROCESSORS, 1);
                return;
            }
            int width = (int) ((procs + (long) procsPerNode - 1) / procsPerNode);
            if (width > nodes && loader == Loader.THESIS) {
                width = nodes;
            } else if (width > nodes) {
                count(TraceRule.TOO_LARGE, 1);
                return;
            }
            if (log.run(at) > 0 || (log.run(at) == 0 && cancelled != Cancelled.DROP)) {
                keep(at, width, log.run(at), JobLog.PATIENT);
            } else {
                neverRan(at, width);
            }
        }

        private void neverRan(int at, int width) {
            long request = log.requestedTime(at);
            boolean waitUnknown = cancelled == Cancelled.WITHDRAW && log.waited(at) < 0;
            if (cancelled == Cancelled.DROP || waitUnknown) {
                count(TraceRule.NEVER_RAN, 1);
            } else if (request <= 0) {
                count(TraceRule.NO_TIMES, 1);
            } else if (cancelled == Cancelled.FULL) {
                count(TraceRule.RUN_IN_FULL, 1);
                keep(at, width, request, JobLog.PATIENT);
            } else {
                count(TraceRule.CANCELLED, 1);
                keep(at, width, request, log.waited(at));
            }
        }

        private void keep(int at, int width, long run, long patience) {
            long request = log.requestedTime(at);
            if (estimates == Estimates.ACCURATE) {
                request = run;
            } else if (request <= 0) {
                count(TraceRule.REQUEST_MISSING, 1);
                request = run;
            } else if (request < run) {
                count(TraceRule.REQUEST_RAISED, 1);
                request = run;
            }
            if (!limits.allow(width, request)) {
                count(TraceRule.TOO_LARGE, 1);
                return;
            }
            if (jobs.size() == 0) {
                firstKept = log.submit(at);
            }
            int user = Math.max(0, log.user(at));
            if (loader == Loader.THESIS) {
                long planned = MINUTE * (1 + request / MINUTE) + THESIS_PADDING;
                jobs.add(log.job(at), submitted(at), Math.max(0, run - SECOND), planned, width, user, patience);
            } else {
                jobs.add(log.job(at), submitted(at), run, Math.max(request, SHORTEST_REQUEST), width, user, patience);
            }
            int group = (int) log.value(SwfField.GROUP, at);
            jobs.memory(Math.max(0, log.memory(at)) * KILOBYTE * procsPerNode)
                    .account(group < 0 ? 0 : accounts.computeIfAbsent(group, any -> accounts.size() + 1));
        }

        private long submitted(int at) {
            // A log with another load keeps the instant from which its times are counted.
            long fixed = times == Times.FROM_PERIOD ? first + from : firstKept;
            long since = log.submit(at) - fixed;
            long submit = scaleLoad == 1 ? since : Math.round(since / scaleLoad);
            return times == Times.AS_LOGGED ? submit + firstKept : submit;
        }

        private void count(TraceRule rule, long times) {
            if (times > 0) {
                counts.merge(rule, times, Long::sum);
            }
        }
    }
}
