package io.sheaf.formats;

import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** All workflow formats, by hand, and how one is chosen for a file. */
public final class Formats {
    private static final List<WorkflowFormat> ALL = List.of();

    private static final int HEAD = 4096;

    private Formats() {}

    public static List<WorkflowFormat> all() {
        return ALL;
    }

    /** The format of this name, for reading. */
    public static WorkflowReader reader(String name) {
        if (named(name) instanceof WorkflowReader reader) {
            return reader;
        }
        throw new InputException("format '" + name + "' can only be written");
    }

    /** The format of this name, for writing. */
    public static WorkflowWriter writer(String name) {
        if (named(name) instanceof WorkflowWriter writer) {
            return writer;
        }
        throw new InputException("format '" + name + "' can only be read");
    }

    /** The format to write a file of this name in. */
    public static WorkflowWriter writerFor(String file) {
        List<WorkflowWriter> fitting = bySuffix(file, WorkflowWriter.class);
        if (fitting.isEmpty()) {
            throw new InputException("no format to write has files that end like this; use --to "
                            + names(format -> format instanceof WorkflowWriter))
                    .in(file);
        }
        return fitting.get(0);
    }

    /** The format that a source is in: told by the ending of its name or, where that says nothing, by how it begins. */
    public static WorkflowReader readerFor(Source source) {
        List<WorkflowReader> fitting = bySuffix(source.name(), WorkflowReader.class);
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        String head = source.read(Formats::head);
        for (WorkflowReader reader : fitting.isEmpty() ? readers() : fitting) {
            if (reader.recognises(head)) {
                return reader;
            }
        }
        throw new InputException("looks like none of the formats that Sheaf reads; use --from "
                        + names(format -> format instanceof WorkflowReader))
                .in(source.name());
    }

    /** {@code read}, {@code write} or {@code read, write}. */
    public static String use(WorkflowFormat format) {
        boolean reads = format instanceof WorkflowReader;
        boolean writes = format instanceof WorkflowWriter;
        return reads && writes ? "read, write" : reads ? "read" : "write";
    }

    private static WorkflowFormat named(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        for (WorkflowFormat format : ALL) {
            if (format.name().equals(wanted)) {
                return format;
            }
        }
        List<String> known = ALL.stream().map(WorkflowFormat::name).toList();
        throw new InputException("there is no format '" + name + "'." + Nearest.hint(wanted, known) + " There are: "
                + String.join(", ", known) + ".");
    }

    private static List<WorkflowReader> readers() {
        return bySuffix("", WorkflowReader.class);
    }

    /** Those of a kind with a suffix that this name ends with; all of the kind for an empty name. */
    private static <T extends WorkflowFormat> List<T> bySuffix(String name, Class<T> kind) {
        String lower = name.toLowerCase(Locale.ROOT);
        String plain = lower.endsWith(".gz") ? lower.substring(0, lower.length() - 3) : lower;
        return ALL.stream()
                .filter(kind::isInstance)
                .filter(format -> name.isEmpty() || format.suffixes().stream().anyMatch(plain::endsWith))
                .map(kind::cast)
                .toList();
    }

    private static String names(Predicate<WorkflowFormat> which) {
        return String.join(
                "|", ALL.stream().filter(which).map(WorkflowFormat::name).toList());
    }

    private static String head(InputStream in) throws IOException {
        String text = new String(in.readNBytes(HEAD), StandardCharsets.UTF_8);
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }
}
