package io.sheaf.agent;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Work;
import java.nio.file.Path;
import java.util.List;

/** Tasks for the tests. */
final class Jobs {
    private Jobs() {}

    static AttemptId attempt(int task) {
        return new AttemptId(task, 1);
    }

    static Start start(Path folder, int task, Work work, Needs needs, List<String> inputs, List<String> outputs) {
        return new Start(attempt(task), work, needs, files(folder, task, false, inputs, outputs, 2_000));
    }

    static TaskFiles files(
            Path folder, int task, boolean isolated, List<String> inputs, List<String> outputs, int patienceMillis) {
        return new TaskFiles(
                folder.toString(), isolated, inputs, outputs, task + ".1.out", task + ".1.err", patienceMillis);
    }

    static Work shell(String script) {
        return Work.of("task", List.of("/bin/sh", "-c", script));
    }

    static Start script(Path folder, int task, String script, String... outputs) {
        return start(folder, task, shell(script), Needs.cores(1), List.of(), List.of(outputs));
    }

    static Start script(Path folder, int task, Needs needs, String script) {
        return start(folder, task, shell(script), needs, List.of(), List.of());
    }
}
