package io.sheaf.formats.dax;

import io.sheaf.formats.ScalingText;
import io.sheaf.formats.ShellWords;
import io.sheaf.formats.WorkflowWriter;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes Pegasus DAX 3.6.
 *
 * <p>A task's category is its transformation. If tasks of one category run different programs, their executables differ in the version.
 * Properties without a Pegasus profile are metadata with the prefix {@code sheaf.}; reading restores the same workflow.
 */
public final class DaxWriter implements WorkflowWriter {
    private static final long MEBIBYTE = 1 << 20;
    /** Control characters, lone surrogates and other characters that XML cannot represent. */
    private static final Pattern REFUSED =
            Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x{fffe}\\x{ffff}\\p{Cs}]");

    @Override
    public Label label() {
        return new Label("dax", "Pegasus DAX 3.6 (XML)", ".dax", ".xml");
    }

    @Override
    public void write(Workflow workflow, Writer out) throws IOException {
        out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        XmlText xml = new XmlText(out);
        xml.open("adag", "xmlns", "http://pegasus.isi.edu/schema/DAX", "version", "3.6", "name", workflow.name());
        for (Category category : workflow.categories()) {
            category(category, xml);
        }
        Map<List<String>, String> versions = executables(workflow, xml);
        for (int task = 0; task < workflow.size(); task++) {
            job(workflow, task, versions, xml);
        }
        for (int task = 0; task < workflow.size(); task++) {
            edges(workflow, task, xml);
        }
        xml.close("adag");
    }

    private static void category(Category category, XmlText xml) throws IOException {
        if (!category.setup().isEmpty() || category.container() != null) {
            String container = category.container() == null ? "" : category.container();
            String words = ShellWords.join(List.of(category.name(), container))
                    + (category.setup().isEmpty() ? "" : " " + ShellWords.join(category.setup()));
            xml.element("metadata", words, "key", "sheaf.category");
        }
    }

    /** Writes an executable for each pair of category and program; returns its version. */
    private static Map<List<String>, String> executables(Workflow workflow, XmlText xml) throws IOException {
        Map<List<String>, String> versions = new LinkedHashMap<>();
        Map<String, Integer> programs = new LinkedHashMap<>();
        for (int task = 0; task < workflow.size(); task++) {
            Command command = workflow.command(task);
            if (command != null) {
                String category = workflow.category(task).name();
                String program = command.argv().get(0);
                List<String> key = List.of(category, program);
                if (!versions.containsKey(key)) {
                    String version = Integer.toString(programs.merge(category, 1, Integer::sum));
                    versions.put(key, version);
                    xml.open("executable", "name", named(category), "version", version);
                    xml.element("pfn", "", "url", DaxExecutable.url(program), "site", "local");
                    xml.close("executable");
                }
            }
        }
        return versions;
    }

    private static void job(Workflow workflow, int task, Map<List<String>, String> versions, XmlText xml)
            throws IOException {
        String category = workflow.category(task).name();
        Command command = workflow.command(task);
        if (command == null) {
            xml.open("job", "id", workflow.id(task), "name", named(category));
        } else {
            String version =
                    versions.getOrDefault(List.of(category, command.argv().get(0)), "1");
            xml.open("job", "id", workflow.id(task), "name", named(category), "version", version);
            List<String> arguments = command.argv().subList(1, command.argv().size());
            if (!arguments.isEmpty()) {
                xml.element("argument", ShellWords.join(arguments));
            }
        }
        metadata(workflow, task, xml);
        profiles(workflow, task, xml);
        if (command != null) {
            for (Map.Entry<String, String> variable : command.environment().entrySet()) {
                profile("env", variable.getKey(), variable.getValue(), xml);
            }
        }
        files(workflow, task, xml);
        xml.close("job");
    }

    private static void metadata(Workflow workflow, int task, XmlText xml) throws IOException {
        if (workflow.category(task).name().isEmpty()) {
            xml.element("metadata", "", "key", "sheaf.category");
        }
        if (workflow.limitMicros(task) != Workflow.UNKNOWN) {
            xml.element("metadata", TimeText.seconds(workflow.limitMicros(task)), "key", "sheaf.limit");
        }
        Resources needed = workflow.resources(task);
        if (needed.isShare()) {
            xml.element("metadata", needed.coresText(), "key", "sheaf.cores");
        }
        if (needed.memory() % MEBIBYTE != 0) {
            xml.element("metadata", Long.toString(needed.memory()), "key", "sheaf.memory");
        }
        Scaling scaling = workflow.scaling(task);
        if (scaling != null) {
            xml.element("metadata", ScalingText.write(scaling), "key", "sheaf.scaling");
        }
    }

    private static void profiles(Workflow workflow, int task, XmlText xml) throws IOException {
        Resources needed = workflow.resources(task);
        if (workflow.timeMicros(task) != Workflow.UNKNOWN) {
            profile("pegasus", "runtime", TimeText.seconds(workflow.timeMicros(task)), xml);
        }
        if (needed.nodes() > 1) {
            profile("pegasus", "nodes", needed.nodes(), xml);
            profile("pegasus", "ppn", needed.cores(), xml);
        } else if (needed.cores() > 1) {
            profile("pegasus", "cores", needed.cores(), xml);
        }
        if (needed.memory() > 0) {
            profile("pegasus", "memory", (needed.memory() - 1) / MEBIBYTE + 1, xml);
        }
        if (needed.gpus() > 0) {
            profile("pegasus", "gpus", needed.gpus(), xml);
        }
        if (workflow.retries(task) > 0) {
            profile("dagman", "RETRY", workflow.retries(task), xml);
        }
        if (workflow.priority(task) != 0) {
            profile("dagman", "PRIORITY", workflow.priority(task), xml);
        }
    }

    private static void profile(String namespace, String key, long value, XmlText xml) throws IOException {
        profile(namespace, key, Long.toString(value), xml);
    }

    private static void profile(String namespace, String key, String value, XmlText xml) throws IOException {
        xml.element("profile", value, "namespace", namespace, "key", key);
    }

    private static void files(Workflow workflow, int task, XmlText xml) throws IOException {
        for (int i = 0; i < workflow.inputs(task); i++) {
            uses(workflow, workflow.input(task, i), "input", xml);
        }
        for (int i = 0; i < workflow.outputs(task); i++) {
            uses(workflow, workflow.output(task, i), "output", xml);
        }
    }

    private static void uses(Workflow workflow, int file, String link, XmlText xml) throws IOException {
        long size = workflow.fileSize(file);
        if (size == Workflow.UNKNOWN) {
            xml.element("uses", "", "name", workflow.fileName(file), "link", link);
        } else {
            xml.element("uses", "", "name", workflow.fileName(file), "link", link, "size", Long.toString(size));
        }
    }

    private static void edges(Workflow workflow, int task, XmlText xml) throws IOException {
        if (workflow.parents(task) > 0) {
            xml.open("child", "ref", workflow.id(task));
            for (int i = 0; i < workflow.parents(task); i++) {
                xml.element("parent", "", "ref", workflow.id(workflow.parent(task, i)));
            }
            xml.close("child");
        }
    }

    /** A transformation must have a name. */
    private static String named(String category) {
        return category.isEmpty() ? "task" : category;
    }

    /** Writes elements, a line each, indented by two blanks a level. */
    private static final class XmlText {
        private final Writer out;
        private int depth;

        XmlText(Writer out) {
            this.out = out;
        }

        /** Opens an element; attributes are pairs of a name and a value. */
        void open(String name, String... attributes) throws IOException {
            tag(name, attributes);
            out.write(">\n");
            depth++;
        }

        void close(String name) throws IOException {
            depth--;
            indent();
            out.write("</" + name + ">\n");
        }

        /** A whole element with text in it, or none. */
        void element(String name, String text, String... attributes) throws IOException {
            tag(name, attributes);
            if (text.isEmpty()) {
                out.write("/>\n");
            } else {
                out.write('>');
                escape(text, false);
                out.write("</" + name + ">\n");
            }
        }

        private void tag(String name, String... attributes) throws IOException {
            indent();
            out.write('<');
            out.write(name);
            for (int i = 0; i < attributes.length; i += 2) {
                out.write(" " + attributes[i] + "=\"");
                escape(attributes[i + 1], true);
                out.write('"');
            }
        }

        private void indent() throws IOException {
            for (int i = 0; i < depth; i++) {
                out.write("  ");
            }
        }

        private void escape(String text, boolean attribute) throws IOException {
            Matcher refused = REFUSED.matcher(text);
            if (refused.find()) {
                throw new InputException("XML cannot represent the character with the code "
                        + (int) refused.group().charAt(0) + " in '" + text + "'; remove it");
            }
            String escaped = text.replace("&", "&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;")
                    .replace("\r", "&#13;");
            // A reader makes blanks of line breaks and tabs in attributes, but not of references to them.
            out.write(
                    attribute
                            ? escaped.replace("\"", "&quot;")
                                    .replace("\n", "&#10;")
                                    .replace("\t", "&#9;")
                            : escaped);
        }
    }
}
