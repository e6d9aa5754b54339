package io.sheaf.app.queue;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.Version;
import io.sheaf.runtime.queue.TaskQueue;
import io.sheaf.runtime.spec.RunSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Connects a program to a task queue. */
@Command(
        name = "task-stream",
        description = "Submit single tasks and report their states as JSON lines, for programs.",
        footer = {
            "",
            "Reads {\"submit\": [TASK, …]} and {\"cancel\": [ID, …]} from standard input, one request per line, until end of file.",
            "A task has id, folder and command; as in submit-task category, cores, memory, gpus, nodes, time, retries, after; and limit, a time after which Sheaf stops it.",
            "{\"expect\": [{\"tasks\": N, \"time\": TIME, \"cores\": N}, …]} announces tasks that will follow; Sheaf requests jobs long enough for them.",
            "{\"end\": []} cancels unfinished tasks at the end of file and releases all nodes at once; then the program may remove the queue's folder.",
            "With the command sheaf-fork PROGRAM … ARGUMENT, agents fork tasks from PROGRAM … --fork-server (docs/explanation/agents.md).",
            "Writes {\"accepted\": [ID, …]} and {\"task\": ID, \"state\": STATE, \"reason\": TEXT} to standard output.",
            "Example: sheaf task-stream --queue .sheaf/queue --nodes 2"
        })
public final class TaskStreamCommand extends SheafCommand {
    @Mixin
    QueueOptions queues = new QueueOptions();

    @Mixin
    NewQueueOptions queueOptions = new NewQueueOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        queueOptions.check();
        TaskQueue queue = queues.queue(session());
        RunSpec spec = queueOptions.spec(queue, session());
        session().out().print(JsonOut.line(json -> json.field("sheaf", Version.number())
                .field("protocol", TaskStream.PROTOCOL)));
        session().out().flush();
        new TaskStream(
                        queue,
                        spec,
                        new QueueManager(queue, session()),
                        queueOptions.idle,
                        session().out())
                .serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        return ExitStatus.DONE;
    }
}
