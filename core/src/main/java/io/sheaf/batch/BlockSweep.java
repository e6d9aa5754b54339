package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

/**
 * Plans queued jobs again, one after the other, with blocks of numbered units: a job moves to the first hole that fits, which may be other
 * units at the same time.
 *
 * <p>Whether a job can move is decided by the releases since its last check ({@link BlockReleases}), mostly without a search.
 */
final class BlockSweep {
    private final ContiguousProfile profile;
    private final JobTable jobs;
    final BlockReleases releases = new BlockReleases();
    private long begun;

    BlockSweep(ContiguousProfile profile, JobTable jobs) {
        this.profile = profile;
        this.jobs = jobs;
    }

    /** Begins a sweep because units were released in [from, to). */
    void begin(long from, long to, int units, int block) {
        begun = releases.count;
        releases.add(profile, from, to, units, block);
    }

    /** Records the release of a job's block from an instant on. */
    void released(int j, long start) {
        releases.add(profile, start, start + jobs.walltime[j], jobs.units[j], jobs.block[j]);
    }

    /** Ends the sweep: all planned jobs were checked. */
    void end() {
        releases.forgetBefore(begun);
    }

    /** Plans a job again that may not start before {@code bound} and is planned for later. */
    void replan(int j, long bound) {
        long low = bound;
        long high = jobs.start[j];
        if (jobs.checked[j] >= 0 && jobs.after[j] < 0) {
            releases.find(jobs.checked[j], profile, bound, high, jobs.units[j], jobs.walltime[j], jobs.block[j]);
            low = releases.low;
            high = releases.high;
        }
        if (low <= high) {
            move(j, low, high);
        }
        jobs.checked[j] = releases.count;
    }

    /** Moves a job to the first hole that starts in [low, high], if any. */
    private void move(int j, long low, long high) {
        long start = jobs.start[j];
        long end = start + jobs.walltime[j];
        int units = jobs.units[j];
        int block = jobs.block[j];
        profile.release(start, end, units, block);
        long moved = profile.hole(low, high + 1, units, jobs.walltime[j]);
        if (moved == NEVER) {
            profile.allocate(start, end, units, block);
            return;
        }
        int to = profile.block;
        long movedEnd = moved + jobs.walltime[j];
        profile.allocate(moved, movedEnd, units, to);
        if (moved != start || to != block) {
            jobs.start[j] = moved;
            jobs.block[j] = to;
            releases.add(profile, to == block ? Math.max(start, movedEnd) : start, end, units, block);
        }
    }
}
