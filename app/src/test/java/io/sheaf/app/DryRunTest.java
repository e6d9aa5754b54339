package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sheaf run --dry-run} shows what would run and writes no files. */
class DryRunTest {
    @TempDir
    Path folder = Path.of("");

    private String workflow = "";

    @BeforeEach
    void writeFile() throws IOException {
        workflow = Files.writeString(folder.resolve("pair.yaml"), """
                        name: pair
                        tasks:
                          first: {out: a.txt, time: 1m, run: "echo 'a b' > {out}"}
                          last: {in: a.txt, out: b.txt, time: 2m, run: [cp, a.txt, "b.txt"]}
                        """).toString();
    }

    private Run dryRun(String... more) throws IOException {
        List<String> words = Stream.concat(Stream.of("run", workflow, "--dry-run"), Stream.of(more))
                .toList();
        Run run = Run.in(folder, Map.of(), words.toArray(String[]::new));
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(Path.of(workflow));
        }
        return run;
    }

    @Test
    void tasksCommandsAndThePlanArePrinted() throws IOException {
        Run run = dryRun("--strategy", "onejob");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("no earlier run; all 2 tasks will run\n")
                .contains(
                        "first (it has not completed yet)\n    echo 'a b' > a.txt\n",
                        "last (it has not completed yet)\n    cp a.txt b.txt\n")
                .containsPattern("onejob +1 +\\S+ min  levels 0-1")
                .endsWith("dry run: nothing was submitted\n");
        assertThat(dryRun("--json").out())
                .contains("\"dryRun\" : true", "\"command\" : \"cp a.txt b.txt\"", "\"strategy\" : \"auto\"");
    }

    @Test
    void aPlanWithUnknownRunTimesHasNoMakespan() throws IOException {
        Files.writeString(Path.of(workflow), "name: open\ntasks:\n  a: {run: \"true\"}\n");
        assertThat(dryRun().out())
                .containsPattern("auto +1 +\\S+ h +level 0, 1 task +0 s +- +-\n")
                .contains("makespan unknown: 1 of 1 tasks");
    }

    @Test
    void aTaskWithTooManyCoresIsRefused() throws IOException {
        Files.writeString(Path.of(workflow), "name: wide\ntasks:\n  a: {cores: 3, time: 1m, run: \"true\"}\n");
        Run run = dryRun("--cores-per-node", "2");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("cores");
    }
}
