package io.sheaf.app.run;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.Expectations;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.run.WorkflowRun;
import java.io.PrintWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The display of a run in this process: lines, or a full-screen view on a terminal. */
final class RunDisplay extends RunLines implements AutoCloseable {
    private static final int KEPT = 200;
    /** Messages that stay visible after the full-screen view is closed. */
    private static final int LEFT = 20;

    private static final long BETWEEN_NANOS = 250_000_000;

    private final String title;
    private final WorkflowRun run;
    private final PrintWriter err;
    private final LastLines messages;
    private final @Nullable Terminal terminal;
    private final Expectations expectations = new Expectations();
    private Consumer<Manager> eachTurn = manager -> {};
    private long shownNanos;
    private boolean shown;
    private boolean closed;

    RunDisplay(String title, WorkflowRun run, PrintWriter err, boolean screen) {
        this(title, run, err, screen, new LastLines(KEPT));
    }

    private RunDisplay(String title, WorkflowRun run, PrintWriter err, boolean screen, LastLines messages) {
        super(run.workflow(), run::begunAt, run::now, screen ? new PrintWriter(messages) : err);
        this.title = title;
        this.run = run;
        this.err = err;
        this.messages = messages;
        terminal = screen ? new Terminal(err) : null;
    }

    @Override
    public void decided(Decision decision, @Nullable Considerations considered, Manager manager) {
        expectations.decided(decision, considered);
        super.decided(decision, considered, manager);
    }

    /** Adds a listener that is called after each turn of the run loop. */
    void eachTurn(Consumer<Manager> listener) {
        eachTurn = eachTurn.andThen(listener);
    }

    @Override
    public void turned(Manager manager) {
        super.turned(manager);
        eachTurn.accept(manager);
        if (terminal != null && (!shown || System.nanoTime() - shownNanos >= BETWEEN_NANOS)) {
            shown = true;
            shownNanos = System.nanoTime();
            RunStatus status = RunStatus.of(manager, true, run.begunAt(), run.now(), expectations);
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
