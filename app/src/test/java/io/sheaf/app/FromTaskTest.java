package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --from} is a format or, if no format has that name, the task to continue from. */
class FromTaskTest {
    @TempDir
    Path folder = Path.of("");

    private String workflow = "";

    /** Nothing has run, so continuing from the second task is refused: the output of the first one is missing. */
    @BeforeEach
    void writeFile() throws IOException {
        workflow = Files.writeString(folder.resolve("pair.yaml"), """
                        name: pair
                        tasks:
                          dax: {out: a.txt, time: 1s, run: "echo a > a.txt"}
                          last: {in: a.txt, out: b.txt, time: 1s, run: "cat a.txt > b.txt"}
                        """).toString();
    }

    private String errorOf(String... args) {
        Run run = Run.in(folder, Map.of(), args);
        assertThat(run.status()).as(run.err()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        return run.err();
    }

    @Test
    void anUnknownFormatNameIsATask() {
        for (String command : List.of("run", "plan")) {
            assertThat(errorOf(command, workflow, "--from", "last"))
                    .isEqualTo(errorOf(command, workflow, "--from-task", "last"))
                    .contains("a.txt");
        }
    }

    /** The first task has no inputs, so the plan is not refused. */
    @Test
    void planReadsFromAsATask() {
        Run plan = Run.in(folder, Map.of(), "plan", workflow, "--from", "dax");
        assertThat(plan.err()).isEmpty();
        assertThat(plan.out())
                .isEqualTo(Run.in(folder, Map.of(), "plan", workflow, "--from-task", "dax")
                        .out());
    }

    @Test
    void aFormatTakesPrecedenceOverATask() {
        assertThat(errorOf("run", workflow, "--from", "DAX"))
                .contains("pair.yaml")
                .contains("XML");
    }

    @Test
    void anUnknownNameIsRefused() {
        assertThat(errorOf("run", workflow, "--from", "lost"))
                .isEqualTo(
                        "sheaf: --from lost: is neither a format that Sheaf reads nor a task or category of the workflow\n");
        assertThat(errorOf("plan", workflow, "--from", "lost"))
                .isEqualTo(
                        "sheaf: --from lost: is neither a time in a log (no log is given) nor a task or category of the workflow\n");
    }
}
