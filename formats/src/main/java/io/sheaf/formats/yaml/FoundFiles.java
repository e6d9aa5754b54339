package io.sheaf.formats.yaml;

import io.sheaf.formats.Source;
import io.sheaf.formats.TextLines;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Files beside a workflow that it names by a pattern with {@code *} and {@code ?}, or reads as a table of values. */
final class FoundFiles {
    private static final int MAX = 10_000_000;
    /** Of a cell besides its text. */
    private static final int CELL_BYTES = 64;

    private final Source source;

    /** In a trial a pattern that fits no file stands for one. */
    private boolean trial;

    /** In a trial a pattern that may fit no file stands for one, whatever files exist. */
    private boolean ignoring;

    /** Whether a pattern that fits no file has no values; otherwise it is refused. */
    private boolean mayBeNone;

    FoundFiles(Source source) {
        this.source = source;
    }

    static boolean isPattern(String name) {
        return name.indexOf('*') >= 0 || name.indexOf('?') >= 0;
    }

    /** Existing files and folders that fit, sorted; those whose names start with a dot only if the pattern's part does. */
    List<String> matching(String pattern, long place) {
        Path folder = source.folder();
        if (folder == null) {
            return List.of();
        }
        if (pattern.contains("**")) {
            throw new InputException("'" + pattern + "': '**' is not supported; write one '*' per folder", place);
        }
        List<String> found = new ArrayList<>();
        found.add(pattern.startsWith("/") ? "/" : "");
        for (String part : pattern.split("/+")) {
            if (part.isEmpty()) {
                continue;
            }
            List<String> next = new ArrayList<>();
            for (String before : found) {
                if (isPattern(part)) {
                    list(folder.resolve(before), part, before, next, place);
                } else if (Files.exists(folder.resolve(before + part))) {
                    next.add(before + part + "/");
                }
            }
            found = next;
        }
        return found.stream()
                .map(name -> name.substring(0, name.length() - 1))
                .sorted()
                .toList();
    }

    private static void list(Path folder, String part, String before, List<String> into, long place) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (name.startsWith(".") == part.startsWith(".") && Wildcard.fits(part, name)) {
                    into.add(before + name + "/");
                }
                if (into.size() > MAX) {
                    throw Foreach.tooMany(place);
                }
            }
        } catch (IOException e) {
            throw new InputException("cannot list the folder " + folder + ": " + e.getMessage(), place);
        }
    }

    /**
     * Begins or ends a trial.
     *
     * @param ignoring whether the files of patterns that may fit none are ignored
     */
    void trial(boolean on, boolean ignoring) {
        trial = on;
        this.ignoring = ignoring;
    }

    /** Whether patterns may fit no file. */
    void mayBeNone(boolean allowed) {
        mayBeNone = allowed;
    }

    /** What the wildcards of a pattern stand for in the files that fit: {@code a} of {@code data/a.fq} for {@code data/*.fq}. */
    List<String> values(String pattern, long place) {
        if (ignoring && mayBeNone) {
            return List.of("1");
        }
        int first = firstWildcard(pattern);
        int behind = pattern.length() - Math.max(pattern.lastIndexOf('*'), pattern.lastIndexOf('?')) - 1;
        Set<String> values = new LinkedHashSet<>();
        for (String file : matching(pattern, place)) {
            values.add(file.substring(first, file.length() - behind));
        }
        if (values.isEmpty() && trial) {
            return List.of("1");
        }
        if (values.isEmpty() && !mayBeNone) {
            throw new InputException("no file fits '" + pattern + "' in " + shownFolder(), place);
        }
        return List.copyOf(values);
    }

    private static int firstWildcard(String pattern) {
        int star = pattern.indexOf('*');
        int mark = pattern.indexOf('?');
        return star < 0 ? mark : mark < 0 ? star : Math.min(star, mark);
    }

    String shownFolder() {
        Path folder = source.folder();
        return folder == null
                ? "this source, which has no folder"
                : folder.toAbsolutePath().normalize().toString();
    }

    /** A table with a header. */
    record HeaderTable(List<String> columns, List<List<String>> rows) {
        /** The values of a column, each once. */
        List<String> distinct(int column) {
            Set<String> values = new LinkedHashSet<>();
            rows.forEach(row -> values.add(row.get(column)));
            return List.copyOf(values);
        }
    }

    /** Reads a table of text; cells may be in double quotes. */
    HeaderTable table(String name, char separator, long place) {
        if (source.folder() == null) {
            throw new InputException("a workflow without a file cannot read '" + name + "'", place);
        }
        List<List<String>> rows;
        try {
            rows = source.sibling(name).read(in -> rows(in, separator));
        } catch (InputException e) {
            // A table that cannot be opened has no place of its own.
            throw e.place() == Place.NONE ? new InputException(e.getMessage(), place) : e;
        }
        if (rows.size() < 2) {
            throw new InputException(name + " needs a header and at least one row", place);
        }
        int columns = rows.get(0).size();
        for (int row = 1; row < rows.size(); row++) {
            int found = rows.get(row).size();
            if (found != columns) {
                throw new InputException(
                        "row " + (row + 1) + " of " + name + " has " + found + " cells, its header " + columns, place);
            }
        }
        return new HeaderTable(rows.get(0), rows.subList(1, rows.size()));
    }

    private List<List<String>> rows(InputStream in, char separator) throws IOException {
        List<List<String>> all = new ArrayList<>();
        TextLines lines = new TextLines(in);
        long memory = source.memory();
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (!line.isBlank()) {
                List<String> cells = TextLines.cells(line, separator).stream()
                        .map(String::strip)
                        .toList();
                all.add(cells);
                memory -= 2L * line.length() + (long) CELL_BYTES * cells.size();
                if (memory < 0) {
                    throw new InputException("the table does not fit into memory", Place.of(lines.number(), 1));
                }
            }
        }
        return all;
    }
}
