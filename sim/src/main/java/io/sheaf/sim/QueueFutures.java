package io.sheaf.sim;

import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.View;
import io.sheaf.workflow.Workflow;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The futures of a run in a simulated queue: what the log says of others' jobs to come is not looked at, but drawn. */
final class QueueFutures implements Futures {
    private final Supplier<KnownQueue> queue;
    private final ThoughtFutures thoughts;

    /** The futures of a run that begins at an instant. */
    QueueFutures(Supplier<KnownQueue> queue, long start, Workflow workflow, SimulationSetup setup) {
        this.queue = queue;
        thoughts = new ThoughtFutures(start, workflow, setup);
    }

    @Override
    public <T> @Nullable T find(View view, Function<Moment, T> question) {
        if (!(view instanceof Manager manager)) {
            throw new IllegalArgumentException("only a manager's run can be played on");
        }
        return question.apply(thoughts.moment(queue.get(), manager));
    }
}
