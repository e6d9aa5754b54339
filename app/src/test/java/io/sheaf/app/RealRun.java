package io.sheaf.app;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Memo;
import io.sheaf.runtime.control.LivingProcess;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A run with real processes in its own folder: starts the built command and reads its output, journal and processes.
 */
final class RealRun {
    static final Path BUILT = Path.of("target/sheaf").toAbsolutePath();
    /**
     * The class archives of the built command and of agents. All tests share them: creating them takes longer than most
     * runs.
     */
    static final Path CACHE = cache();

    private static final int TIMEOUT_SECONDS = 120;
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");

    private final Path folder;
    private final Map<String, String> environment;

    /** A run of {@code workflow.yaml} in the folder. */
    RealRun(Path folder) {
        this(folder, Map.of());
    }

    /** A run with more environment variables, such as those that locate a batch system. */
    RealRun(Path folder, Map<String, String> more) {
        this(folder, CACHE, more);
    }

    /** A run with class archives in another folder. */
    RealRun(Path folder, Path cache, Map<String, String> more) {
        this.folder = folder;
        environment = new HashMap<>(more);
        environment.put("SHEAF_CACHE", cache.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    private static Path cache() {
        Path cache = Path.of("target/it-cache").toAbsolutePath();
        try {
            Files.createDirectories(cache);
            // Independent of the umask: Sheaf refuses folders that other users can write to.
            Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cache;
    }

    Path folder() {
        return folder;
    }

    /** Starts the run in {@code run}; all commands append their output to {@code out.txt} and {@code err.txt}. */
    Process start(String... options) throws IOException {
        List<String> line = new ArrayList<>(List.of(BUILT.toString(), "run", "workflow.yaml", "--run-dir", "run"));
        line.addAll(List.of(options));
        return start(line);
    }

    /** Starts the run under another command, such as {@code unshare}. */
    Process startUnder(List<String> command) throws IOException {
        List<String> line = new ArrayList<>(command);
        line.addAll(List.of(BUILT.toString(), "run", "workflow.yaml", "--run-dir", "run"));
        return start(line);
    }

    /** Starts {@code sheaf resume}. */
    Process resume() throws IOException {
        return start(List.of(BUILT.toString(), "resume", "run"));
    }

    /** Starts any other command. */
    Process sheaf(String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(BUILT.toString()));
        line.addAll(List.of(words));
        return start(line);
    }

    private Process start(List<String> line) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(Redirect.appendTo(folder.resolve("out.txt").toFile()))
                .redirectError(Redirect.appendTo(folder.resolve("err.txt").toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Waits for the end of a command and returns its exit status. */
    int await(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("not ended after " + TIMEOUT_SECONDS + " s: " + errorOutput());
        }
        return process.exitValue();
    }

    boolean exists() {
        return Files.exists(folder.resolve("run/run.json"));
    }

    /** The standard error output of all commands so far. */
    String errorOutput() throws IOException {
        Path err = folder.resolve("err.txt");
        return Files.exists(err) ? Files.readString(err) : "";
    }

    /** Lines that tasks have appended to a file. */
    List<String> lines(String file) throws IOException {
        Path path = folder.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    /** Waits until tasks have appended a given number of lines. */
    void awaitLines(String file, int count) throws IOException, InterruptedException {
        Await.until(
                () -> count + " lines in " + file + ": " + errorOutput(),
                () -> lines(file).size() >= count);
    }

    /** The agents and tasks of this run, which have its id in their environment. */
    List<ProcessHandle> processes() throws IOException {
        return exists() ? findProcesses(false) : List.of();
    }

    /** The agents of this run. */
    List<ProcessHandle> agents() throws IOException {
        return exists() ? findProcesses(true) : List.of();
    }

    private List<ProcessHandle> findProcesses(boolean agentsOnly) throws IOException {
        Matcher id = ID.matcher(Files.readString(folder.resolve("run/run.json")));
        if (!id.find()) {
            throw new AssertionError("run.json has no id");
        }
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path each : all) {
                if (strings(each.resolve("environ")).contains("SHEAF_RUN=" + id.group(1))) {
                    ProcessHandle.of(Long.parseLong(each.getFileName().toString()))
                            .filter(process -> process.isAlive() && (!agentsOnly || isAgent(process)))
                            .ifPresent(found::add);
                }
            }
        }
        return found;
    }

    /**
     * Kills all processes that run in a folder or have it in their arguments, and waits for their end.
     *
     * <p>These are managers, and agents that outlived their manager. Otherwise they write into the folder while it is
     * removed.
     */
    static void endProcesses(Path folder) throws IOException, InterruptedException {
        Set<Long> killed = new HashSet<>();
        Await.until("the processes of " + folder + " have ended", () -> {
            for (ProcessHandle process : processesIn(folder)) {
                process.destroyForcibly();
                killed.add(process.pid());
            }
            return killed.stream().allMatch(pid -> LivingProcess.of(pid) == null)
                    && processesIn(folder).isEmpty();
        });
    }

    private static List<ProcessHandle> processesIn(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    Path procFolder = Path.of("/proc/" + process.pid());
                    return LivingProcess.of(process.pid()) != null
                            && (isBelow(procFolder.resolve("cwd"), folder)
                                    || strings(procFolder.resolve("cmdline")).stream()
                                            .anyMatch(word -> word.contains(folder.toString())));
                })
                .toList();
    }

    private static boolean isBelow(Path link, Path folder) {
        try {
            return Files.readSymbolicLink(link).startsWith(folder);
        } catch (IOException e) {
            // The process has ended, or belongs to another user.
            return false;
        }
    }

    /** A starting task looks like its agent until it executes its own program. */
    private static boolean isAgent(ProcessHandle process) {
        return looksLikeAgent(process)
                && !process.parent().map(RealRun::looksLikeAgent).orElse(false);
    }

    private static boolean looksLikeAgent(ProcessHandle process) {
        return strings(Path.of("/proc/" + process.pid() + "/cmdline")).contains("io.sheaf.agent.AgentMain");
    }

    private static List<String> strings(Path file) {
        try {
            return Arrays.asList(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).split("\0"));
        } catch (IOException e) {
            // The process has ended.
            return List.of();
        }
    }

    /** The journal's results of attempts with an outcome, in order. */
    List<AttemptResult> results(AttemptOutcome outcome) throws IOException {
        List<AttemptResult> results = new ArrayList<>();
        RunJournal.scan(folder.resolve("run/journal"), memo -> Memo.NONE, new RunJournal.Listener() {
            @Override
            public void begun(String run, long at) {}

            @Override
            public void event(Event event) {}

            @Override
            public void settled(long at, @Nullable Decision decision) {}

            @Override
            public void result(AttemptResult result) {
                if (result.message().outcome() == outcome) {
                    results.add(result);
                }
            }

            @Override
            public void considered(Considerations considerations) {}
        });
        return results;
    }
}
