package io.sheaf.text;

/**
 * A line and a column in a text file, packed into a long so that large arrays of them stay small.
 *
 * <p>Lines and columns count from 1; {@link #NONE} means no place in a file.
 */
public final class Place {
    public static final long NONE = 0;

    private static final int COLUMN_BITS = 24;
    private static final int MAX_COLUMN = (1 << COLUMN_BITS) - 1;

    private Place() {}

    public static long of(long line, long column) {
        return Math.max(line, 0) << COLUMN_BITS | Math.min(Math.max(column, 0), MAX_COLUMN);
    }

    public static long line(long place) {
        return place >>> COLUMN_BITS;
    }

    public static int column(long place) {
        return (int) (place & MAX_COLUMN);
    }

    /** {@code 12:5}, {@code 12} if the column is unknown, or an empty text. */
    public static String text(long place) {
        if (place == NONE) {
            return "";
        }
        return column(place) == 0 ? Long.toString(line(place)) : line(place) + ":" + column(place);
    }
}
