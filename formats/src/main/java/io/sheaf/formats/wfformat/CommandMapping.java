package io.sheaf.formats.wfformat;

import io.sheaf.workflow.Command;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts between WfFormat's program and arguments and a task's command.
 *
 * <p>Nextflow writes a whole shell script as program, without arguments; so a program with white space and no arguments is a script. It
 * writes {@code -} for a task without command. The schema forbids empty programs and arguments. A command that would be misread, or breaks
 * the schema, is a plain list in the extra object.
 */
final class CommandMapping {
    private static final String NOTHING = "-";

    private CommandMapping() {}

    /** The command, or null. In version 1.0 the program is missing; it is the category. */
    static @Nullable Command of(Performance performance, String category) {
        if (performance.argv != null) {
            return performance.argv.isEmpty() ? null : Command.of(performance.argv);
        }
        List<String> arguments = performance.arguments == null ? List.of() : performance.arguments;
        String program = performance.program;
        if (program == null) {
            program = performance.arguments == null ? "" : category;
        }
        if (program.isEmpty() || (program.equals(NOTHING) && arguments.isEmpty())) {
            return null;
        }
        if (arguments.isEmpty() && hasSpace(program)) {
            return Command.script(program);
        }
        List<String> argv = new ArrayList<>(arguments.size() + 1);
        argv.add(program);
        argv.addAll(arguments);
        return Command.of(argv);
    }

    /** The program followed by its arguments as the format has them, or null if it cannot hold the command. */
    static @Nullable List<String> written(Command command) {
        if (command.isScript() && command.shell().equals(Command.SH) && hasSpace(command.script())) {
            return List.of(command.script());
        }
        List<String> argv = command.argv();
        boolean misread =
                argv.size() == 1 && (hasSpace(argv.get(0)) || argv.get(0).equals(NOTHING));
        return misread || argv.contains("") ? null : argv;
    }

    private static boolean hasSpace(String text) {
        return text.chars().anyMatch(Character::isWhitespace);
    }
}
