package io.sheaf.formats.registry;

import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowFormat;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.formats.dagman.DagmanReader;
import io.sheaf.formats.dagman.DagmanWriter;
import io.sheaf.formats.dax.DaxReader;
import io.sheaf.formats.dax.DaxWriter;
import io.sheaf.formats.dax.PegasusYaml;
import io.sheaf.formats.makeflow.MakeflowReader;
import io.sheaf.formats.picture.DotWriter;
import io.sheaf.formats.picture.SvgWriter;
import io.sheaf.formats.wfformat.WfFormat;
import io.sheaf.formats.yaml.SheafYaml;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Registry of the workflow formats. A new format is one line in each list that it belongs to. */
public final class Formats {
    private static final List<WorkflowReader> READERS = List.of(
            new SheafYaml(),
            new WfFormat(),
            new DaxReader(),
            new DagmanReader(),
            new PegasusYaml(),
            new MakeflowReader());
    private static final List<WorkflowWriter> WRITERS = List.of(
            new SheafYaml(), new WfFormat(), new DaxWriter(), new DagmanWriter(), new DotWriter(), new SvgWriter());

    private static final int HEAD = 4096;

    private Formats() {}

    public static List<WorkflowReader> readers() {
        return READERS;
    }

    public static List<WorkflowWriter> writers() {
        return WRITERS;
    }

    public static WorkflowReader reader(String name) {
        return named(READERS, name, "read");
    }

    public static WorkflowWriter writer(String name) {
        return named(WRITERS, name, "write");
    }

    /** The output format for a file of this name, by its suffix. */
    public static WorkflowWriter writerFor(String file) {
        List<WorkflowWriter> fitting = bySuffix(WRITERS, file);
        if (fitting.isEmpty()) {
            throw new InputException("no output format has this file suffix; choose one with --to " + names(WRITERS))
                    .in(file);
        }
        return fitting.get(0);
    }

    /** The format of a source, by the suffix of its name or, if that is ambiguous, by its first bytes. */
    public static WorkflowReader readerFor(Source source) {
        List<WorkflowReader> fitting = bySuffix(READERS, source.name());
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        String head = source.read(Formats::head);
        for (WorkflowReader reader : fitting.isEmpty() ? READERS : fitting) {
            if (reader.recognises(head)) {
                return reader;
            }
        }
        if (!fitting.isEmpty()) {
            // Its reader reports what is missing.
            return fitting.get(0);
        }
        throw new InputException("unknown workflow format; choose one with --from " + names(READERS)).in(source.name());
    }

    private static <T extends WorkflowFormat> T named(List<T> formats, String name, String use) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        for (T format : formats) {
            if (format.name().equals(lowerCase)) {
                return format;
            }
        }
        List<String> known = formats.stream().map(WorkflowFormat::name).toList();
        throw new InputException("unknown format '" + name + "' to " + use + "." + Nearest.hint(lowerCase, known)
                + " Known formats: " + String.join(", ", known) + ".");
    }

    private static <T extends WorkflowFormat> List<T> bySuffix(List<T> formats, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String plain = lower.endsWith(".gz") ? lower.substring(0, lower.length() - 3) : lower;
        return formats.stream()
                .filter(format -> format.suffixes().stream().anyMatch(plain::endsWith))
                .toList();
    }

    private static String names(List<? extends WorkflowFormat> formats) {
        return String.join("|", formats.stream().map(WorkflowFormat::name).toList());
    }

    private static String head(InputStream in) throws IOException {
        String text = new String(in.readNBytes(HEAD), StandardCharsets.UTF_8);
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }
}
