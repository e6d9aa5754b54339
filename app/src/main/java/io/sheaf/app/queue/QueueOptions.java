package io.sheaf.app.queue;

import io.sheaf.app.cli.Session;
import io.sheaf.runtime.queue.TaskQueue;
import io.sheaf.text.InputException;
import picocli.CommandLine.Option;

/** Selects a task queue. */
final class QueueOptions {
    @Option(
            names = "--queue",
            paramLabel = "DIR",
            description = "Folder of the task queue (default: ${DEFAULT-VALUE}).")
    String folder = ".sheaf/queue";

    TaskQueue queue(Session session) {
        return new TaskQueue(session.folder().toAbsolutePath().resolve(folder));
    }

    /** An existing queue. */
    TaskQueue existing(Session session) {
        TaskQueue queue = queue(session);
        if (!queue.isMade()) {
            throw new InputException("no task queue here; 'sheaf submit-task' creates one")
                    .in(queue.run().resolveSibling("").toString());
        }
        return queue;
    }
}
