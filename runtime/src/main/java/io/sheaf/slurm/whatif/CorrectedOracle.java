package io.sheaf.slurm.whatif;

import io.sheaf.predict.Basis;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The median over engines loaded with the newest snapshot in which the jobs of others end {@linkplain EndedJobs as such jobs have ended}, not when their limits are over; moved by {@linkplain DrawnWaits how
 * such medians have fared}.
 */
final class CorrectedOracle implements Oracle {
    static final String NAME = "corrected";
    private static final int DRAWS = 15;

    private final EndedJobs ended;
    private final List<EngineOracle> draws = new ArrayList<>();
    private DrawnWaits fared = new DrawnWaits();

    CorrectedOracle(Snapshots snapshots, Submissions alike, EndedJobs ended) {
        this.ended = ended;
        for (int i = 0; i < DRAWS; i++) {
            RandomStream random = new RandomStream(0).split("ends").split(i);
            draws.add(new EngineOracle(snapshots, alike, seen -> ended.drawn(seen, random)));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Basis basis() {
        return Basis.LEARNED;
    }

    @Override
    public void starts(long now, int[] nodes, long[] walltime, int count, long[] out) {
        if (ended.count() < EndedJobs.ENOUGH) {
            Arrays.fill(out, 0, count, UNKNOWN);
            return;
        }
        long[][] answers = new long[DRAWS][count];
        for (int i = 0; i < DRAWS; i++) {
            draws.get(i).starts(now, nodes, walltime, count, answers[i]);
        }
        long[] some = new long[DRAWS];
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < DRAWS; i++) {
                some[i] = answers[i][k];
            }
            Arrays.sort(some);
            // Where one does not know, none does.
            boolean isKnown = some[0] != UNKNOWN && some[DRAWS - 1] != Long.MAX_VALUE;
            out[k] = some[0] == UNKNOWN ? UNKNOWN : some[DRAWS / 2];
            if (isKnown) {
                out[k] =
                        now + fared.calibrated(DrawnWaits.waits(some, now), now).median();
            }
        }
    }

    /** What is learnt of earlier answers. */
    void learn(DrawnWaits learnt) {
        fared = learnt;
    }

    /** The quantiles of the waits that are drawn for a job; null if they are not known. */
    @Nullable
    Quantiles drawn(long now, int nodes, long walltime) {
        if (ended.count() < EndedJobs.ENOUGH) {
            return null;
        }
        long[] starts = new long[DRAWS];
        long[] out = new long[1];
        for (int i = 0; i < DRAWS; i++) {
            draws.get(i).starts(now, new int[] {nodes}, new long[] {walltime}, 1, out);
            starts[i] = out[0];
        }
        Arrays.sort(starts);
        boolean isKnown = starts[0] != UNKNOWN && starts[DRAWS - 1] != Long.MAX_VALUE;
        return isKnown ? DrawnWaits.waits(starts, now) : null;
    }

    /** A job of ours is in the queue, of which a snapshot may not know yet. */
    void accepted(long now, String name, int nodes, long walltime) {
        draws.forEach(each -> each.accepted(now, name, nodes, walltime));
    }

    /** Starts that a job may have, ascending; null if too little is known, or if it would never start. */
    static long @Nullable [] starts(
            Snapshot snapshot, Where where, EndedJobs ended, long now, int nodes, long walltime, int count) {
        if (ended.count() < EndedJobs.ENOUGH) {
            return null;
        }
        long[] all = new long[count];
        long[] out = new long[1];
        for (int i = 0; i < count; i++) {
            RandomStream random = new RandomStream(0).split("ends").split(i);
            new QueueModel(ended.drawn(snapshot, random), where)
                    .starts(now, new int[] {nodes}, new long[] {walltime}, 1, out);
            if (out[0] == Long.MAX_VALUE) {
                return null;
            }
            all[i] = out[0];
        }
        Arrays.sort(all);
        return all;
    }
}
