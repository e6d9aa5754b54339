package io.sheaf.agent;

import io.sheaf.agent.link.Enciphered;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Running;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Work;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A task that does nothing, run by an agent that waits for its first one, so that this one does not wait for what Java does only once or compiles only when it
 * was done often. Nobody is told of it.
 */
final class WarmUpTask implements Worker.Sink {
    /** An agent that has had nothing to do for so long has time for it. */
    static final int AFTER_MILLIS = 1_500;

    private static final int PATIENCE_MILLIS = 1_000;
    private static final String NOTHING = "/dev/null";

    private boolean over;

    private WarmUpTask() {}

    /** Runs it; whether it came to its end. */
    static boolean play(AgentSettings settings, String agent, String folder) throws InterruptedException {
        BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
        WarmUpTask rehearsal = new WarmUpTask();
        Worker worker = new Worker(settings, agent + ".rehearsal", events::add, rehearsal);
        Start start = new Start(
                new AttemptId(0, 0),
                Work.of("rehearsal", List.of("/bin/true")),
                Needs.cores(1),
                TaskFiles.none(folder, NOTHING, NOTHING));
        worker.add(start);
        worker.tick(System.nanoTime());
        Runnable event = events.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (event != null) {
            event.run();
        }
        boolean heard = Enciphered.isHeard(start);
        // Now, and not when the first task is there.
        System.gc();
        return rehearsal.over && heard;
    }

    @Override
    public void running(Running running) {}

    @Override
    public void ended(Ended ended) {
        over = Frames.encode(0, List.of(ended)).length > 0;
    }
}
