package io.sheaf.runtime.batch;

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
import org.jspecify.annotations.Nullable;

/**
 * A batch system's commands, run as processes, each with a time limit.
 *
 * <p>Messages are in English. What submits a job has the variables that the user has, since the job inherits them; what asks has others besides. What only asks is tried again a few times, each after a longer pause; what changes something is tried once, because nobody knows what became of it.
 *
 * <p>May be used by several threads.
 */
public final class CommandRunner {
    /** A server that is busy takes many seconds to answer. */
    public static final int LIMIT_MILLIS = 60_000;

    private static final int TRIES = 3;
    private static final int FIRST_PAUSE_MILLIS = 500;
    private static final int STRAGGLER_MILLIS = 2_000;

    private final @Nullable Path folder;
    private final Map<String, String> inherited;
    private final Map<String, String> environment;
    private final int limitMillis;
    private final List<String> away;

    /**
     * Commands in a folder, with these variables only.
     *
     * @param folder where they are; null if they are in the PATH of the environment
     * @param asking variables of those that submit nothing
     * @param limitMillis how long each may take
     * @param away words on standard error by which one that fails says that nobody answered: the command itself may be right
     */
    public CommandRunner(
            @Nullable Path folder,
            Map<String, String> environment,
            Map<String, String> asking,
            int limitMillis,
            List<String> away) {
        this.folder = folder;
        this.limitMillis = limitMillis;
        this.away = List.copyOf(away);
        Map<String, String> own = new HashMap<>(environment);
        own.putAll(asking);
        own.put("LC_ALL", "C");
        this.environment = Map.copyOf(own);
        inherited = inEnglish(environment);
    }

    /** Variables by which a command speaks English, and that are otherwise the same for a job: without the user's alphabet it would not find folders by their names. */
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

    /** What a command said: its exit status and both outputs. */
    public record Answer(int status, String out, String err) {
        public boolean isGood() {
            return status == 0;
        }

        /** The lines of standard output. */
        public List<String> lines() {
            return out.lines().toList();
        }

        /** What went wrong, in one line. */
        public String why() {
            String text = err.isBlank() ? out : err;
            return text.isBlank()
                    ? "exit status " + status
                    : String.join("; ", text.lines().map(String::strip).toList());
        }
    }

    /** Asks something; tried again where nobody answers. */
    public Answer ask(String... words) throws AwayException, InterruptedException {
        int pause = FIRST_PAUSE_MILLIS;
        for (int tried = 1; ; tried++) {
            try {
                return order(null, words);
            } catch (AwayException e) {
                if (tried == TRIES) {
                    throw e;
                }
            }
            Thread.sleep(pause);
            pause *= 4;
        }
    }

    /**
     * Has something done, once.
     *
     * @param input the script that the command submits; null if it submits none
     */
    public Answer order(@Nullable Path input, String... words) throws AwayException, InterruptedException {
        Answer answer = run(input, words);
        if (!answer.isGood()) {
            for (String sign : away) {
                if (answer.err().contains(sign)) {
                    throw new AwayException(words[0] + ": " + answer.why());
                }
            }
        }
        return answer;
    }

    private Answer run(@Nullable Path input, String... words) throws AwayException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(words));
        command.set(0, program(words[0]));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Redirect.from((input == null ? Path.of("/dev/null") : input).toFile()));
        builder.environment().clear();
        builder.environment().putAll(input == null ? environment : inherited);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new AwayException(words[0] + " cannot be run: " + e.getMessage());
        }
        try {
            return collect(process, words[0]);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** The program, found in our PATH and not in that of this process. */
    private String program(String name) throws AwayException {
        if (folder != null) {
            return folder.resolve(name).toString();
        }
        for (String each : environment.getOrDefault("PATH", "").split(":", -1)) {
            Path file = Path.of(each).resolve(name);
            if (file.toFile().canExecute() && file.toFile().isFile()) {
                return file.toAbsolutePath().toString();
            }
        }
        throw new AwayException("there is no " + name + " in PATH");
    }

    private Answer collect(Process process, String name) throws AwayException, InterruptedException {
        Reading out = new Reading(process.getInputStream());
        Reading err = new Reading(process.getErrorStream());
        if (!process.waitFor(limitMillis, TimeUnit.MILLISECONDS)) {
            throw new AwayException(name + " has not answered within " + limitMillis / 1000 + " s");
        }
        return new Answer(process.exitValue(), out.text(), err.text());
    }

    /** Reads an output beside the process. Its end is not waited for long: a child that was left behind may hold it open. */
    private static final class Reading {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Thread thread;

        Reading(InputStream from) {
            thread = new Thread(
                    () -> {
                        try {
                            from.transferTo(bytes);
                        } catch (IOException e) {
                            // What has come counts.
                            return;
                        }
                    },
                    "batch command");
            thread.setDaemon(true);
            thread.start();
        }

        String text() throws InterruptedException {
            thread.join(STRAGGLER_MILLIS);
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }
}
