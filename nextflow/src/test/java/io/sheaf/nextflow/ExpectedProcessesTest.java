package io.sheaf.nextflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which tasks are expected of later processes. The last run had 4 tasks of A, then 8 of B, then one of C. */
class ExpectedProcessesTest {
    private static final Map<String, Set<String>> PARENTS = Map.of("A", Set.of(), "B", Set.of("A"), "C", Set.of("B"));
    private static final Map<String, ExpectedProcesses.Tasks> LAST = Map.of(
            "A", new ExpectedProcesses.Tasks(4, 1_000, 1),
            "B", new ExpectedProcesses.Tasks(8, 60_500, 2),
            "C", new ExpectedProcesses.Tasks(1, 5_000, 1));

    @TempDir
    Path folder = Path.of("");

    private static Map<String, Object> stage(long tasks, String time, int cores) {
        return Map.of("tasks", tasks, "time", time, "cores", cores);
    }

    private static ExpectedProcesses run() {
        ExpectedProcesses run = new ExpectedProcesses(PARENTS, LAST);
        for (int i = 0; i < 2; i++) {
            run.submitted("A", 1);
        }
        return run;
    }

    @Test
    void laterProcessesAreExpectedInProportion() {
        // Half of the tasks of A: 8 × 2 / 4 of B, and 1 × 4 / 8 of C.
        assertThat(run().expected()).containsExactlyInAnyOrder(stage(4, "61s", 2), stage(1, "5s", 1));
    }

    @Test
    void submittedTasksAreNoLongerExpected() {
        ExpectedProcesses run = run();
        run.submitted("B", 2);
        assertThat(run.expected()).containsExactlyInAnyOrder(stage(3, "61s", 2), stage(1, "5s", 1));
        run.ended("A", 900);
        run.ended("A", -1);
        assertThat(run.expected()).as("A has ended: B has all its tasks").isEmpty();
        run.submitted("B", 2);
        run.submitted("B", 2);
        run.submitted("B", 2);
        assertThat(run.expected()).containsExactly(stage(1, "5s", 1));
    }

    @Test
    void nothingIsExpectedWithoutAnEarlierRun() {
        ExpectedProcesses run = new ExpectedProcesses(PARENTS, Map.of());
        run.submitted("A", 1);
        assertThat(run.expected()).isEmpty();
    }

    @Test
    void aCycleOfProcessesTerminates() {
        ExpectedProcesses run = new ExpectedProcesses(Map.of("A", Set.of("B"), "B", Set.of("A")), LAST);
        run.submitted("A", 1);
        assertThat(run.expected()).containsExactly(stage(2, "61s", 2));
    }

    @Test
    void aRecordedRunIsReadByTheNextRun() throws java.io.IOException {
        ExpectedProcesses run = run();
        run.ended("A", 900);
        run.ended("A", 1_100);
        Path file = folder.resolve("main.nf.json");
        run.write(file);
        assertThat(ExpectedProcesses.read(file)).isEqualTo(Map.of("A", new ExpectedProcesses.Tasks(2, 1_000, 1)));
        Files.writeString(file, "{\"A\": [");
        assertThat(ExpectedProcesses.read(file)).as("a damaged file").isEmpty();
        assertThat(ExpectedProcesses.read(folder.resolve("none"))).isEmpty();
        assertThat(List.of(folder.toFile().list())).containsExactly("main.nf.json");
    }
}
