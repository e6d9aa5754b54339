package io.sheaf.app.run;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.Expectations;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The display of a run in this process: lines, or a full-screen view on a terminal. */
final class RunDisplay implements RunListener, AutoCloseable {
    private static final int KEPT = 200;
    /** Messages that stay visible after the full-screen view is closed. */
    private static final int LEFT = 20;

    private static final long BETWEEN_NANOS = 250_000_000;

    private final String title;
    private final LongSupplier beginning;
    private final LongSupplier now;
    private final PrintWriter err;
    private final LastLines messages = new LastLines(KEPT);
    private final RunLines lines;
    private final @Nullable Terminal terminal;
    private final Expectations expectations = new Expectations();
    private Consumer<Manager> eachTurn = manager -> {};
    private long shownNanos;
    private boolean shown;
    private boolean closed;

    RunDisplay(
            String title,
            Workflow workflow,
            LongSupplier beginning,
            LongSupplier now,
            PrintWriter err,
            boolean screen) {
        this.title = title;
        this.beginning = beginning;
        this.now = now;
        this.err = err;
        terminal = screen ? new Terminal(err) : null;
        lines = new RunLines(workflow, beginning, now, screen ? new PrintWriter(messages) : err);
    }

    @Override
    public void begins(Manager manager) {
        lines.begins(manager);
    }

    @Override
    public void happened(Event event, Manager manager) {
        lines.happened(event, manager);
    }

    @Override
    public void started(long token, int node, int task, int attempt) {
        lines.started(token, node, task, attempt);
    }

    @Override
    public void ended(AttemptResult result) {
        lines.ended(result);
    }

    @Override
    public void decided(Decision decision, @Nullable Considerations considered, Manager manager) {
        expectations.decided(decision, considered);
        lines.decided(decision, considered, manager);
    }

    @Override
    public void message(String text) {
        lines.message(text);
    }

    /** Adds a listener that is called after each turn of the run loop. */
    void eachTurn(Consumer<Manager> listener) {
        eachTurn = eachTurn.andThen(listener);
    }

    @Override
    public void turned(Manager manager) {
        eachTurn.accept(manager);
        if (terminal != null && (!shown || System.nanoTime() - shownNanos >= BETWEEN_NANOS)) {
            shown = true;
            shownNanos = System.nanoTime();
            RunStatus status = RunStatus.of(manager, true, beginning.getAsLong(), now.getAsLong(), expectations);
            terminal.show(new RunScreen(title, status, messages.lines()));
        }
    }

    /** Restores the terminal and prints the last messages. */
    @Override
    public synchronized void close() {
        if (terminal != null && !closed) {
            closed = true;
            terminal.close();
            messages.lines().stream()
                    .skip(Math.max(0, messages.lines().size() - LEFT))
                    .forEach(err::println);
            err.flush();
        }
    }
}
