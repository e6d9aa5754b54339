package io.sheaf.slurm.whatif;

import io.sheaf.predict.Basis;
import java.util.ArrayList;
import java.util.List;

/** The mean of our own last waits: of jobs of about that size where there are enough, of all otherwise. */
final class MeanWait implements Oracle {
    static final String NAME = "mean-wait";
    private static final int LAST = 10;
    private static final int ENOUGH = 3;

    private List<StartBook.Entry> started = List.of();

    /** Tells which jobs have started, in the order of their starts. */
    void learn(List<StartBook.Entry> jobs) {
        started = List.copyOf(jobs);
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
        for (int i = 0; i < count; i++) {
            long wait = mean(nodes[i]);
            out[i] = wait == UNKNOWN ? UNKNOWN : now + wait;
        }
    }

    private long mean(int nodes) {
        List<StartBook.Entry> alike = new ArrayList<>();
        for (StartBook.Entry entry : started) {
            if (entry.nodes() <= 2L * nodes && nodes <= 2L * entry.nodes()) {
                alike.add(entry);
            }
        }
        List<StartBook.Entry> used = alike.size() >= ENOUGH ? alike : started;
        if (used.size() < ENOUGH) {
            return UNKNOWN;
        }
        return (long) used.subList(Math.max(0, used.size() - LAST), used.size()).stream()
                .mapToLong(StartBook.Entry::waited)
                .average()
                .orElse(0);
    }
}
