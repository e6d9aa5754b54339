package io.sheaf.runtime.batch;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.formats.ShellWords;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs a batch system's commands as processes, each with a time limit.
 *
 * <p>Messages are in English. Commands that submit a job have the user's environment, since the job inherits it;
 * queries have additional variables. Queries are retried a few times with increasing pauses. Commands that change
 * something run once, because the effect of a failed one is unknown.
 *
 * <p>Thread-safe.
 */
public final class CommandRunner {
    /** The time limit of a command in milliseconds; a busy server takes many seconds to answer. */
    public static final int LIMIT_MILLIS = 60_000;

    /** The line before the output for one of several clusters, which no option leaves out. */
    private static final Pattern HEADING = Pattern.compile("\\ACLUSTER: \\S+\n");

    private static final int TRIES = 3;

    /** The exit status of {@code ssh} if it has no connection. */
    private static final int SSH_ERROR = 255;

    private static final int FIRST_PAUSE_MILLIS = 500;
    private static final int STRAGGLER_MILLIS = 2_000;

    private final @Nullable Path folder;
    private final List<String> prefix;
    private final Map<String, String> queryEnvironment;
    private final Map<String, String> inherited;
    private final Map<String, String> environment;
    private final int limitMillis;
    private final List<String> unreachableTexts;

    /**
     * Commands in a folder, with this environment only.
     *
     * @param folder where they are; null if they are in the PATH of the environment
     * @param queryEnvironment variables of commands that submit nothing
     * @param limitMillis the time limit of each
     * @param unreachableTexts texts on standard error that mean that no server answered: the command itself may be right
     * @param prefix words before each command; see {@link Reach}. Commands on another machine get the variables of queries by {@code env}
     */
    public CommandRunner(
            @Nullable Path folder,
            Map<String, String> environment,
            Map<String, String> queryEnvironment,
            int limitMillis,
            List<String> unreachableTexts,
            List<String> prefix) {
        this.folder = folder;
        this.prefix = List.copyOf(prefix);
        this.queryEnvironment = queryEnvironment;
        this.limitMillis = limitMillis;
        this.unreachableTexts = List.copyOf(unreachableTexts);
        Map<String, String> own = new HashMap<>(environment);
        own.putAll(queryEnvironment);
        own.put("LC_ALL", "C");
        this.environment = Map.copyOf(own);
        inherited = inEnglish(environment);
    }

    /**
     * An environment with English messages. It keeps the user's character encoding, which a job needs for folder
     * names.
     */
    private static Map<String, String> inEnglish(Map<String, String> environment) {
        Map<String, String> own = new HashMap<>(environment);
        String all = own.getOrDefault("LC_ALL", "");
        if (!all.isEmpty()) {
            own.keySet().removeIf(variable -> variable.startsWith("LC_"));
            own.put("LANG", all);
        }
        own.put("LC_MESSAGES", "C");
        return Map.copyOf(own);
    }

    /** The answer of a command: its exit status and both outputs. */
    public record Answer(int status, String out, String err) {
        public boolean isGood() {
            return status == 0;
        }

        /** The lines of standard output. */
        public List<String> lines() {
            return out.lines().toList();
        }

        /** The error in one line. */
        public String why() {
            String text = err.isBlank() ? out : err;
            return text.isBlank()
                    ? "exit status " + status
                    : String.join("; ", text.lines().map(String::strip).toList());
        }
    }

    /** Runs a query; retries it if there is no answer. */
    public Answer query(String... words) throws UnreachableException, InterruptedException {
        int pause = FIRST_PAUSE_MILLIS;
        for (int tried = 1; ; tried++) {
            try {
                return order(null, words);
            } catch (UnreachableException e) {
                if (tried == TRIES) {
                    throw e;
                }
            }
            Thread.sleep(pause);
            pause *= 4;
        }
    }

    /** Runs a query that must succeed. */
    public Answer required(String... words) throws UnreachableException, InterruptedException {
        Answer answer = query(words);
        if (!answer.isGood()) {
            throw new UnreachableException(words[0] + ": " + answer.why());
        }
        return answer;
    }

    /**
     * Runs a command that changes something, once.
     *
     * @param input the script that the command submits; null if it submits none
     */
    public Answer order(@Nullable Path input, String... words) throws UnreachableException, InterruptedException {
        Answer answer = run(input, words);
        if (answer.status() == SSH_ERROR && isElsewhere(prefix)) {
            throw new UnreachableException(prefix() + ": " + answer.why());
        }
        if (!answer.isGood()) {
            for (String sign : unreachableTexts) {
                if (answer.err().contains(sign)) {
                    throw new UnreachableException(words[0] + ": " + answer.why());
                }
            }
        }
        return answer;
    }

    private Answer run(@Nullable Path input, String... words) throws UnreachableException, InterruptedException {
        List<String> command = command(input == null, List.of(words));
        command.set(0, program(command.get(0)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Redirect.from((input == null ? Path.of("/dev/null") : input).toFile()));
        builder.environment().clear();
        builder.environment().putAll(input == null ? environment : inherited);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UnreachableException(words[0] + " cannot be run: " + e.getMessage());
        }
        try {
            return collect(process, words[0]);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** The prefix for commands, as text: it identifies the cluster together with the environment. */
    public String prefix() {
        return String.join(" ", prefix);
    }

    private List<String> command(boolean isQuery, List<String> words) {
        List<String> command = new ArrayList<>(prefix);
        int shells = (int) prefix.stream().filter(CommandRunner::isShell).count();
        if (shells == 0) {
            command.addAll(words);
            return command;
        }
        List<String> remote = new ArrayList<>(List.of("env", "LC_MESSAGES=C"));
        if (isQuery) {
            queryEnvironment.forEach((name, value) -> remote.add(name + "=" + value));
            remote.set(1, "LC_ALL=C");
        }
        remote.addAll(words);
        String line = ShellWords.join(remote);
        for (int i = 1; i < shells; i++) {
            line = ShellWords.quote(line);
        }
        command.add(line);
        return command;
    }

    /** Whether a word of a prefix is the program that lets a shell on another machine parse what follows. */
    private static boolean isShell(String word) {
        return word.equals("ssh") || word.endsWith("/ssh");
    }

    /** Whether commands behind a prefix run on another machine. */
    public static boolean isElsewhere(List<String> prefix) {
        return prefix.stream().anyMatch(CommandRunner::isShell);
    }

    /** The program's path, from the PATH of {@code environment} instead of this process's. */
    private String program(String name) throws UnreachableException {
        if (folder != null && prefix.isEmpty()) {
            return folder.resolve(name).toString();
        }
        for (String each : environment.getOrDefault("PATH", "").split(":", -1)) {
            Path file = Path.of(each).resolve(name);
            if (file.toFile().canExecute() && file.toFile().isFile()) {
                return file.toAbsolutePath().toString();
            }
        }
        throw new UnreachableException("there is no " + name + " in PATH");
    }

    private Answer collect(Process process, String name) throws UnreachableException, InterruptedException {
        OutputReader out = new OutputReader(process.getInputStream());
        OutputReader err = new OutputReader(process.getErrorStream());
        if (!process.waitFor(limitMillis, TimeUnit.MILLISECONDS)) {
            throw new UnreachableException(name + " has not answered within " + limitMillis / 1000 + " s");
        }
        return new Answer(process.exitValue(), HEADING.matcher(out.text()).replaceAll(""), err.text());
    }

    /**
     * Reads an output in a thread. The wait for its end is limited: a child process that stays behind may keep it
     * open.
     */
    private static final class OutputReader {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Thread thread;

        OutputReader(InputStream from) {
            // After a failure, the output so far is used.
            thread = DaemonThread.start("batch command", () -> from.transferTo(bytes));
        }

        String text() throws InterruptedException {
            thread.join(STRAGGLER_MILLIS);
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
