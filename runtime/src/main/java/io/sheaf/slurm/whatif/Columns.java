package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Parses column output of {@code squeue -o} and {@code sinfo -o}.
 *
 * <p>The separator is a control character that no name, reason or constraint contains. Invalid lines are skipped and
 * reported.
 */
final class Columns {
    /** ASCII's unit separator. */
    static final char BETWEEN = '\u001f';

    private static final int MAX_PROBLEMS = 3;

    private Columns() {}

    /**
     * The parsed rows.
     *
     * @param problems descriptions of what could not be parsed
     * @param lost the number of lines that could not be parsed
     */
    record Read<T>(List<T> rows, List<String> problems, int lost) {}

    /** The rows of a table whose cells are separated by bars, as {@code -P} prints it; those with fewer cells are left out. */
    static List<String[]> barred(String text, int least) {
        return text.lines()
                .map(line -> line.split("\\|", -1))
                .filter(cells -> cells.length >= least)
                .toList();
    }

    static String format(String... fields) {
        return String.join(String.valueOf(BETWEEN), fields);
    }

    /** Parses each line separately; a reader throws {@link InputException} on an invalid one. */
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
                if (++lost <= MAX_PROBLEMS) {
                    problems.add(command + ": " + e.problem() + ": " + shortened(line));
                }
            }
        }
        if (lost > MAX_PROBLEMS) {
            problems.add(command + ": " + lost + " lines in total could not be parsed");
        }
        return new Read<>(rows, problems, lost);
    }

    private static String shortened(String line) {
        String plain = line.replace(BETWEEN, '|');
        return plain.length() <= 80 ? plain : plain.substring(0, 80) + "…";
    }

    /**
     * Parses a non-negative number such as {@code 2}, {@code 2+}, {@code 2-4} or {@code 1K}; the minimum of a range.
     */
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
            throw new InputException("'" + cell + "' is not a count");
        }
        long value = Long.parseLong(cell.substring(0, digits)) * (thousands ? 1024 : 1);
        return (int) Math.min(Integer.MAX_VALUE, value);
    }
}
