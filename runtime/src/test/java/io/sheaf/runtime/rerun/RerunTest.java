package io.sheaf.runtime.rerun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowSubset;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks are rerun after files or the workflow have changed. */
class RerunTest {
    /** Two counts, their sum, and a message that is sent after the sum and reads nothing. */
    private static final String WORDS = """
            name: words
            tasks:
              count:
                foreach: {book: [emma, sanditon]}
                in: "{book}.txt"
                out: "{book}.count"
                run: wc -w < {in} > {out}
              total: {in: {from: count}, out: total.txt, run: 'cat {in} > {out}'}
              tell: {after: total, run: echo done}
            """;

    @TempDir
    Path folder = Path.of("");

    private long clock = 1_000;
    private int runs;

    @BeforeEach
    void inputs() throws IOException {
        write("emma.txt", "a b c");
        write("sanditon.txt", "d e");
    }

    /** Each write has a different time, independent of the file system's clock. */
    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
        touch(name);
    }

    private void touch(String name) throws IOException {
        clock += 1_000;
        Files.setLastModifiedTime(folder.resolve(name), FileTime.fromMillis(clock));
    }

    private Workflow read(String text) throws IOException {
        var reader = Formats.reader("yaml");
        return reader.read(
                Source.of("words.yaml", text.getBytes(StandardCharsets.UTF_8), folder), reader.fileEdgesByDefault());
    }

    /** Runs the tasks that have to run, or only the named ones of them, and returns their ids. */
    private List<String> run(String text, FileCheck check, String... only) throws IOException {
        Workflow whole = read(text);
        Workflow part = Rerun.of(whole, folder, RerunSelection.NONE, check).part();
        List<String> ran = new ArrayList<>();
        if (part == null) {
            return ran;
        }
        RunInputs inputs = RunInputs.of(whole, part, folder, check);
        runs++;
        try (RunRecorder recorder =
                new RunRecorder(part, folder, "run-" + runs, folder, inputs, true, message -> assertThat(message)
                        .isEmpty())) {
            for (int i = 0; i < part.size(); i++) {
                int task = part.inOrder(i);
                if (only.length == 0 || Arrays.asList(only).contains(part.id(task))) {
                    recorder.committed(done(part, task));
                    recorder.flush();
                    ran.add(part.id(task));
                }
            }
        }
        return ran;
    }

    /** A task writes its name into its outputs. */
    private AttemptResult done(Workflow workflow, int task) throws IOException {
        List<Output> outputs = new ArrayList<>();
        for (int i = 0; i < workflow.outputs(task); i++) {
            String name = workflow.fileName(workflow.output(task, i));
            write(name, workflow.id(task));
            outputs.add(new Output(name, Files.size(folder.resolve(name)), clock));
        }
        clock += 1_000;
        return new AttemptResult(
                1,
                0,
                new Message.Ended(
                        new AttemptId(task, 1),
                        AttemptOutcome.SUCCEEDED,
                        0,
                        "",
                        new Usage(clock, 1, Usage.UNKNOWN, Usage.UNKNOWN),
                        outputs,
                        List.of()));
    }

    private Map<String, List<String>> reasons(String text, RerunSelection selection, FileCheck check)
            throws IOException {
        Workflow workflow = read(text);
        Rerun rerun = Rerun.of(workflow, folder, selection, check);
        Map<String, List<String>> reasons = new TreeMap<>();
        for (int task = 0; task < workflow.size(); task++) {
            if (rerun.runs(task)) {
                reasons.put(workflow.id(task), rerun.reasons(task));
            }
        }
        return reasons;
    }

    private Map<String, List<String>> reasons(String text) throws IOException {
        return reasons(text, RerunSelection.NONE, FileCheck.TIME);
    }

    @Test
    void onlyTasksThatHaveNotRunAreRun() throws IOException {
        assertThat(Rerun.of(read(WORDS), folder, RerunSelection.NONE, FileCheck.TIME)
                        .isFirst())
                .isTrue();
        assertThat(run(WORDS, FileCheck.TIME)).containsExactly("count-emma", "count-sanditon", "total", "tell");
        assertThat(run(WORDS, FileCheck.TIME)).isEmpty();
    }

    @Test
    void aChangedInputRerunsItsReadersAndTheirDependents() throws IOException {
        run(WORDS, FileCheck.TIME);
        write("emma.txt", "a b c d");
        assertThat(reasons(WORDS))
                .isEqualTo(Map.of(
                        "count-emma", List.of("input 'emma.txt' has changed (5 bytes before, 7 now)"),
                        "total", List.of("'count-emma' runs again"),
                        "tell", List.of("'total' runs again")));
        assertThat(run(WORDS, FileCheck.TIME)).containsExactly("count-emma", "total", "tell");
        assertThat(run(WORDS, FileCheck.TIME)).isEmpty();
    }

    @Test
    void editedCommandsAreRerunAndChangedRequestsAreNot() throws IOException {
        run(WORDS, FileCheck.TIME);
        String larger = WORDS.replace("run: echo done", "run: echo done, cores: 4, memory: 1G, time: 2h, retries: 3");
        assertThat(reasons(larger)).isEmpty();
        assertThat(reasons(WORDS.replace("echo done", "echo well done")))
                .isEqualTo(Map.of("tell", List.of("its command has changed")));
        assertThat(reasons(WORDS.replace("run: echo done", "run: echo done, env: {LC_ALL: C}")))
                .isEqualTo(Map.of("tell", List.of("its command has changed")));
    }

    @Test
    void missingAndChangedOutputsCauseReruns() throws IOException {
        run(WORDS, FileCheck.TIME);
        Files.delete(folder.resolve("total.txt"));
        assertThat(reasons(WORDS).get("total")).containsExactly("output 'total.txt' is not there");
        write("total.txt", "total");
        assertThat(reasons(WORDS).get("total")).containsExactly("output 'total.txt' has changed (its time)");
    }

    @Test
    void addedAndRemovedFilesOfATaskCauseReruns() throws IOException {
        run(WORDS, FileCheck.TIME);
        write("more.txt", "x");
        String more = WORDS.replace("in: {from: count}", "in: [{from: count}, more.txt]")
                .replace("cat {in}", "cat *.count");
        run(WORDS.replace("cat {in}", "cat *.count"), FileCheck.TIME);
        assertThat(reasons(more).get("total")).containsExactly("input 'more.txt' is new");
        run(more, FileCheck.TIME);
        assertThat(reasons(WORDS.replace("cat {in}", "cat *.count")).get("total"))
                .containsExactly("it does not read 'more.txt' any more");
        assertThat(reasons(more.replace("out: total.txt", "out: [total.txt, log]")
                                .replace("> {out}", "> total.txt"))
                        .get("total"))
                .contains("output 'log' is new");
    }

    @Test
    void hashesIgnoreNewTimesAndDetectNewContent() throws IOException {
        run(WORDS, FileCheck.HASH);
        touch("emma.txt");
        touch("emma.count");
        assertThat(reasons(WORDS, RerunSelection.NONE, FileCheck.HASH)).isEmpty();
        assertThat(reasons(WORDS)).containsKey("count-emma");
        FileTime before = Files.getLastModifiedTime(folder.resolve("sanditon.txt"));
        Files.writeString(folder.resolve("sanditon.txt"), "d f");
        Files.setLastModifiedTime(folder.resolve("sanditon.txt"), before);
        assertThat(reasons(WORDS, RerunSelection.NONE, FileCheck.HASH).get("count-sanditon"))
                .containsExactly("input 'sanditon.txt' has changed (its content)");
    }

    @Test
    void selectedTasksRunAndTasksBeforeThemAreKept() throws IOException {
        run(WORDS, FileCheck.TIME);
        assertThat(reasons(WORDS, new RerunSelection(List.of("count"), List.of()), FileCheck.TIME))
                .containsOnlyKeys("count-emma", "count-sanditon", "total", "tell");
        assertThat(reasons(WORDS, new RerunSelection(List.of("all"), List.of()), FileCheck.TIME))
                .hasSize(4);
        write("emma.txt", "changed");
        RerunSelection from = new RerunSelection(List.of(), List.of("total"));
        assertThat(reasons(WORDS, from, FileCheck.TIME))
                .isEqualTo(Map.of("total", List.of("it was requested"), "tell", List.of("'total' runs again")));
        Files.delete(folder.resolve("emma.count"));
        assertThatThrownBy(() -> reasons(WORDS, from, FileCheck.TIME))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'count-emma' cannot be used as it is: 'emma.count' does not exist");
        assertThatThrownBy(() -> reasons(WORDS, new RerunSelection(List.of("totl"), List.of()), FileCheck.TIME))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("there is no task 'totl'")
                .hasMessageContaining("total");
    }

    @Test
    void manyRerunParentsAreCountedInTheReason() throws IOException {
        String wide = """
                tasks:
                  part: {foreach: {i: 1..5}, out: "{i}.part", run: "echo {i} > {out}"}
                  all: {in: {from: part}, run: 'cat {in}'}
                """;
        run(wide, FileCheck.TIME);
        for (int i = 1; i <= 5; i++) {
            Files.delete(folder.resolve(i + ".part"));
        }
        assertThat(reasons(wide)).containsEntry("all", List.of("'part-1' and 4 other tasks run again"));
    }

    /** The run that made the total again ended before task {@code tell}. */
    @Test
    void aTaskIsRerunIfItsDependencyHasRunSince() throws IOException {
        run(WORDS, FileCheck.TIME);
        Files.delete(folder.resolve("total.txt"));
        assertThat(run(WORDS, FileCheck.TIME, "total")).containsExactly("total");
        assertThat(reasons(WORDS)).isEqualTo(Map.of("tell", List.of("'total' has run again since")));
    }

    @Test
    void severalTasksMayWriteOneFile() throws IOException {
        String nightly = """
                name: nightly
                edges: after
                tasks:
                  fetch: {run: fetch, out: status.txt}
                  look: {run: look, after: fetch, in: status.txt}
                  check: {run: check, after: look, in: status.txt, out: status.txt}
                """;
        assertThat(run(nightly, FileCheck.TIME)).hasSize(3);
        assertThat(reasons(nightly)).isEmpty();
        write("status.txt", "somebody else");
        assertThat(reasons(nightly)).containsOnlyKeys("fetch", "look", "check");
    }

    @Test
    void aTruncatedRecordOnlyCausesReruns() throws IOException {
        run(WORDS, FileCheck.TIME);
        Path file = new TaskRecords(folder, "words").file("run-1");
        byte[] all = Files.readAllBytes(file);
        for (int length = 0; length < all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            long lines = Files.readString(file)
                    .lines()
                    .filter(line -> line.endsWith("}}"))
                    .count();
            assertThat(new TaskRecords(folder, "words").latest()).hasSize((int) lines);
        }
        Files.write(file, Arrays.copyOf(all, all.length - 5));
        assertThat(run(WORDS, FileCheck.TIME)).containsExactly("tell");
    }

    /** A resumed process finds half a line, and receives the committed results again. */
    @Test
    void aResumedRunWritesMissingRecords() throws IOException {
        Workflow workflow = read(WORDS);
        RunInputs inputs = RunInputs.of(workflow, workflow, folder, FileCheck.TIME);
        AttemptResult first = done(workflow, 0);
        AttemptResult second = done(workflow, 1);
        try (RunRecorder recorder = new RunRecorder(workflow, folder, "run", folder, inputs, true, message -> {})) {
            recorder.committed(first);
            recorder.committed(second);
        }
        Path file = new TaskRecords(folder, "words").file("run");
        String all = Files.readString(file);
        Files.writeString(file, all.substring(0, all.length() - 9));
        try (RunRecorder recorder = new RunRecorder(workflow, folder, "run", folder, inputs, false, message -> {})) {
            recorder.committed(first);
            recorder.committed(second);
        }
        assertThat(Files.readString(file)).hasLineCount(4);
        assertThat(new TaskRecords(folder, "words").runs()).containsExactly(folder);
        assertThat(new TaskRecords(folder, "words").latest()).containsOnlyKeys("count-emma", "count-sanditon");
    }

    @Test
    void oneRecordFileIsLeftAfterEachRun() throws IOException {
        run(WORDS, FileCheck.TIME, "count-emma");
        run(WORDS, FileCheck.TIME, "count-sanditon");
        run(WORDS, FileCheck.TIME, "total");
        try (Stream<Path> files = Files.list(folder.resolve(".sheaf/records/words"))) {
            assertThat(files).containsExactly(new TaskRecords(folder, "words").file("run-3"));
        }
        assertThat(run(WORDS, FileCheck.TIME)).containsExactly("tell");
    }

    @Test
    void aSubsetKeepsAllSettingsOfItsTasks() throws IOException {
        Workflow whole = read(WORDS + """
              big:
                after: tell
                in: {name: total.txt, size: 5M}
                run: [mpirun, ./model]
                nodes: 2
                cores: 3
                gpus: 1
                memory: 1G
                time: {3: 1h, 6: 40m}
                limit: 2h
                retries: 2
                priority: 4
                env: {A: b}
                setup: [module load x]
                container: image
            """.indent(1).replaceAll("(?m)^ ", ""));
        BitSet all = new BitSet();
        all.set(0, whole.size());
        assertThat(text(WorkflowSubset.of(whole, all))).isEqualTo(text(whole));
        all.clear(whole.find("total"));
        Workflow part = WorkflowSubset.of(whole, all);
        assertThat(part.size()).isEqualTo(4);
        assertThat(part.parents(part.find("tell"))).isZero();
        assertThat(part.parent(part.find("big"), 0)).isEqualTo(part.find("tell"));
    }

    private static String text(Workflow workflow) throws IOException {
        StringWriter text = new StringWriter();
        Formats.writer("wfformat").write(workflow, text);
        return text.toString();
    }
}
