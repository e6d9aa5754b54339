package io.sheaf.workflow;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a task runs: a program with its arguments, and variables added to its environment.
 *
 * <p>A script is a shell with its options, {@code -c} and the script. A script that starts with {@code #!} is run by the interpreter that
 * this line names instead.
 */
public record Command(List<String> argv, Map<String, String> environment) {
    /** The shell of workflow formats that name none. */
    public static final List<String> SH = List.of("/bin/sh");

    /** A shell in which a script fails with the first command that fails, also within a pipe, or that uses an undefined variable. */
    public static final List<String> STRICT = List.of("bash", "-euo", "pipefail");

    /** Stands for the cores of a moldable task on each node, in the command and the environment. */
    public static final String CORES = "{cores}";

    private static final String OPTION = "-c";
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ksh", "zsh");

    /** The words of a script. Workflows have very many of them, so their shells are shared. */
    private static final class ScriptWords extends AbstractList<String> {
        private final List<String> shell;
        private final String script;

        ScriptWords(List<String> shell, String script) {
            this.shell = shell;
            this.script = script;
        }

        @Override
        public String get(int index) {
            Objects.checkIndex(index, size());
            return index < shell.size() ? shell.get(index) : index == shell.size() ? OPTION : script;
        }

        @Override
        public int size() {
            return shell.size() + 2;
        }
    }

    public Command {
        argv = compact(argv);
        // An unmodifiable view of an own copy: Map.copyOf would lose the order in which they were written.
        environment = environment.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        if (argv.isEmpty()) {
            throw new IllegalArgumentException("a command needs a program");
        }
    }

    private static List<String> compact(List<String> argv) {
        int shell = argv.size() - 2;
        if (argv instanceof ScriptWords || shell <= 0 || !argv.get(shell).equals(OPTION)) {
            return argv instanceof ScriptWords ? argv : List.copyOf(argv);
        }
        List<String> words = argv.subList(0, shell);
        return new ScriptWords(
                words.equals(STRICT) ? STRICT : words.equals(SH) ? SH : List.copyOf(words),
                Objects.requireNonNull(argv.get(shell + 1)));
    }

    public static Command of(List<String> argv) {
        return new Command(argv, Map.of());
    }

    public static Command script(String script) {
        return script(SH, script);
    }

    /** A script for a shell, which is a program with options that accepts {@code -c SCRIPT} behind them. */
    public static Command script(List<String> shell, String script) {
        List<String> argv = new ArrayList<>(shell);
        argv.add(OPTION);
        argv.add(script);
        return of(argv);
    }

    public Command with(Map<String, String> variables) {
        return new Command(argv, variables);
    }

    /** The command of a moldable task that starts on this number of cores on each node. */
    public Command on(int cores) {
        String count = Integer.toString(cores);
        Map<String, String> variables = new LinkedHashMap<>();
        environment.forEach((name, value) -> variables.put(name, value.replace(CORES, count)));
        return new Command(argv.stream().map(word -> word.replace(CORES, count)).toList(), variables);
    }

    public boolean isScript() {
        String program = argv.get(0);
        return argv.size() >= 3
                && argv.indexOf(OPTION) == argv.size() - 2
                && SHELLS.contains(program.substring(program.lastIndexOf('/') + 1));
    }

    /** The shell of a script, with its options. */
    public List<String> shell() {
        script();
        return argv.subList(0, argv.size() - 2);
    }

    public String script() {
        if (!isScript()) {
            throw new IllegalStateException("not a script: " + argv);
        }
        return argv.get(argv.size() - 1);
    }
}
