package io.sheaf.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.manager.TaskState;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tasks in the report of a run. */
class TaskTablesTest {
    private static final long MIB = 1 << 20;

    private static TaskFigures task(int number, TaskState state, AttemptOutcome outcome, Usage usage, String... lines) {
        return new TaskFigures(
                "align<" + number + ">",
                "align",
                state,
                2,
                new Resources(4, 512 * MIB, 0, 1),
                60_000,
                60_000,
                new Message.Ended(
                        new AttemptId(number, 2), outcome, 3, "exit status 3", usage, List.of(), List.of(lines)));
    }

    @Test
    void aFailureHasItsReasonAndTheLastLinesOfItsErrorOutput() {
        List<TaskFigures> tasks = List.of(
                task(0, TaskState.DONE, AttemptOutcome.SUCCEEDED, Usage.none(0)),
                task(1, TaskState.FAILED, AttemptOutcome.FAILED, new Usage(0, 1_500, 0, 0), "no <index>", "giving up"));
        assertThat(TaskTables.failures(tasks))
                .contains("align&lt;1&gt;", "exit status 3; 2 attempts, the last one ran 1.5 s")
                .contains("no &lt;index&gt;\ngiving up</pre>")
                .doesNotContain("align&lt;0&gt;");
        assertThat(TaskTables.failures(tasks.subList(0, 1))).isEmpty();
    }

    /**
     * 15 s of processor time in 10 s are 1.5 busy cores, 37.5 % of 4, so 2 are enough. 1.25 × 10 s are 13 s, rounded
     * up; 1.25 × 100 MiB are 128 MiB, rounded up to a multiple of 64.
     */
    @Test
    void changesAreSuggestedForExcessiveRequests() {
        List<TaskFigures> tasks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            tasks.add(task(i, TaskState.DONE, AttemptOutcome.SUCCEEDED, new Usage(0, 10_000, 100 * MIB, 15_000)));
        }
        tasks.add(task(5, TaskState.FAILED, AttemptOutcome.FAILED, new Usage(0, 90_000, 900 * MIB, 360_000)));
        RequestAdvice advice = RequestAdvice.of("w", tasks).get(0);
        assertThat(advice.tasks()).isEqualTo(5);
        assertThat(advice.busyCores()).isEqualTo(1.5);
        assertThat(advice.efficiency()).isEqualTo(0.375);
        assertThat(advice.changes()).isEqualTo("time: 13s, cores: 2, memory: 128M");
        assertThat(RequestAdvice.of("w", tasks.subList(1, 6)).get(0).changes())
                .as("four measured tasks are too few")
                .isEmpty();
        assertThat(TaskTables.resources(tasks))
                .contains("Requested and used", "37.5 %")
                .contains("suggested time: 13s, cores: 2, memory: 128M.</p>");
    }

    /** Two tasks of 10 s and 20 s on 4 cores: 20 s and 60 s of processor time are 2 and 3 busy cores, 2.5 on average. */
    @Test
    void usedAndRequestedResourcesAreShown() {
        String html = TaskTables.resources(List.of(
                task(
                        0,
                        TaskState.DONE,
                        AttemptOutcome.SUCCEEDED,
                        new Usage(0, 10_000, 100 * MIB, 20_000, 3 * MIB, 2048)),
                task(1, TaskState.DONE, AttemptOutcome.SUCCEEDED, new Usage(0, 20_000, 200 * MIB, 60_000, MIB, 1024)),
                task(2, TaskState.DONE, AttemptOutcome.SUCCEEDED, new Usage(0, 10, Usage.UNKNOWN, Usage.UNKNOWN))));
        assertThat(row(html, "<th scope=\"row\">align</th>"))
                .containsExactly(
                        "3", "10.0 s", "20.0 s", "1.0 min", "2.50", "4", "200 MiB", "512 MiB", "4.0 MiB", "3.0 KiB");
        assertThat(row(html, "<th scope=\"row\">align&lt;2&gt;</th>"))
                .containsExactly("align", "done", "2", "0.0 s", "1.0 min", "–", "4", "–", "512 MiB", "–", "–");
    }

    private static List<String> row(String html, String head) {
        String row = html.substring(html.indexOf(head) + head.length());
        String cells = row.substring(0, row.indexOf("</tr>")).replace("</td>", "");
        return List.of(cells.substring("<td>".length()).split("<td>"));
    }
}
