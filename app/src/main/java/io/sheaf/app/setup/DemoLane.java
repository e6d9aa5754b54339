package io.sheaf.app.setup;

import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.runtime.run.RunListener;
import java.util.Locale;

/** The progress of one of several runs, as a line that is redrawn after each event. */
final class DemoLane implements RunListener {
    private static final int BAR = 32;

    private final String strategy;
    private volatile String line;

    DemoLane(String strategy) {
        this.strategy = strategy;
        line = named(strategy) + "starting";
    }

    String line() {
        return line;
    }

    /** Sets the final text of the line. */
    void ends(String words) {
        line = named(strategy) + words;
    }

    /** A strategy's name, padded to the column. */
    static String named(String strategy) {
        return String.format(Locale.ROOT, "%-15s", strategy);
    }

    @Override
    public void turned(Manager manager) {
        int size = manager.workflow().size();
        int done = 0;
        int running = 0;
        for (int task = 0; task < size; task++) {
            done += manager.state(task) == TaskState.DONE ? 1 : 0;
            running += manager.isRunning(task) ? 1 : 0;
        }
        int queued = 0;
        for (int i = 0; i < manager.pilotJobs(); i++) {
            queued += manager.pilotJob(i).isQueued() ? 1 : 0;
        }
        int full = BAR * done / size;
        int busy = Math.min(BAR - full, BAR * running / size);
        line = named(strategy) + "[" + "#".repeat(full) + "+".repeat(busy) + ".".repeat(BAR - full - busy) + "] " + done
                + " of " + size + " tasks done, " + running + " running; jobs: " + (manager.pilotJobs() - queued)
                + " running, " + queued + " queued";
    }

    @Override
    public void message(String text) {}
}
