package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Lines of columns, as {@code squeue -o} and {@code sinfo -o} print them.
 *
 * <p>Columns are separated by a control character, which no name, reason or constraint contains. A line that makes no sense is left
 * out and told of; it spoils no other.
 */
final class Columns {
    /** ASCII's unit separator. */
    static final char BETWEEN = '\u001f';

    private static final int PROBLEMS_TOLD = 3;

    private Columns() {}

    /**
     * What could be read.
     *
     * @param problems what could not be, in a few words
     * @param lost lines that could not be read
     */
    record Read<T>(List<T> rows, List<String> problems, int lost) {}

    /** The format string for these fields. */
    static String format(String... fields) {
        return String.join(String.valueOf(BETWEEN), fields);
    }

    /** Reads each line by itself; a reader says by an {@link InputException} that it cannot. */
    static <T> Read<T> read(String command, String text, int columns, Function<String[], T> reader) {
        List<T> rows = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        int lost = 0;
        for (String line : text.split("\n", -1)) {
            if (line.isBlank()) {
                continue;
            }
            try {
                String[] cells = line.split(String.valueOf(BETWEEN), -1);
                if (cells.length != columns) {
                    throw new InputException(cells.length + " columns instead of " + columns);
                }
                for (int i = 0; i < columns; i++) {
                    cells[i] = cells[i].strip();
                }
                rows.add(reader.apply(cells));
            } catch (InputException e) {
                if (++lost <= PROBLEMS_TOLD) {
                    problems.add(command + ": " + e.problem() + ": " + shortened(line));
                }
            }
        }
        if (lost > PROBLEMS_TOLD) {
            problems.add(command + ": " + lost + " lines in all could not be understood");
        }
        return new Read<>(rows, problems, lost);
    }

    private static String shortened(String line) {
        String plain = line.replace(BETWEEN, '|');
        return plain.length() <= 80 ? plain : plain.substring(0, 80) + "…";
    }

    /** A whole number from 0 on, of a cell such as {@code 2}, {@code 2+}, {@code 2-4} or {@code 1K}; the least it can be. */
    static int count(String cell) {
        int digits = 0;
        while (digits < cell.length() && cell.charAt(digits) >= '0' && cell.charAt(digits) <= '9') {
            digits++;
        }
        String rest = cell.substring(digits);
        boolean thousands = rest.startsWith("K");
        if (digits == 0
                || digits > 9
                || !(rest.isEmpty() || thousands || rest.startsWith("+") || rest.startsWith("-"))) {
            throw new InputException("'" + cell + "' is no count");
        }
        long value = Long.parseLong(cell.substring(0, digits)) * (thousands ? 1024 : 1);
        return (int) Math.min(Integer.MAX_VALUE, value);
    }
}
