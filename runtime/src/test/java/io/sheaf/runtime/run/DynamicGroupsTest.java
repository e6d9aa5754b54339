package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.WorkflowParameters;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups whose tasks cannot be made. Their writers were completed by an earlier run. */
class DynamicGroupsTest {
    private static final String TEXT = """
            tasks:
              first: {out: {dir: one}, run: x}
              second: {out: {dir: two}, run: x}
              a: {foreach: {f: {glob: "one/*"}}, id: "{f}", run: x}
              b: {foreach: {f: {glob: "two/*"}}, run: x}
            """;

    @TempDir
    Path folder = Path.of("");

    private Path work = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        work = Files.createDirectories(folder.resolve("work"));
        Files.createDirectories(work.resolve("one"));
        Files.createDirectories(work.resolve("two"));
        Files.createFile(work.resolve("two/x"));
    }

    /** The ids of the run's tasks after one turn of a new process. */
    private List<String> tasks(String text) throws IOException {
        try (NotedLoop run = new NotedLoop(folder.resolve("run"), new WorkflowBuilder("run").build())) {
            WorkflowParameters none = new WorkflowParameters(Map.of(), Map.of());
            run.loop.requestsFrom(new DynamicGroups(
                    ControlRequests.NONE,
                    new DynamicGroups.WorkflowInput("w.yaml", text, work, work, true, Set.of(), none)));
            run.turn();
            assertThat(run.manager().isOpen()).isFalse();
            Workflow all = run.manager().workflow();
            return IntStream.range(0, all.size()).mapToObj(all::id).toList();
        }
    }

    /** The file is the name of another task. */
    @Test
    void aFailedGroupDoesNotAffectOthers() throws IOException {
        Path wrong = Files.createFile(work.resolve("one/second"));
        assertThat(tasks(TEXT)).containsExactly("foreach a", "b-x");
        Files.move(wrong, work.resolve("one/right"));
        assertThat(tasks(TEXT)).as("it stays failed").containsExactly("foreach a", "b-x");
    }

    @Test
    void aTextThatCannotBeReadAnyMoreFailsInsideTheRun() throws IOException {
        String text = TEXT + "  c: {foreach: {f: {glob: \"removed/*\"}}, run: x}\n";
        assertThat(tasks(text)).containsExactly("all groups");
    }
}
