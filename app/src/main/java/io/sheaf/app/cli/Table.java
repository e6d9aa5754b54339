package io.sheaf.app.cli;

import java.io.PrintWriter;
import java.util.List;

/** Prints rows in aligned columns. */
public final class Table {
    private Table() {}

    /**
     * Prints a table.
     *
     * @param alignment one character per column: {@code <} left, {@code >} right
     */
    public static void print(PrintWriter out, List<String> head, List<List<String>> rows, String alignment) {
        int[] width = new int[head.size()];
        measure(head, width);
        rows.forEach(row -> measure(row, width));
        line(out, head, width, alignment);
        rows.forEach(row -> line(out, row, width, alignment));
    }

    private static void measure(List<String> cells, int[] width) {
        for (int i = 0; i < width.length; i++) {
            width[i] = Math.max(width[i], length(cells.get(i)));
        }
    }

    private static void line(PrintWriter out, List<String> cells, int[] width, String alignment) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < width.length; i++) {
            String cell = cells.get(i);
            String blanks = " ".repeat(width[i] - length(cell));
            line.append(i == 0 ? "" : "  ").append(alignment.charAt(i) == '>' ? blanks + cell : cell + blanks);
        }
        out.println(Fields.plain(line.toString()).stripTrailing());
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
