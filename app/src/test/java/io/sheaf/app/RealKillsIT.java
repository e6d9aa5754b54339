package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills processes of runs (SIGKILL) at random times and checks that each task completes and is counted once.
 *
 * <p>Each attempt appends a line to a ledger when it begins and one when it ends. If attempts of a task overlap, the
 * last line of the earlier one is after the first line of the later one.
 */
class RealKillsIT {
    private static final int WIDTH = 10;
    private static final int TASKS = 2 * WIDTH + 1;

    private static final String WORKFLOW = """
            name: ledger
            vars: {c: 1..10}
            tasks:
              first:
                foreach: {i: c}
                out: a-{i}.txt
                time: 2s
                run: |
                  echo begin $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                  sleep 0.{i}
                  echo first {i} > {out}
                  echo end $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
              second:
                foreach: {i: c}
                in: a-{i}.txt
                out: b-{i}.txt
                time: 2s
                run: |
                  echo begin $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                  sleep 0.{i}
                  { cat {in}; echo second {i}; } > {out}
                  echo end $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
              last:
                in: {from: second}
                out: c.txt
                time: 2s
                run: |
                  echo begin $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
                  cat {in} > {out}
                  echo end $SHEAF_TASK $SHEAF_ATTEMPT >> ledger
            """;

    @TempDir
    Path folder = Path.of("");

    /** Creates the class archive of the command, so that the first kills hit a run and not its creation. */
    @BeforeAll
    static void startOnce() throws IOException, InterruptedException {
        Map<String, String> variables =
                Map.of("SHEAF_CACHE", RealRun.CACHE.toString(), "JAVA_HOME", System.getProperty("java.home"));
        List<String> command = List.of(RealRun.BUILT.toString(), "config");
        assertThat(Finished.run(Path.of("").toAbsolutePath(), variables, 60, command)
                        .status())
                .isZero();
    }

    @Test
    void aRunSurvivesAFewKillsOfManagerAndAgents() throws IOException, InterruptedException {
        RealRun run = newRun("few");
        Random random = new Random(5);
        killManagers(run, random, 3, 1_500);
        killAgents(run, random, 2);
        assertExactlyOnce(run);
    }

    @Test
    @Tag("slow")
    void aRunSurvivesRepeatedKillsOfTheManager() throws IOException, InterruptedException {
        for (int seed = 1; seed <= 2; seed++) {
            RealRun run = newRun("managers-" + seed);
            killManagers(run, new Random(seed), 6, 2_500);
            finish(run);
            assertExactlyOnce(run);
            assertThat(begun(run))
                    .as("no agent was killed, so no attempt is repeated")
                    .hasSize(TASKS);
        }
    }

    @Test
    @Tag("slow")
    void runsSurviveTwentyKillsOfAgents() throws IOException, InterruptedException {
        int killed = 0;
        for (int seed = 1; killed < 20; seed++) {
            assertThat(seed).as("number of runs").isLessThan(12);
            RealRun run = newRun("agents-" + seed);
            killed += killAgents(run, new Random(seed), 6);
            assertExactlyOnce(run);
        }
    }

    @Test
    @Tag("slow")
    void aRunSurvivesKillsOfManagerAndAgents() throws IOException, InterruptedException {
        for (int seed = 1; seed <= 3; seed++) {
            RealRun run = newRun("both-" + seed);
            Random random = new Random(100 + seed);
            for (int i = 0; i < 5; i++) {
                killManagers(run, random, 1, 2_500);
                killAny(run.agents(), random);
            }
            finish(run);
            assertExactlyOnce(run);
        }
    }

    /** Agents are stopped while their tasks end and are then killed, so they report nothing; the tasks still count. */
    @Test
    void aTaskThatEndedBeforeItsAgentWasKilledIsNotRepeated() throws IOException, InterruptedException {
        RealRun run = newRun("between");
        Process manager = run.start();
        run.awaitLines("ledger", 4);
        List<ProcessHandle> agents = run.agents();
        for (ProcessHandle agent : agents) {
            assertThat(Finished.run(folder, Map.of(), 10, List.of("kill", "-STOP", String.valueOf(agent.pid())))
                            .status())
                    .isZero();
        }
        Thread.sleep(1_500);
        Set<String> begun = begun(run);
        assertThat(run.lines("ledger").stream().filter(line -> line.startsWith("end ")))
                .as("all begun attempts have ended")
                .hasSameSizeAs(begun);
        agents.forEach(ProcessHandle::destroyForcibly);
        assertThat(run.await(manager)).as(run.errorOutput()).isZero();
        assertExactlyOnce(run);
        assertThat(begun(run)).as("attempts").hasSize(TASKS);
    }

    /**
     * The file system loses acknowledged writes: after a kill the newest journal entries are missing, although their
     * results were acknowledged and outputs are on disk.
     */
    @Test
    void aRunSurvivesLostJournalEntries() throws IOException, InterruptedException {
        for (int seed = 1; seed <= 4; seed++) {
            RealRun run = newRun("lost-" + seed);
            Random random = new Random(200 + seed);
            Process manager = run.start();
            run.awaitLines("ledger", 4 + random.nextInt(24));
            manager.destroyForcibly().waitFor();
            cut(newest(run.folder().resolve("run/journal")), 8 + random.nextInt(178));
            Set<String> committed = committedTasks(run);
            finish(run);
            // An attempt whose start was lost may be repeated, under another number; a committed task is not.
            Map<String, Long> attempts = begun(run).stream()
                    .collect(Collectors.groupingBy(line -> line.split(" ")[1], Collectors.counting()));
            assertThat(attempts).hasSize(TASKS);
            String output = run.errorOutput();
            committed.forEach(task -> assertThat(attempts).as(output).containsEntry(task, 1L));
            assertOutputs(run);
            assertThat(run.processes()).as("processes left").isEmpty();
        }
    }

    /** The tasks that the records of the work folder list as committed. */
    private static Set<String> committedTasks(RealRun run) throws IOException {
        Set<String> tasks = new HashSet<>();
        try (Stream<Path> files = Files.list(run.folder().resolve(".sheaf/records/ledger"))) {
            for (Path file : files.toList()) {
                Matcher task = Pattern.compile("\"task\":\"([^\"]*)\"").matcher(Files.readString(file));
                while (task.find()) {
                    tasks.add(task.group(1));
                }
            }
        }
        return tasks;
    }

    private static Path newest(Path journal) throws IOException {
        try (Stream<Path> files = Files.list(journal)) {
            return files.max(Comparator.naturalOrder()).orElseThrow();
        }
    }

    private static void cut(Path file, int bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertThat(channel.size()).isGreaterThan(bytes);
            channel.truncate(channel.size() - bytes);
        }
    }

    private RealRun newRun(String name) throws IOException {
        Path runFolder = Files.createDirectory(folder.resolve(name));
        Files.writeString(runFolder.resolve("workflow.yaml"), WORKFLOW);
        return new RealRun(runFolder);
    }

    /** Starts or resumes the run and kills its manager within a number of milliseconds; repeats this. */
    private static void killManagers(RealRun run, Random random, int times, int within)
            throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            Process manager = run.exists() && random.nextBoolean() ? run.resume() : run.start();
            if (manager.waitFor(random.nextInt(within), TimeUnit.MILLISECONDS)) {
                assertThat(manager.exitValue()).as(run.errorOutput()).isIn(0, 5);
            }
            manager.destroyForcibly().waitFor();
        }
    }

    /** Kills agents until the run has ended or a number of them is killed; returns the number killed. */
    private static int killAgents(RealRun run, Random random, int times) throws IOException, InterruptedException {
        int killed = 0;
        Process manager = run.start();
        while (killed < times && !manager.waitFor(200 + random.nextInt(1_500), TimeUnit.MILLISECONDS)) {
            killed += killAny(run.agents(), random) ? 1 : 0;
        }
        // A run pauses when three agents in a row are killed before they connect.
        int status = run.await(manager);
        assertThat(status).as(run.errorOutput()).isIn(0, 5);
        if (status == 5) {
            finish(run);
        }
        return killed;
    }

    private static boolean killAny(List<ProcessHandle> processes, Random random) {
        return !processes.isEmpty()
                && processes.get(random.nextInt(processes.size())).destroyForcibly();
    }

    private static void finish(RealRun run) throws IOException, InterruptedException {
        assertThat(run.await(run.exists() ? run.resume() : run.start()))
                .as(run.errorOutput())
                .isZero();
    }

    private static Set<String> begun(RealRun run) throws IOException {
        Set<String> begun = new HashSet<>();
        for (String line : run.lines("ledger")) {
            if (line.startsWith("begin ")) {
                assertThat(begun.add(line)).as("begun once: %s", line).isTrue();
            }
        }
        return begun;
    }

    private static void assertExactlyOnce(RealRun run) throws IOException {
        assertThat(begun(run)).hasSizeGreaterThanOrEqualTo(TASKS);
        Map<String, Integer> latest = new HashMap<>();
        for (String line : run.lines("ledger")) {
            String[] words = line.split(" ");
            int attempt = Integer.parseInt(words[2]);
            int before = latest.getOrDefault(words[1], 0);
            if (words[0].equals("begin")) {
                assertThat(attempt).as(line).isGreaterThan(before);
                latest.put(words[1], attempt);
            } else {
                assertThat(attempt).as("no earlier attempt ends: %s", line).isEqualTo(before);
            }
        }
        assertThat(latest).hasSize(TASKS);
        assertCommittedOnce(run);
        assertOutputs(run);
        assertThat(run.processes()).as("processes left").isEmpty();
    }

    private static void assertCommittedOnce(RealRun run) throws IOException {
        Set<Integer> tasks = new HashSet<>();
        for (AttemptResult result : run.results(AttemptOutcome.SUCCEEDED)) {
            assertThat(tasks.add(result.message().attempt().task()))
                    .as("succeeded once: %s", result)
                    .isTrue();
        }
        assertThat(tasks).hasSize(TASKS);
    }

    private static void assertOutputs(RealRun run) throws IOException {
        StringBuilder expected = new StringBuilder();
        for (int i = 1; i <= WIDTH; i++) {
            expected.append("first ").append(i).append("\nsecond ").append(i).append('\n');
        }
        assertThat(run.folder().resolve("c.txt")).hasContent(expected.toString());
    }
}
