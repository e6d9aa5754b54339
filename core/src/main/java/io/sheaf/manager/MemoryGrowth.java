package io.sheaf.manager;

/**
 * How the memory request of a task grows after an out-of-memory kill: request × factor for each kill, up to a maximum.
 *
 * <p>A kill after which the request grows does not count as a failed attempt. When the request has reached the maximum, the next kill is
 * final: another attempt would be killed, too.
 *
 * @param percent the factor, in per cent; 100: no growth
 * @param max the maximum request, in bytes
 */
public record MemoryGrowth(int percent, long max) {
    /** No growth. */
    public static final MemoryGrowth NONE = new MemoryGrowth(100, 0);

    public MemoryGrowth {
        if (percent < 100 || max < 0) {
            throw new IllegalArgumentException("a growth of " + percent + " per cent up to " + max + " bytes");
        }
    }

    /** The request after a number of kills, in bytes; 0 if there was no request. */
    public long after(long memory, int kills) {
        long grown = memory;
        for (int i = 0; i < kills && grown < max; i++) {
            grown = Math.min(max, grown > Long.MAX_VALUE / percent ? max : grown * percent / 100);
        }
        return grown;
    }
}
