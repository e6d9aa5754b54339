package io.sheaf.formats.wfformat;

import io.sheaf.workflow.Command;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How WfFormat tells what a task runs.
 *
 * <p>It has a program and a list of arguments. Nextflow's files put a whole shell script where the program belongs, with no arguments;
 * so a program with white space and no arguments is a script. They write {@code -} for a task that runs nothing of its own. The
 * schema wants neither program nor arguments to be empty. A command that would be read as another one, or that breaks the schema, is
 * written as a plain list in the extra object.
 */
final class CommandMapping {
    private static final String NOTHING = "-";

    private CommandMapping() {}

    /** The command that was told, or null. In version 1.0 the program is not told: it is called like the category. */
    static @Nullable Command of(Performance told, String category) {
        if (told.argv != null) {
            return told.argv.isEmpty() ? null : Command.of(told.argv);
        }
        List<String> arguments = told.arguments == null ? List.of() : told.arguments;
        String program = told.program;
        if (program == null) {
            program = told.arguments == null ? "" : category;
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
        if (command.isScript() && hasSpace(command.script())) {
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
