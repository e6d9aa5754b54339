package io.sheaf.predict;

/**
 * A kind of jobs that are taken to wait alike: their nodes up to a power of two, and their walltime up to 15 minutes, an hour, four hours and so on.
 *
 * <p>The paper learns for each geometry by itself; classes find out faster, and a workflow's stages hardly ever ask for just the same time twice.
 *
 * @param nodes the most of this kind
 * @param walltime the longest of this kind, in milliseconds
 */
public record Geometry(int nodes, long walltime) {
    private static final long SHORTEST = 15 * 60_000L;
    private static final long LONGEST = SHORTEST << 10;

    /** The kind of a job. */
    public static Geometry of(int nodes, long walltime) {
        int most = 1;
        while (most < nodes && most < 1 << 30) {
            most <<= 1;
        }
        long longest = SHORTEST;
        while (longest < walltime && longest < LONGEST) {
            longest <<= 2;
        }
        return new Geometry(most, longest);
    }
}
