package io.sheaf.formats.dax;

import io.sheaf.formats.ShellWords;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A job's files, arguments and streams, and the task that they become; the same for Pegasus's XML and its YAML. */
final class PegasusTask {
    final int number;

    private final WorkflowBuilder builder;
    private final String name;
    private @Nullable String arguments;
    private String redirections = "";
    private final List<Runnable> streams = new ArrayList<>();
    private Set<String> read = new HashSet<>();
    private Set<String> written = new HashSet<>();

    PegasusTask(WorkflowBuilder builder, String id, String name, long place) {
        this.builder = builder;
        this.name = name;
        number = builder.task(id, place);
        builder.category(number, name);
    }

    /** Adds to the arguments, which are quoted as for a shell. */
    void arguments(String more) {
        arguments = arguments == null ? more : arguments + " " + more;
    }

    /** A file that the job uses in a way that DAX and YAML name alike; returns whether the word is known. */
    boolean uses(String file, String link, long bytes) {
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
            default -> {
                return false;
            }
        }
        return true;
    }

    private void input(String file, long bytes) {
        int of = builder.file(file, bytes);
        if (read.add(file)) {
            builder.input(number, of);
        }
    }

    private void output(String file, long bytes) {
        int of = builder.file(file, bytes);
        if (written.add(file)) {
            builder.output(number, of);
        }
    }

    /** A file that is the job's {@code stdin}, {@code stdout} or {@code stderr}. */
    void stream(String stream, String file) {
        boolean in = stream.equals("stdin");
        redirections += (in ? " < " : stream.equals("stdout") ? " > " : " 2> ") + ShellWords.quote(file);
        streams.add(() -> uses(file, in ? "input" : "output", Workflow.UNKNOWN));
    }

    /** What a job reads or writes through a stream is a file of it, whether or not a {@code uses} repeats it. */
    void endFiles() {
        streams.forEach(Runnable::run);
        // All jobs of a file may wait for its end.
        read = Set.of();
        written = Set.of();
    }

    /** Sets the job's resources and command, once known. */
    void finish(PegasusRequirements requirements, @Nullable String program) {
        requirements.apply(builder, number);
        command(requirements, program);
    }

    /** A job without program and arguments has resources only. */
    private void command(PegasusRequirements requirements, @Nullable String program) {
        if (program == null && arguments == null && redirections.isEmpty() && requirements.environment.isEmpty()) {
            return;
        }
        List<String> argv = new ArrayList<>();
        argv.add(program == null ? name : program);
        argv.addAll(ShellWords.split(arguments == null ? "" : arguments));
        Command command = redirections.isEmpty()
                ? Command.of(argv)
                : Command.script("exec " + ShellWords.join(argv) + redirections);
        builder.command(number, command.with(requirements.environment));
    }
}
