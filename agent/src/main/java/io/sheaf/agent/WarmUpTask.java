package io.sheaf.agent;

import io.sheaf.agent.link.CipherWarmUp;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Running;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Work;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A warm-up: a task that does nothing, run while the agent waits for its first task, so that class loading and compilation do not delay it.
 * It is not reported.
 */
final class WarmUpTask implements Worker.Sink {
    /** Idle time after which an agent warms up. */
    static final int AFTER_MILLIS = 1_500;

    private static final int TIMEOUT_MILLIS = 1_000;
    private static final String NOTHING = "/dev/null";

    private boolean completed;

    private WarmUpTask() {}

    /** Runs the warm-up; returns whether it completed. */
    static boolean run(AgentSettings settings, String agent, Path folder) throws InterruptedException {
        BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
        WarmUpTask warmUp = new WarmUpTask();
        Worker worker = new Worker(settings, agent + ".warm-up", folder, events::add, warmUp);
        Start start = new Start(
                new AttemptId(0, 0),
                Work.of("warm-up", List.of("/bin/true")),
                Needs.cores(1),
                TaskFiles.none(folder.toString(), NOTHING, NOTHING));
        worker.add(start);
        worker.tick(System.nanoTime());
        Runnable event = events.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        if (event != null) {
            event.run();
        }
        boolean encrypted = CipherWarmUp.run(start);
        // Collect now rather than during the first task.
        System.gc();
        return warmUp.completed && encrypted;
    }

    @Override
    public void running(Running running) {}

    @Override
    public void ended(Ended ended) {
        completed = Frames.encode(0, List.of(ended)).length > 0;
    }
}
