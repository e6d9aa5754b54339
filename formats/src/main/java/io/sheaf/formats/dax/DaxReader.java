package io.sheaf.formats.dax;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.ShellWords;
import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowReader;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads Pegasus DAX 2.x (simulators and workflow generators, with run times) and 3.x (Pegasus 3 and 4).
 *
 * <p>By default edges come from {@code child} and {@code parent} only: in many files several tasks write a file of the same name (all of
 * SIPHT's sub-workflows do), and edges from files would be wrong.
 */
public final class DaxReader implements WorkflowReader {
    @Override
    public Label label() {
        return new Label("dax", "Pegasus DAX 2.1 and 3.x (XML)", ".dax", ".xml");
    }

    @Override
    public boolean recognises(String head) {
        return head.stripLeading().startsWith("<");
    }

    @Override
    public Workflow read(Source source, boolean fileEdges) {
        return source.read(in -> new DaxDocument(new XmlCursor(in), source.stem()).read(fileEdges));
    }

    /** A DAX document while it is read: the elements directly below {@code adag}. */
    private static final class DaxDocument {
        private static final List<String> ELEMENTS = List.of(
                "job",
                "child",
                "parent",
                "executable",
                "file",
                "filename",
                "transformation",
                "metadata",
                "invoke",
                "dax",
                "dag");

        private final XmlCursor xml;
        private final String nameOtherwise;
        private final Map<String, DaxExecutable> executables = new HashMap<>();

        DaxDocument(XmlCursor xml, String nameOtherwise) {
            this.xml = xml;
            this.nameOtherwise = nameOtherwise;
        }

        Workflow read(boolean fileEdges) {
            WorkflowBuilder builder = null;
            while (xml.next() != XmlCursor.END_OF_DOCUMENT) {
                // Well-formed XML has exactly one root, so this is met once.
                builder = builder == null ? adag(fileEdges) : builder;
            }
            if (builder == null) {
                throw new InputException("there is no <adag> element; this is not a DAX file");
            }
            return builder.build();
        }

        private WorkflowBuilder adag(boolean fileEdges) {
            if (!xml.name().equals("adag")) {
                throw new InputException(
                        "the root element is <" + xml.name() + ">, not <adag>; this is not a DAX file", xml.place());
            }
            String version = xml.attribute("version", "2.1");
            if (!version.startsWith("2.") && !version.startsWith("3.")) {
                throw new InputException(
                        "DAX version '" + version + "' is not supported; Sheaf reads 2.1 and 3.x", xml.place());
            }
            String name = xml.attribute("name", "");
            WorkflowBuilder builder = new WorkflowBuilder(name.isEmpty() ? nameOtherwise : name).fileEdges(fileEdges);
            xml.children(() -> element(builder));
            return builder;
        }

        private void element(WorkflowBuilder builder) {
            switch (xml.name()) {
                case "job" -> new DaxJob(xml, builder).read(executables);
                case "child" -> child(builder);
                case "executable" -> executable();
                case "metadata" -> metadata(builder);
                case "file", "filename", "transformation", "invoke" -> xml.skip();
                case "dax", "dag" ->
                    throw new InputException(
                            "<" + xml.name() + " id=\"" + xml.attribute("id", "")
                                    + "\"> is a sub-workflow, which Sheaf does not read; plan it separately",
                            xml.place());
                default ->
                    throw new InputException(
                            "<" + xml.name() + "> is not allowed in <adag>." + Nearest.hint(xml.name(), ELEMENTS),
                            xml.place());
            }
        }

        private void child(WorkflowBuilder builder) {
            String child = xml.required("ref");
            xml.children(() -> {
                if (!xml.name().equals("parent")) {
                    throw new InputException(
                            "<" + xml.name() + "> is not allowed in <child>." + Nearest.hint(xml.name(), ELEMENTS),
                            xml.place());
                }
                builder.edge(xml.required("ref"), child, xml.place());
                xml.skip();
            });
        }

        private void executable() {
            String key = DaxExecutable.key(xml);
            String program = null;
            List<PegasusProfile> profiles = new ArrayList<>();
            for (int event = xml.next(); event != XmlCursor.END; event = xml.next()) {
                if (event == XmlCursor.START) {
                    switch (xml.name()) {
                        case "pfn" -> {
                            program =
                                    program == null ? DaxExecutable.program(xml.required("url"), xml.place()) : program;
                            xml.skip();
                        }
                        case "profile" -> profiles.add(PegasusProfile.read(xml));
                        default -> xml.skip();
                    }
                }
            }
            // The first site's entry is used: Sheaf has no Pegasus sites.
            executables.putIfAbsent(key, new DaxExecutable(program, profiles));
        }

        private void metadata(WorkflowBuilder builder) {
            long place = xml.place();
            @Nullable String key = xml.attribute("key");
            String text = xml.text();
            if ("sheaf.category".equals(key)) {
                List<String> words = words(text, place);
                if (words.size() < 2) {
                    throw new InputException("metadata 'sheaf.category' needs a name and a container", place);
                }
                String container = words.get(1).isEmpty() ? null : words.get(1);
                builder.describe(new Category(words.get(0), words.subList(2, words.size()), container));
            }
        }

        private static List<String> words(String text, long place) {
            return InputException.at(place, () -> ShellWords.split(text));
        }
    }

    /** A {@code job} element while it is read: attributes, arguments, profiles, files. */
    private static final class DaxJob {
        private static final List<String> ELEMENTS =
                List.of("argument", "profile", "stdin", "stdout", "stderr", "uses", "metadata", "invoke");
        private static final List<String> CORE_ATTRIBUTES = List.of("numprocs", "num_procs", "numcores", "num_cores");

        private final XmlCursor xml;
        private final WorkflowBuilder builder;
        private final long place;
        private final PegasusTask task;
        private final PegasusRequirements requirements = new PegasusRequirements();

        /** Starts at the cursor's element. */
        DaxJob(XmlCursor xml, WorkflowBuilder builder) {
            this.xml = xml;
            this.builder = builder;
            place = xml.place();
            String name = xml.required("name");
            task = new PegasusTask(builder, xml.required("id"), name, place);
        }

        void read(Map<String, DaxExecutable> executables) {
            DaxExecutable executable = executables.getOrDefault(DaxExecutable.key(xml), DaxExecutable.UNKNOWN);
            try {
                executable.profiles().forEach(requirements::add);
                attributes();
                xml.children(this::child);
                task.endFiles();
                task.finish(requirements, executable.program());
            } catch (InputException e) {
                throw e.at(place);
            }
        }

        private void attributes() {
            String runtime = xml.attribute("runtime");
            if (runtime != null) {
                String label = "the run time of task '" + builder.id(task.number) + "'";
                requirements.runtime(NumberText.seconds(runtime, label), place);
            }
            for (String attribute : CORE_ATTRIBUTES) {
                String cores = xml.attribute(attribute);
                if (cores != null) {
                    requirements.add(new PegasusProfile("pegasus", "cores", cores, place));
                }
            }
        }

        private void child() {
            switch (xml.name()) {
                case "uses" -> uses();
                case "argument" -> argument();
                case "profile" -> requirements.add(PegasusProfile.read(xml));
                case "metadata" -> metadata();
                case "stdin", "stdout", "stderr" -> {
                    task.stream(xml.name(), fileName());
                    xml.skip();
                }
                case "invoke" -> xml.skip();
                default ->
                    throw new InputException(
                            "<" + xml.name() + "> is not allowed in <job>." + Nearest.hint(xml.name(), ELEMENTS),
                            xml.place());
            }
        }

        private void metadata() {
            long where = xml.place();
            String key = xml.attribute("key", "");
            String text = xml.text();
            if (key.equals("sheaf.category")) {
                builder.category(task.number, text);
            } else if (key.startsWith("sheaf.")) {
                requirements.add(new PegasusProfile("sheaf", key.substring("sheaf.".length()), text, where));
            }
        }

        /** DAX 2 calls the attribute {@code file}, DAX 3 {@code name}. */
        private String fileName() {
            String file = xml.attribute("file");
            return file != null && !file.isEmpty() ? file : xml.required("name");
        }

        private void uses() {
            String file = fileName();
            long where = xml.place();
            String size = xml.attribute("size");
            long bytes = size == null
                    ? Workflow.UNKNOWN
                    : InputException.at(where, () -> NumberText.bytes(size, "the size of file '" + file + "'"));
            String link = xml.attribute("link", "input");
            if (!task.uses(file, link, bytes)) {
                throw new InputException(
                        "link '" + link + "' of file '" + file + "' is unknown; write input, output or inout", where);
            }
            xml.skip();
        }

        private void argument() {
            StringBuilder text = new StringBuilder();
            for (int event = xml.next(); event != XmlCursor.END; event = xml.next()) {
                if (event == XmlCursor.START) {
                    if (!xml.name().equals("file") && !xml.name().equals("filename")) {
                        throw new InputException("<" + xml.name() + "> is not allowed in <argument>.", xml.place());
                    }
                    text.append(ShellWords.quote(fileName()));
                    xml.skip();
                } else {
                    xml.appendText(text);
                }
            }
            task.arguments(text.toString());
        }
    }
}
