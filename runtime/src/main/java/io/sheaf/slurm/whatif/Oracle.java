package io.sheaf.slurm.whatif;

import io.sheaf.predict.Basis;

/** One way to tell when jobs would start, that may not know about all of them. It answers without asking Slurm first. */
interface Oracle {
    /** It does not know. */
    long UNKNOWN = -1;

    /** As it stands on record. */
    String name();

    Basis basis();

    /** For each of some jobs, each by itself, when it would start: {@link #UNKNOWN}, or {@link Long#MAX_VALUE} if never. */
    void starts(long now, int[] nodes, long[] walltime, int count, long[] out);
}
