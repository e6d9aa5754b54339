package io.sheaf.agent;

import io.sheaf.agent.link.AgentLink;
import io.sheaf.agent.link.HostNames;
import io.sheaf.agent.link.LinkSettings;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Message.Ack;
import io.sheaf.agent.protocol.Message.Bye;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Kill;
import io.sheaf.agent.protocol.Message.Remaining;
import io.sheaf.agent.protocol.Message.Running;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Message.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The agent of one node: starts the tasks that the manager sends, stores results until they are acknowledged, and stops before the walltime
 * ends.
 *
 * <p>One thread does everything and takes events from a queue. While the manager is unreachable the agent continues with the tasks it has.
 */
final class Agent implements AgentLink.Listener, Worker.Sink {
    private static final int STOPPING_MILLIS = 50;
    private static final int KILL_GRACE_MILLIS = 2_000;
    /** Number of acknowledged attempts that are remembered, to recognise repeated frames. */
    private static final int REMEMBERED = 20_000;

    private static final int FOLDER_CHECK_MILLIS = 30_000;
    /** Delay of {@link Message.Running}, so that the start and the end of a short task share a frame. */
    private static final int HOLD_MILLIS = 250;

    private final RunFolder run;
    private final AgentId id;
    private final AgentSettings settings;
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final Worker worker;
    private final ResultStore results;
    private final AgentLink link;
    private final AgentLog log;
    private final Set<AttemptId> done = new LinkedHashSet<>();
    private final List<Message.ToManager> toSend = new ArrayList<>();
    private final List<Ended> toStore = new ArrayList<>();
    /** Whether pending messages must be sent without delay. */
    private boolean urgent;

    private long heldNanos;
    private long stopNanos;
    private boolean bounded;
    private boolean stopping;
    private String stopReason = "";
    private AttemptOutcome stopOutcome = AttemptOutcome.CUT_OFF;
    private long leaveNanos;
    /** When the running tasks are ended after a signal, if they are still to be. */
    private long endNanos;

    private int endGraceMillis;
    private boolean awaitsEnd;
    private long checkedNanos = System.nanoTime();
    /** When it could have had work for the first time; 0 if it could not, or has had some. */
    private long waitingNanos;

    private boolean greeted;

    Agent(RunFolder run, AgentId id, AgentSettings settings, LinkSettings linkSettings, AgentLog log)
            throws IOException {
        this.run = run;
        this.id = id;
        this.settings = settings;
        this.log = log;
        worker = new Worker(settings, id.toString(), run.agent(id), events::add, this);
        results = new ResultStore(run.agent(id));
        link = new AgentLink(run, id, linkSettings, this);
        if (settings.walltimeMillis() > 0) {
            remaining(settings.walltimeMillis());
        }
    }

    /** Runs until a stop request or the end of the walltime. */
    void run() throws InterruptedException {
        link.start();
        try {
            loop();
        } finally {
            // After any failure: leave no task unsupervised.
            worker.killAll();
        }
        link.send(List.of(new Bye(stopReason)));
        link.flush(AgentSettings.RESERVE_MILLIS / 3);
        link.close();
        log.write("ends: " + stopReason);
    }

    private void loop() throws InterruptedException {
        long wait = 0;
        while (!canExit()) {
            Runnable event = events.poll(wait, TimeUnit.MILLISECONDS);
            for (; event != null; event = events.poll()) {
                event.run();
            }
            long now = System.nanoTime();
            if (bounded && !stopping && now - stopNanos >= 0) {
                stop(settings.graceMillis(), "the walltime ends");
            }
            if (awaitsEnd && now - endNanos >= 0) {
                stop(endGraceMillis, stopReason);
            }
            wait = worker.tick(now);
            if (bounded && !stopping) {
                wait = Math.max(1, Math.min(wait, (stopNanos - now) / 1_000_000 + 1));
            }
            wait = stopping ? Math.min(wait, STOPPING_MILLIS) : wait;
            wait = report(now) ? wait : Math.min(wait, HOLD_MILLIS);
            checkFolder(now);
            warmUp(now);
        }
    }

    private void warmUp(long now) throws InterruptedException {
        if (waitingNanos != 0 && !stopping && (now - waitingNanos) / 1_000_000 >= WarmUpTask.AFTER_MILLIS) {
            waitingNanos = 0;
            log.write(WarmUpTask.run(settings, id.toString(), run.agent(id)) ? "warm-up done" : "warm-up failed");
        }
    }

    /** Whether the agent can exit: all attempts have ended and are acknowledged, or no time remains to wait. */
    private boolean canExit() {
        if (!stopping || !worker.idle()) {
            return false;
        }
        long now = System.nanoTime();
        if (leaveNanos == 0) {
            leaveNanos = now + AgentSettings.RESERVE_MILLIS / 3 * 1_000_000L;
        }
        return results.stored().isEmpty() || now - leaveNanos >= 0;
    }

    /** Stores new results on disk, then sends pending messages unless they may be delayed. Returns whether the agent can exit. */
    private boolean report(long now) {
        if (!toStore.isEmpty()) {
            try {
                results.store(List.copyOf(toStore));
            } catch (IOException e) {
                log.write("cannot store results on disk: " + e);
            }
            toStore.clear();
        }
        if (!toSend.isEmpty() && (urgent || (now - heldNanos) / 1_000_000 >= HOLD_MILLIS)) {
            link.send(List.copyOf(toSend));
            toSend.clear();
            urgent = false;
        }
        return toSend.isEmpty();
    }

    /**
     * Stops because of a signal, from any thread: takes no more tasks at once, and ends the running ones when the grace of the batch system ends. The batch system has signalled them, too.
     *
     * @return the time until the agent must have ended, in milliseconds
     */
    long stopSoon(String reason) {
        events.add(() -> {
            drain(reason, AttemptOutcome.PREEMPTED);
            worker.excuse(AttemptOutcome.PREEMPTED, reason);
        });
        long left = PreemptionNotice.millis(settings.notice());
        int grace = (int) Math.min(settings.graceMillis(), Math.max(0, left - AgentSettings.RESERVE_MILLIS));
        long until = left - AgentSettings.reserveMillis(grace);
        events.add(() -> {
            if (left > 0) {
                log.write("has " + left + " ms until the batch system takes its nodes");
            }
            endNanos = System.nanoTime() + Math.max(0, until) * 1_000_000;
            endGraceMillis = left > 0 ? grace : settings.graceMillis();
            awaitsEnd = true;
        });
        return Math.max(left, settings.graceMillis());
    }

    private void stop(int graceMillis, String reason) {
        drain(reason, AttemptOutcome.CUT_OFF);
        awaitsEnd = false;
        worker.endAll(stopOutcome, reason, graceMillis);
    }

    private void drain(String reason, AttemptOutcome outcome) {
        if (!stopping) {
            log.write("stops: " + reason);
            stopping = true;
            stopReason = reason;
            stopOutcome = outcome;
        }
    }

    private void remaining(long millis) {
        bounded = true;
        // Of a very short walltime the tasks still get half.
        long before = Math.min(AgentSettings.reserveMillis(settings.graceMillis()), millis / 2);
        stopNanos = System.nanoTime() + (millis - before) * 1_000_000;
    }

    /** The run folder was deleted: the run has ended. */
    private void checkFolder(long now) {
        if ((now - checkedNanos) / 1_000_000 > FOLDER_CHECK_MILLIS) {
            checkedNanos = now;
            if (!stopping && Files.notExists(run.path())) {
                stop(settings.graceMillis(), "the run folder was deleted");
            }
        }
    }

    /** Attempts that have not ended, or whose result is not acknowledged. */
    private List<AttemptId> knownAttempts() {
        List<AttemptId> known = new ArrayList<>(worker.attempts());
        results.stored().forEach(ended -> known.add(ended.attempt()));
        return known;
    }

    @Override
    public void connected(String transport) {
        events.add(() -> {
            log.write("connected by " + transport);
            waitingNanos = greeted ? waitingNanos : System.nanoTime();
            greeted = true;
            toSend.add(new Hello(
                    id,
                    HostNames.node(),
                    ProcessHandle.current().pid(),
                    settings.cores(),
                    settings.memoryBytes(),
                    settings.gpus().size(),
                    knownAttempts(),
                    stopping));
            toSend.addAll(results.stored());
            urgent = true;
        });
    }

    @Override
    public void disconnected(String why) {
        events.add(() -> log.write("not connected: " + why));
    }

    @Override
    public void received(Message.ToAgent message) {
        events.add(() -> handle(message));
    }

    private void handle(Message.ToAgent message) {
        if (message instanceof Start start) {
            start(start);
        } else if (message instanceof Ack ack) {
            acknowledge(ack);
        } else if (message instanceof Kill kill) {
            worker.end(kill.attempt(), AttemptOutcome.KILLED, "killed by the manager", KILL_GRACE_MILLIS);
        } else if (message instanceof Stop stop) {
            stop(stop.graceMillis(), stop.reason());
        } else if (message instanceof Remaining remaining) {
            remaining(remaining.millis());
        }
    }

    private void start(Start start) {
        waitingNanos = 0;
        AttemptId attempt = start.attempt();
        if (worker.has(attempt) || results.has(attempt) || done.contains(attempt)) {
            return;
        }
        worker.add(start);
        if (stopping) {
            worker.end(attempt, stopOutcome, stopReason + "; it was not started", 0);
        }
    }

    private void acknowledge(Ack ack) {
        try {
            results.acknowledge(ack.attempts());
        } catch (IOException e) {
            log.write("cannot shorten the file of results: " + e);
        }
        done.addAll(ack.attempts());
        while (done.size() > REMEMBERED) {
            done.remove(done.iterator().next());
        }
    }

    @Override
    public void running(Running running) {
        heldNanos = toSend.isEmpty() ? System.nanoTime() : heldNanos;
        toSend.add(running);
    }

    @Override
    public void ended(Ended ended) {
        toStore.add(ended);
        toSend.add(ended);
        urgent = true;
    }
}
