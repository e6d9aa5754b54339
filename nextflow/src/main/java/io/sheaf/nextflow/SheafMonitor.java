package io.sheaf.nextflow;

import java.util.HashMap;
import java.util.Map;
import nextflow.Session;
import nextflow.exception.AbortOperationException;
import nextflow.processor.TaskPollingMonitor;
import nextflow.util.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Submits tasks and checks their states when the queue reports a change, not at intervals. The number of submitted tasks
 * is unlimited unless {@code executor.queueSize} is set, so that strategies see all ready tasks.
 */
final class SheafMonitor extends TaskPollingMonitor {
    /** The time between two checks without a reported change, for {@code maxSubmitAwait}. */
    private static final Duration LONGEST = Duration.of("5 sec");
    /** The time between two checks with reported changes: those of this time are checked together. */
    private static final long SHORTEST_MILLIS = 20;

    private static final long EMPTY_MILLIS = 100;

    private final SheafExecutor executor;
    private final Object changes = new Object();
    private boolean changed;

    SheafMonitor(SheafExecutor executor) {
        super(parameters(executor.getSession(), executor.getName()));
        this.executor = executor;
    }

    private static Map<String, Object> parameters(Session session, String name) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("session", session);
        parameters.put("name", name);
        parameters.put("capacity", session.getQueueSize(name, 0));
        parameters.put("pollInterval", session.getPollInterval(name, LONGEST));
        parameters.put("dumpInterval", session.getMonitorDumpInterval(name));
        return parameters;
    }

    @Override
    public void signal() {
        synchronized (changes) {
            changed = true;
            changes.notifyAll();
        }
    }

    /**
     * Waits for a change.
     *
     * @param time when the last check began, in milliseconds of the system clock
     */
    @Override
    protected void await(long time) {
        try {
            synchronized (changes) {
                // Nextflow reports no end of a session; it comes when no task is left.
                long until = time + (getRunningQueue().isEmpty() ? EMPTY_MILLIS : getPollIntervalMillis());
                for (long rest = until - System.currentTimeMillis();
                        !changed && rest > 0;
                        rest = until - System.currentTimeMillis()) {
                    changes.wait(rest);
                }
            }
            Thread.sleep(Math.max(0, Math.min(SHORTEST_MILLIS, time + SHORTEST_MILLIS - System.currentTimeMillis())));
            synchronized (changes) {
                changed = false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stopIfLost(executor.failure());
    }

    private void stopIfLost(@Nullable String failure) {
        if (failure != null && !getSession().isAborted()) {
            SheafExecutor.LOG.error(failure);
            getSession().abort(new AbortOperationException(failure));
        }
    }
}
