package io.sheaf.formats.dax;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.ShellWords;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import java.util.Map;

/** A {@code job} element while it is read: attributes, arguments, profiles, files. */
final class DaxJob {
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
            children();
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

    private void children() {
        for (int event = xml.next(); event != XmlCursor.END; event = xml.next()) {
            if (event == XmlCursor.START) {
                child();
            }
        }
    }

    private void child() {
        switch (xml.name()) {
            case "uses" -> uses();
            case "argument" -> argument();
            case "profile" -> requirements.add(PegasusProfile.read(xml));
            case "metadata" -> metadata();
            case "stdin" -> {
                task.stdin(fileName());
                xml.skip();
            }
            case "stdout" -> {
                task.stdout(fileName());
                xml.skip();
            }
            case "stderr" -> {
                task.stderr(fileName());
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
        long bytes = Workflow.UNKNOWN;
        if (size != null) {
            try {
                bytes = NumberText.bytes(size, "the size of file '" + file + "'");
            } catch (InputException e) {
                throw e.at(where);
            }
        }
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
