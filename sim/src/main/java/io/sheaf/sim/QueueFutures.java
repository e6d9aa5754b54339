package io.sheaf.sim;

import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.View;
import io.sheaf.workflow.Workflow;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The futures of a run in a simulated queue: what the log says of others' jobs to come is not looked at, but drawn.
 *
 * <p>A question is looked into piece by piece, as in a real run, where it takes some time: so no decision takes long.
 */
final class QueueFutures implements Futures {
    /** The effort for a piece: some 10 ms. */
    private static final long PIECE = 10_000;

    private final Supplier<KnownQueue> queue;
    private final ThoughtFutures thoughts;
    private @Nullable Question<?> asked;

    /** The futures of a run that begins at an instant. */
    QueueFutures(Supplier<KnownQueue> queue, long start, Workflow workflow, SimulationSetup setup) {
        this.queue = queue;
        thoughts = new ThoughtFutures(start, workflow, setup);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T find(View view, Function<Moment, Question<T>> question) {
        if (!(view instanceof Manager manager)) {
            throw new IllegalArgumentException("only a manager's run can be played on");
        }
        Question<T> open = asked == null
                ? question.apply(thoughts.copied(queue.get(), manager, Long.MAX_VALUE))
                : (Question<T>) asked;
        T found = open.goOn(PIECE);
        asked = found == null ? open : null;
        return found;
    }

    /** Thinking takes no time where that is simulated, but for the least that there is. */
    @Override
    public long pause() {
        return 1;
    }
}
