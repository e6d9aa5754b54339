package io.sheaf.sim;

import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.View;
import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The futures of a run in a simulated queue: what the log says of others' jobs to come is not looked at, but drawn. */
final class QueueFutures implements Futures {
    private static final long DAY = 86_400_000;
    private static final int TIMES = 3;

    private final Supplier<KnownQueue> queue;
    private final WorkflowSimulation.Setup setup;
    private final DrawnOthers others;

    /** The futures of a run that begins at an instant. */
    QueueFutures(Supplier<KnownQueue> queue, long start, Workflow workflow, WorkflowSimulation.Setup setup) {
        this.queue = queue;
        this.setup = setup;
        others = others(start, workflow);
    }

    /** What others may do, keyed by the run and the purpose; drawn for some days and some times as long as the workflow would take by itself. */
    static DrawnOthers others(long start, Workflow workflow) {
        RandomStream random = new RandomStream(start).split(workflow.name()).split("futures");
        return new DrawnOthers(random, TIMES * (DAY + workflow.criticalPathMicros() / 1000));
    }

    @Override
    public <T> @Nullable T find(View view, Function<Moment, T> question) {
        if (!(view instanceof Manager manager)) {
            throw new IllegalArgumentException("only a manager's run can be played on");
        }
        return question.apply(new ThoughtMoment(queue.get(), manager, setup, others));
    }
}
