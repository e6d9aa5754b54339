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

/** A run with real processes in a folder of its own: the built command, which is started again and again, and what it leaves. */
final class RealRun {
    static final Path BUILT = Path.of("target/sheaf").toAbsolutePath();
    /** Where all tests keep the class archives of the built command and of agents: making them takes longer than most runs. */
    static final Path CACHE = cache();

    private static final int TIMEOUT_SECONDS = 120;
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");

    private final Path folder;
    private final Map<String, String> environment;

    /** A run of {@code workflow.yaml}, which lies in the folder. */
    RealRun(Path folder) {
        this(folder, Map.of());
    }

    /** One with these variables as well, by which a batch system is found. */
    RealRun(Path folder, Map<String, String> more) {
        this(folder, CACHE, more);
    }

    /** One that does not share its class archives with other tests. */
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
            // Whatever the umask: Sheaf refuses folders that others can write to.
            Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cache;
    }

    Path folder() {
        return folder;
    }

    /** Starts the command; the run lies in {@code run}, and what all of them print in {@code out.txt} and {@code err.txt}. */
    Process start(String... options) throws IOException {
        List<String> line = new ArrayList<>(List.of(BUILT.toString(), "run", "workflow.yaml", "--run-dir", "run"));
        line.addAll(List.of(options));
        return start(line);
    }

    /** Starts the command by another one. */
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

    /** The exit status of a command that has to end. */
    int await(Process process) throws IOException, InterruptedException {
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("not ended after " + TIMEOUT_SECONDS + " s: " + said());
        }
        return process.exitValue();
    }

    boolean exists() {
        return Files.exists(folder.resolve("run/run.json"));
    }

    /** What was printed for people so far. */
    String said() throws IOException {
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
                () -> count + " lines in " + file + ": " + said(),
                () -> lines(file).size() >= count);
    }

    /** Processes that carry this run's mark: agents and tasks. */
    List<ProcessHandle> processes() throws IOException {
        return exists() ? marked(false) : List.of();
    }

    /** The agents among them. */
    List<ProcessHandle> agents() throws IOException {
        return exists() ? marked(true) : List.of();
    }

    private List<ProcessHandle> marked(boolean agentsOnly) throws IOException {
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
     * Kills all processes that work in a folder or name it, and waits until they have ended: managers, and agents that outlived theirs. Otherwise
     * they write into the folder while it is removed.
     */
    static void endProcesses(Path folder) throws IOException, InterruptedException {
        Set<Long> killed = new HashSet<>();
        Await.until("the processes of " + folder + " have ended", () -> {
            for (ProcessHandle process : of(folder)) {
                process.destroyForcibly();
                killed.add(process.pid());
            }
            return killed.stream().allMatch(pid -> LivingProcess.of(pid) == null)
                    && of(folder).isEmpty();
        });
    }

    private static List<ProcessHandle> of(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    Path place = Path.of("/proc/" + process.pid());
                    return LivingProcess.of(process.pid()) != null
                            && (isBelow(place.resolve("cwd"), folder)
                                    || strings(place.resolve("cmdline")).stream()
                                            .anyMatch(word -> word.contains(folder.toString())));
                })
                .toList();
    }

    private static boolean isBelow(Path link, Path folder) {
        try {
            return Files.readSymbolicLink(link).startsWith(folder);
        } catch (IOException e) {
            // It has ended, or belongs to another user.
            return false;
        }
    }

    /** A task that is just being started looks like its agent until it is another program. */
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
            // It has ended.
            return List.of();
        }
    }

    /** What the journal has of attempts that ended so, in order. */
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
