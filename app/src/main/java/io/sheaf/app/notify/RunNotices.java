package io.sheaf.app.notify;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Session;
import io.sheaf.app.config.Configuration;
import io.sheaf.manager.Manager;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.TaskState;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The notices of one run: when it is done, failed, cancelled or paused, and when its jobs wait long in the queue.
 *
 * <p>Used by the event loop's thread. Nothing here blocks but {@link #close}.
 */
public final class RunNotices implements AutoCloseable {
    /** What a notice can be about. */
    private static final List<String> EVENTS = List.of("done", "failed", "cancelled", "paused", "waiting");

    private static final int MAX_NAMES = 10;
    private static final int LONGEST_TEXT = 500;
    private static final long NEVER = Long.MIN_VALUE;

    private final @Nullable Notifier notifier;
    private final Set<String> kinds;
    private final long maxWait;
    private final Path run;
    private final String workflow;
    /** Since when jobs are queued and none runs; {@link #NEVER} if that is not so. */
    private long waitingSince = NEVER;

    private boolean pauseReported;

    /**
     * The notices that are configured.
     *
     * @param run the folder of the run
     * @param workflow its name
     */
    public RunNotices(Session session, Path run, String workflow) {
        Configuration configuration = session.configuration();
        this.run = run;
        this.workflow = workflow;
        kinds = new TreeSet<>();
        for (String each : configuration.get("notify-on").split(",", -1)) {
            if (!EVENTS.contains(each.strip())) {
                throw new InputException(
                        "notify-on: '" + each.strip() + "' is not one of " + String.join(", ", EVENTS));
            }
            kinds.add(each.strip());
        }
        maxWait = TimeText.micros(configuration.get("notify-wait")) / 1000;
        boolean requested = !configuration.get("notify-command").isEmpty()
                || !configuration.get("notify-url").isEmpty();
        notifier = requested ? new Notifier(session) : null;
    }

    /** Checks whether jobs have waited for long; called after each turn. */
    public void turned(Manager manager, long begun, long now) {
        if (notifier == null) {
            return;
        }
        long oldest = NEVER;
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob job = manager.pilotJob(i);
            if (job.isRunning()) {
                waitingSince = NEVER;
                pauseReported = false;
                return;
            }
            if (!job.isEnding()) {
                oldest = oldest == NEVER ? job.submittedAt() : Math.min(oldest, job.submittedAt());
            }
        }
        if (waitingSince == NEVER) {
            waitingSince = oldest;
        }
        if (waitingSince != NEVER && oldest != NEVER && !pauseReported && now - waitingSince >= maxWait) {
            pauseReported = true;
            long since = waitingSince;
            send("waiting", manager, begun, now, out -> out.seconds("queuedSeconds", (now - since) * 1000)
                    .field("jobsQueued", manager.pilotJobs()));
        }
    }

    /** Notifies of the end of a run, or why it is paused. */
    public void ended(Manager manager, boolean paused, long begun, long now) {
        String why = manager.paused();
        String event = paused ? "paused" : manager.isCancelled() ? "cancelled" : manager.isFailed() ? "failed" : "done";
        send(event, manager, begun, now, out -> {
            if (paused && why != null) {
                out.field("why", shortened(why));
            }
        });
    }

    private void send(String event, Manager manager, long begun, long now, Consumer<JsonOut> more) {
        Map<TaskState, Integer> counts = new EnumMap<>(TaskState.class);
        List<String> failed = new ArrayList<>();
        for (int task = 0; task < manager.workflow().size(); task++) {
            TaskState state = manager.state(task);
            counts.merge(state, 1, Integer::sum);
            if (state == TaskState.FAILED && failed.size() < MAX_NAMES) {
                failed.add(shortened(manager.workflow().id(task)));
            }
        }
        send(event, workflow, now, out -> {
            out.seconds("elapsedSeconds", (now - begun) * 1000);
            out.object("tasks")
                    .field("total", manager.workflow().size())
                    .field("done", counts.getOrDefault(TaskState.DONE, 0))
                    .field("failed", counts.getOrDefault(TaskState.FAILED, 0))
                    .field("skipped", counts.getOrDefault(TaskState.SKIPPED, 0))
                    .end();
            out.texts("failedTasks", failed);
            more.accept(out);
        });
    }

    /**
     * Sends a notice about a workflow of the run, if such notices are configured.
     *
     * @param now in milliseconds since 1970
     */
    public void send(String event, String about, long now, Consumer<JsonOut> fields) {
        if (notifier == null || !kinds.contains(event)) {
            return;
        }
        notifier.send(JsonOut.line(out -> {
            out.field("event", event)
                    .field("workflow", about)
                    .field("run", run.toString())
                    .field("at", Instant.ofEpochMilli(now).toString());
            fields.accept(out);
        }));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }

    /** Waits for the last notice, for a bounded time. */
    @Override
    public void close() {
        if (notifier != null) {
            notifier.close();
        }
    }
}
