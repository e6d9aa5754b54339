package io.sheaf.slurm.whatif;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.DelegatingBackend;
import io.sheaf.runtime.past.QueueSnapshots;
import io.sheaf.sim.KnownQueue;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A back end on Slurm that tells its estimator what becomes of its pilot jobs, so that it learns. */
final class ForetoldBackend extends DelegatingBackend {
    /** The queue is looked at so often, where that is kept, so that it is known afterwards what others did. */
    private static final long LOOK = 60_000;

    private final SlurmEstimator estimator;
    private final QueueSnapshots sights;
    private final String run;
    private final Map<Long, Request> asked = new HashMap<>();
    private long now;
    private long lookedAt;

    /**
     * A back end with its estimator, which is closed with it.
     *
     * @param sights where it is kept what others did, which is closed with it
     * @param run by which its jobs' names begin
     */
    ForetoldBackend(Cluster inner, SlurmEstimator estimator, QueueSnapshots sights, String run, long now) {
        super(inner);
        this.estimator = estimator;
        this.sights = sights;
        this.run = run;
        this.now = now;
    }

    @Override
    public void submit(long token, Request request) {
        // A job that has to wait for an instant or another job tells nothing of the queue.
        boolean plain = request.notBefore() == Request.AT_ONCE && request.afterToken() == Request.NONE;
        if (plain && asked.putIfAbsent(token, request) == null) {
            estimator.asked(now, BatchControl.name(run, token), request.units(), request.walltime());
        }
        inner.submit(token, request);
    }

    @Override
    public long turn(long at, Consumer<Event> to) throws IOException {
        now = at;
        if (at - lookedAt >= LOOK && sights.wants(at)) {
            lookedAt = at;
            estimator.look(at);
        }
        return inner.turn(at, event -> {
            learn(event);
            to.accept(event);
        });
    }

    private void learn(Event event) {
        if (event instanceof Event.Accepted accepted && asked.containsKey(accepted.token())) {
            Request request = asked.get(accepted.token());
            estimator.accepted(
                    accepted.at(),
                    BatchControl.name(run, accepted.token()),
                    request == null ? 1 : request.units(),
                    request == null ? 1 : request.walltime());
        } else if (event instanceof Event.Started started) {
            estimator.started(started.at(), BatchControl.name(run, started.token()));
        } else if (event instanceof Event.Ended ended) {
            estimator.gone(BatchControl.name(run, ended.token()));
            asked.remove(ended.token());
        } else if (event instanceof Event.Refused refused) {
            estimator.gone(BatchControl.name(run, refused.token()));
            asked.remove(refused.token());
        }
    }

    /** Those that wait since before a restart teach as well. */
    @Override
    public void reconcile(Collection<Long> tokens) {
        tokens.forEach(token -> estimator.recall(BatchControl.name(run, token)));
        inner.reconcile(tokens);
    }

    @Override
    public @Nullable KnownQueue known() {
        return estimator.known(now, BatchControl.name(run, 0).replaceFirst("0$", ""));
    }

    @Override
    public long longest() {
        return estimator.longest(now);
    }

    @Override
    public StartEstimator estimator() {
        return estimator;
    }

    /** The same: of its oracles it asks the one that was right most often. */
    @Override
    public StartEstimator likely() {
        return estimator;
    }

    @Override
    public void close() {
        inner.close();
        estimator.close();
        sights.close();
    }
}
