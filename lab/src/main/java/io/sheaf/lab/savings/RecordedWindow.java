package io.sheaf.lab.savings;

import io.sheaf.sim.JobLog;
import java.util.Arrays;

/**
 * A part of an accounting log, ready for replay from a recorded state of the cluster.
 *
 * <p>The replay starts with the recorded state at the begin of the window, so that its errors do not add up over the whole log. Jobs that were running
 * come first, with a job that blocks all other nodes until the begin. Jobs that were queued arrive when they were released, which keeps their age,
 * and cannot start before the begin. Later jobs arrive when they were released.
 *
 * @param jobs their clock counts from {@code origin}
 * @param place by job here: its place in the accounting log; −1 for the blocking job
 * @param origin on the clock of the accounting log
 * @param running the number of jobs before the queued ones
 */
@SuppressWarnings("ArrayRecordComponent")
record RecordedWindow(JobLog jobs, int[] place, long origin, long begin, int running) {
    /**
     * Selects the jobs of a window.
     *
     * @param byRelease all jobs, in order of release
     * @param until jobs released later are left out
     * @param removed jobs to leave out, by place in the log
     */
    static RecordedWindow of(PastJobs log, int[] byRelease, long begin, long until, boolean[] removed, int nodes) {
        JobLog.Builder jobs = JobLog.builder();
        int[] place = new int[byRelease.length + 1];
        int count = 0;
        long origin = begin - 1;
        for (int job : byRelease) {
            if (log.release[job] < begin && log.start[job] >= begin && !removed[job] && log.nodes[job] <= nodes) {
                origin = Math.min(origin, log.release[job] - 1);
            }
        }
        int free = nodes;
        for (int job : byRelease) {
            if (log.start[job] < begin && log.end[job] > begin && !removed[job] && log.nodes[job] <= free) {
                long run = log.end[job] - origin;
                long request = Math.max(run, log.start[job] + log.request[job] - origin);
                jobs.add(job, 0, run, request, log.nodes[job], log.user[job]);
                free -= log.nodes[job];
                place[count++] = job;
            }
        }
        if (free > 0) {
            jobs.add(log.size, 0, begin - origin, begin - origin, free, log.userCount());
            place[count++] = PastJobs.NONE;
        }
        int running = count;
        for (int job : byRelease) {
            if (log.release[job] >= until) {
                break;
            }
            if (log.start[job] >= begin && !removed[job] && log.nodes[job] <= nodes) {
                jobs.add(
                        job,
                        log.release[job] - origin,
                        log.end[job] - log.start[job],
                        log.request[job],
                        log.nodes[job],
                        log.user[job]);
                place[count++] = job;
            }
        }
        return new RecordedWindow(jobs.build(), Arrays.copyOf(place, count), origin, begin, running);
    }

    /** An instant of the accounting log on the clock of the window. */
    long toWindow(long instant) {
        return instant - origin;
    }
}
