package io.sheaf.formats.dax;

import io.sheaf.formats.NumberText;
import io.sheaf.formats.ShellWords;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@code job} element while it is read: attributes, arguments, profiles, files. */
final class DaxJob {
    private static final List<String> ELEMENTS =
            List.of("argument", "profile", "stdin", "stdout", "stderr", "uses", "metadata", "invoke");
    private static final List<String> CORE_ATTRIBUTES = List.of("numprocs", "num_procs", "numcores", "num_cores");

    private final XmlCursor xml;
    private final WorkflowBuilder builder;
    private final Map<String, DaxExecutable> executables;
    private final DaxWishes wishes = new DaxWishes();

    private int task;
    private @Nullable String arguments;
    private String redirections = "";
    private final List<String> streamed = new ArrayList<>();
    private final List<Boolean> streamedIn = new ArrayList<>();
    private final Set<String> read = new HashSet<>();
    private final Set<String> written = new HashSet<>();

    DaxJob(XmlCursor xml, WorkflowBuilder builder, Map<String, DaxExecutable> executables) {
        this.xml = xml;
        this.builder = builder;
        this.executables = executables;
    }

    void read() {
        long place = xml.place();
        String name = xml.required("name");
        task = builder.task(xml.required("id"), place);
        builder.category(task, name);
        DaxExecutable executable = executables.getOrDefault(DaxExecutable.key(xml), DaxExecutable.UNKNOWN);
        try {
            executable.profiles().forEach(wishes::add);
            attributes(place);
            children();
            addStreamedFiles();
            wishes.apply(builder, task);
            command(executable.program(), name);
        } catch (InputException e) {
            throw e.at(place);
        }
    }

    private void attributes(long place) {
        String runtime = xml.attribute("runtime");
        if (runtime != null) {
            wishes.runtime(NumberText.seconds(runtime, "the run time of task '" + builder.id(task) + "'"), place);
        }
        for (String attribute : CORE_ATTRIBUTES) {
            String cores = xml.attribute(attribute);
            if (cores != null) {
                wishes.add(new DaxProfile("pegasus", "cores", cores, place));
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
            case "profile" -> wishes.add(DaxProfile.read(xml));
            case "metadata" -> metadata();
            case "stdin" -> stream(" < ", true);
            case "stdout" -> stream(" > ", false);
            case "stderr" -> stream(" 2> ", false);
            case "invoke" -> xml.skip();
            default ->
                throw new InputException(
                        "<" + xml.name() + "> is not known in <job>." + Nearest.hint(xml.name(), ELEMENTS),
                        xml.place());
        }
    }

    private void metadata() {
        long place = xml.place();
        String key = xml.attribute("key", "");
        String text = xml.text();
        if (key.equals("sheaf.category")) {
            builder.category(task, text);
        } else if (key.startsWith("sheaf.")) {
            wishes.add(new DaxProfile("sheaf", key.substring("sheaf.".length()), text, place));
        }
    }

    /** DAX 2 calls the attribute {@code file}, DAX 3 {@code name}. */
    private String fileName() {
        String file = xml.attribute("file");
        return file != null && !file.isEmpty() ? file : xml.required("name");
    }

    private void uses() {
        String file = fileName();
        long place = xml.place();
        String size = xml.attribute("size");
        long bytes = Workflow.UNKNOWN;
        if (size != null) {
            try {
                bytes = NumberText.bytes(size, "the size of file '" + file + "'");
            } catch (InputException e) {
                throw e.at(place);
            }
        }
        String link = xml.attribute("link", "input");
        switch (link) {
            case "input" -> input(file, bytes);
            case "output" -> output(file, bytes);
            case "inout" -> {
                input(file, bytes);
                output(file, bytes);
            }
            case "none", "checkpoint" -> {
                // Passed by name only, or written while the job runs: neither orders tasks.
            }
            default ->
                throw new InputException(
                        "link '" + link + "' of file '" + file + "' is not known; write input, output or inout", place);
        }
        xml.skip();
    }

    private void input(String file, long bytes) {
        int number = builder.file(file, bytes);
        if (read.add(file)) {
            builder.input(task, number);
        }
    }

    private void output(String file, long bytes) {
        int number = builder.file(file, bytes);
        if (written.add(file)) {
            builder.output(task, number);
        }
    }

    private void argument() {
        StringBuilder text = new StringBuilder(arguments == null ? "" : arguments + " ");
        for (int event = xml.next(); event != XmlCursor.END; event = xml.next()) {
            if (event == XmlCursor.START) {
                if (!xml.name().equals("file") && !xml.name().equals("filename")) {
                    throw new InputException("<" + xml.name() + "> is not known in <argument>.", xml.place());
                }
                text.append(ShellWords.quote(fileName()));
                xml.skip();
            } else {
                xml.appendText(text);
            }
        }
        arguments = text.toString();
    }

    private void stream(String operator, boolean in) {
        String file = fileName();
        redirections += operator + ShellWords.quote(file);
        streamed.add(file);
        streamedIn.add(in);
        xml.skip();
    }

    /** What a job reads or writes through a stream is a file of it, whether or not a {@code uses} repeats it. */
    private void addStreamedFiles() {
        for (int i = 0; i < streamed.size(); i++) {
            if (streamedIn.get(i)) {
                input(streamed.get(i), Workflow.UNKNOWN);
            } else {
                output(streamed.get(i), Workflow.UNKNOWN);
            }
        }
    }

    /** A job that tells neither a program nor arguments has only a shape. */
    private void command(@Nullable String program, String name) {
        if (program == null && arguments == null && redirections.isEmpty() && wishes.environment.isEmpty()) {
            return;
        }
        List<String> argv = new ArrayList<>();
        argv.add(program == null ? name : program);
        argv.addAll(ShellWords.split(arguments == null ? "" : arguments));
        Command command = redirections.isEmpty()
                ? Command.of(argv)
                : Command.script("exec " + ShellWords.join(argv) + redirections);
        builder.command(task, command.with(wishes.environment));
    }
}
