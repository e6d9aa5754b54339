package io.sheaf.sim;

import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import java.util.HashMap;
import java.util.Map;

/** A run at an instant, which is played on in thought as often as wished: by a fork of its manager in a fork of its queue, with others as drawn and tasks as expected. */
final class ThoughtMoment implements Futures.Moment {
    private final KnownQueue queue;
    private final Manager manager;
    private final SimulationSetup setup;
    private final DrawnOthers others;
    private final Map<Integer, SimulatedQueue> drawn = new HashMap<>();
    private final long nanos;
    private long deadline;
    private boolean begun;

    ThoughtMoment(KnownQueue queue, Manager manager, SimulationSetup setup, DrawnOthers others, long nanos) {
        this.nanos = nanos;
        this.queue = queue;
        this.manager = manager;
        this.others = others;
        this.setup = new SimulationSetup(
                        setup.profile(), setup.coresPerNode(), setup.cap(), TaskTimes.AS_EXPECTED, false)
                .with(setup.dependencies());
    }

    @Override
    public Futures.Play play(Strategy strategy, Memo memo, int future, long until) {
        if (!begun) {
            begun = true;
            deadline = nanos == Long.MAX_VALUE ? 0 : System.nanoTime() + nanos;
        }
        SimulatedQueue thought = drawn.computeIfAbsent(future, this::drawn).fork();
        AskedEstimator estimator = new AskedEstimator(new EngineEstimator(thought.engine(), thought::handle));
        return new ThoughtPlay(
                thought, manager.fork(strategy, memo, estimator), setup, until, estimator, this::isOutOfTime);
    }

    @Override
    public boolean isOutOfTime() {
        return begun && nanos != Long.MAX_VALUE && System.nanoTime() - deadline >= 0;
    }

    /** A queue as it may become, with all jobs of ours in it: the batch system may have been looked at before it had them. */
    private SimulatedQueue drawn(int future) {
        SimulatedQueue thought = others.queue(queue, future);
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            if (thought.handle(p.token()) < 0 && !p.isEnding()) {
                thought.enter(p.token(), p.request(), p.isRunning() ? p.startedAt() : SimulatedQueue.QUEUED);
            }
        }
        return thought;
    }
}
