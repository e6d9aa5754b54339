package io.sheaf.agent;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Running;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Usage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts on the node's cores in the order of arrival, and ends them at a limit or on request.
 *
 * <p>Called by one thread; ends of processes reach that thread through the executor.
 */
final class Worker {
    private static final int WATCH_MILLIS = 1_000;
    /** While a task has no sample yet, or has a memory limit: it must be killed before the system has no memory left. */
    private static final int CLOSE_WATCH_MILLIS = 200;
    /** Shorter tasks are not sampled; there may be a thousand per second. */
    private static final int YOUNG_MILLIS = 150;

    private static final int SWEEP_MILLIS = 5_000;
    private static final int KILL_ROUNDS = 20;
    private static final int ENDING_MILLIS = 30;
    private static final int AWAIT_MILLIS = 100;
    private static final int IDLE_MILLIS = 1_000;
    /** A process in uninterruptible I/O cannot be killed; after this time it is abandoned. */
    private static final int GIVE_UP_MILLIS = 30_000;

    /** Receives the events of attempts. */
    interface Sink {
        void running(Running running);

        void ended(Ended ended);
    }

    private final AgentSettings settings;
    private final String agent;
    private final Executor loop;
    private final Sink sink;
    private final NodeResources resources;
    private final Processes processes;
    private final TaskRun.NodeContext node;
    private final Map<AttemptId, Start> waiting = new LinkedHashMap<>();
    private final Map<AttemptId, TaskRun> active = new LinkedHashMap<>();
    private long watched = System.nanoTime();
    private boolean endedSinceSweep;
    /** When the first of them ended. */
    private long unswept;
    /** The processes of this round, if they were sampled. */
    private @Nullable Map<String, Processes.Group> groups;
    /** How tasks that fail from now on count; null as failed. */
    private @Nullable AttemptOutcome excuse;

    private String excused = "";
    /** Nothing is started before: the file system of the logs could not be written. */
    private long restartAt = System.nanoTime();

    /** A worker that records exits in a file of this folder. */
    Worker(AgentSettings settings, String agent, Path folder, Executor loop, Sink sink) {
        this.settings = settings;
        this.agent = agent;
        this.loop = loop;
        this.sink = sink;
        resources = new NodeResources(settings.cores(), settings.gpus());
        Affinity affinity = settings.affinity() ? Affinity.of(settings.cores()) : Affinity.none();
        String mark = TaskCommand.markOf(settings.run(), agent, null);
        ForkServers servers = new ForkServers(mark, 2 * settings.cores(), folder);
        node = new TaskRun.NodeContext(settings.run(), folder, !settings.gpus().isEmpty(), affinity, servers);
        processes = new Processes(mark, servers.forked());
    }

    void add(Start start) {
        waiting.put(start.attempt(), start);
    }

    boolean has(AttemptId attempt) {
        return active.containsKey(attempt) || waiting.containsKey(attempt);
    }

    List<AttemptId> attempts() {
        List<AttemptId> attempts = new ArrayList<>(active.keySet());
        attempts.addAll(waiting.keySet());
        return attempts;
    }

    boolean idle() {
        return active.isEmpty() && waiting.isEmpty();
    }

    void end(AttemptId attempt, AttemptOutcome cause, String why, int graceMillis) {
        TaskRun run = active.get(attempt);
        if (run != null) {
            warn(run, cause, why, graceMillis);
        } else {
            Start start = waiting.remove(attempt);
            if (start != null) {
                never(start, cause, why);
            }
        }
    }

    /** Ends all of them. */
    void endAll(AttemptOutcome cause, String why, int graceMillis) {
        groups = null;
        active.values().forEach(run -> warn(run, cause, why, graceMillis));
        waiting.values().forEach(start -> never(start, cause, why + "; it was not started"));
        waiting.clear();
    }

    /** The batch system has signalled all processes of the job: a task that fails from now on did not fail by itself. */
    void excuse(AttemptOutcome cause, String why) {
        excuse = cause;
        excused = why;
    }

    private void never(Start start, AttemptOutcome cause, String why) {
        sink.ended(new Ended(
                start.attempt(), cause, -1, why, Usage.none(System.currentTimeMillis()), List.of(), List.of()));
    }

    private void warn(TaskRun run, AttemptOutcome cause, String why, int graceMillis) {
        if (run.exited() && !run.ending() && !run.isInDoubt(System.nanoTime())) {
            run.hurry(graceMillis);
            return;
        }
        boolean first = !run.ending();
        run.end(cause, why, System.nanoTime() + graceMillis * 1_000_000L);
        if (first && graceMillis > 0) {
            signal(run, false);
        }
    }

    /** Does what is due; returns the time in milliseconds until something may be due again. */
    long tick(long now) {
        groups = null;
        startWaiting();
        long next = IDLE_MILLIS;
        for (TaskRun run : List.copyOf(active.values())) {
            next = Math.min(next, tick(run, now));
        }
        next = Math.min(next, watch(now));
        // Ends of runs may have freed cores.
        startWaiting();
        return next;
    }

    /** In order of arrival, except that a task which shares a core does not wait for a task that needs a whole core. */
    private void startWaiting() {
        boolean full = false;
        for (Start start : List.copyOf(waiting.values())) {
            if (System.nanoTime() - restartAt < 0) {
                return;
            }
            String refusal = resources.refusal(start.needs());
            if (!refusal.isEmpty()) {
                waiting.remove(start.attempt());
                never(start, AttemptOutcome.NOT_RUNNABLE, refusal);
            } else if (resources.fits(start.needs()) && !(full && !start.needs().isShare())) {
                waiting.remove(start.attempt());
                launch(start);
            } else {
                full = true;
            }
        }
    }

    private void launch(Start start) {
        NodeResources.Share share = resources.take(start.needs());
        String mark = TaskCommand.markOf(settings.run(), agent, start.attempt());
        try {
            TaskRun run = TaskRun.launch(start, share, node, mark);
            active.put(run.attempt(), run);
            sink.running(new Running(run.attempt(), run.process().pid(), run.startMillis()));
            var unused =
                    run.process().onExit().thenAccept(process -> loop.execute(() -> exited(run, process.exitValue())));
        } catch (NotRunnableException e) {
            resources.release(share);
            if (e.isPassing()) {
                waiting.put(start.attempt(), start);
                restartAt = System.nanoTime() + IDLE_MILLIS * 1_000_000L;
                return;
            }
            never(start, AttemptOutcome.NOT_RUNNABLE, String.valueOf(e.getMessage()));
        }
    }

    private void exited(TaskRun run, int status) {
        // An abandoned attempt has no cores any more.
        if (active.containsKey(run.attempt())) {
            run.exited(status);
            resources.release(run.share());
            unswept = endedSinceSweep ? unswept : System.nanoTime();
            endedSinceSweep = true;
            tick(run, System.nanoTime());
        }
    }

    private long tick(TaskRun run, long now) {
        if (!run.ending()) {
            if (run.exited()) {
                if (run.awaitsOutputs(now) || run.isInDoubt(now)) {
                    return AWAIT_MILLIS;
                }
                if (excuse != null && run.hasFailed()) {
                    run.end(excuse, excused, now);
                    return ENDING_MILLIS;
                }
                if (run.hasFailed() && groups().containsKey(run.attempt().toString())) {
                    // Its next attempt must not run beside the rest of this one.
                    signal(run, true);
                    return ENDING_MILLIS;
                }
                finish(run);
            } else if (run.exceedsLimit(now)) {
                String limit = run.start().needs().limitMillis() / 1000.0 + " s";
                warn(
                        run,
                        AttemptOutcome.TIME_LIMIT,
                        "it ran longer than its limit of " + limit,
                        settings.graceMillis());
                return ENDING_MILLIS;
            } else if (run.start().needs().limitMillis() > 0) {
                return Math.max(1, run.start().needs().limitMillis() - run.ageMillis(now) + 1);
            }
            return IDLE_MILLIS;
        }
        boolean alive = groups().containsKey(run.attempt().toString()) || !run.exited();
        long overdue = run.overdueMillis(now);
        if (!alive || overdue > GIVE_UP_MILLIS) {
            finish(run);
        } else if (overdue >= 0) {
            signal(run, true);
        }
        return ENDING_MILLIS;
    }

    private void finish(TaskRun run) {
        active.remove(run.attempt());
        if (!run.exited()) {
            resources.release(run.share());
        }
        sink.ended(run.result());
    }

    /** Samples the resource use of processes, and searches for processes that outlived their attempt. */
    private long watch(long now) {
        boolean limited =
                active.values().stream().anyMatch(run -> run.start().needs().memoryBytes() > 0);
        boolean unmeasured = active.values().stream().anyMatch(run -> !run.measured());
        int period = limited || unmeasured ? CLOSE_WATCH_MILLIS : WATCH_MILLIS;
        if ((now - watched) / 1_000_000 >= period
                && active.values().stream().anyMatch(run -> run.ageMillis(now) > YOUNG_MILLIS)) {
            watched = now;
            for (TaskRun run : active.values()) {
                Processes.Group group = groups().get(run.attempt().toString());
                if (group != null && run.measure(group) && !run.ending()) {
                    String used = run.peakBytes() / (1 << 20) + " MiB";
                    String limit = run.start().needs().memoryBytes() / (1 << 20) + " MiB";
                    warn(run, AttemptOutcome.OUT_OF_MEMORY, "it used " + used + " of memory, its limit is " + limit, 0);
                }
            }
        }
        // Delayed: sampling all processes takes time that the next task would wait for.
        if (endedSinceSweep && (now - unswept) / 1_000_000 >= SWEEP_MILLIS) {
            sweep();
        }
        return active.isEmpty() ? IDLE_MILLIS : period;
    }

    /** Kills all processes of all attempts, and those that they start meanwhile. */
    void killAll() {
        for (int round = 0; round < KILL_ROUNDS; round++) {
            Map<String, Processes.Group> left = processes.scan();
            if (left.isEmpty()) {
                return;
            }
            left.values().forEach(group -> Processes.signal(group.pids(), true));
        }
    }

    /** Kills processes of attempts that have ended. */
    private void sweep() {
        endedSinceSweep = false;
        groups().forEach((attempt, group) -> {
            if (!attempt.equals(ForkServers.SERVER)
                    && active.keySet().stream()
                            .noneMatch(known -> known.toString().equals(attempt))) {
                Processes.signal(group.pids(), true);
            }
        });
    }

    private void signal(TaskRun run, boolean kill) {
        Processes.Group group = groups().get(run.attempt().toString());
        Processes.signal(group == null ? List.of() : group.pids(), kill);
        if (kill && !run.exited()) {
            run.process().destroyForcibly();
        }
    }

    private Map<String, Processes.Group> groups() {
        Map<String, Processes.Group> current = groups;
        if (current == null) {
            current = processes.scan();
            groups = current;
        }
        return current;
    }
}
