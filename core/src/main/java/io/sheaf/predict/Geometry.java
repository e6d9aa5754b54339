package io.sheaf.predict;

/**
 * A class of jobs with similar waits: nodes up to a power of two, and walltime up to 15 minutes, an hour, four hours and so on.
 *
 * <p>The paper learns each geometry separately. Classes learn faster, because the stages of a workflow rarely request the same time twice.
 *
 * @param nodes the maximum of this class
 * @param walltime the maximum of this class, in milliseconds
 */
public record Geometry(int nodes, long walltime) {
    private static final long SHORTEST = 15 * 60_000L;
    private static final long LONGEST = SHORTEST << 10;

    /** The class of a job. */
    public static Geometry of(int nodes, long walltime) {
        int limit = 1;
        while (limit < nodes && limit < 1 << 30) {
            limit <<= 1;
        }
        long longest = SHORTEST;
        while (longest < walltime && longest < LONGEST) {
            longest <<= 2;
        }
        return new Geometry(limit, longest);
    }
}
