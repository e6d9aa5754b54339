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

/** {@code --from} names a format or, where no format is called so, a task to go on from. */
class FromTaskTest {
    @TempDir
    Path folder = Path.of("");

    private String workflow = "";

    /** Nothing has run, so going on from the second task is refused: what the first one writes is not there. */
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

    /** The first task can run at once: there is nothing before it. */
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
