package io.sheaf.slurm.whatif;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Estimator;
import io.sheaf.runtime.Backend;
import io.sheaf.runtime.DelegatingBackend;
import io.sheaf.sim.KnownQueue;
import io.sheaf.slurm.JobScript;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A back end on Slurm that tells its estimator what becomes of its placeholders, so that it learns. */
final class ForetoldBackend extends DelegatingBackend {
    private final SlurmEstimator estimator;
    private final String run;
    private final Map<Long, Request> asked = new HashMap<>();
    private long now;

    /**
     * A back end with its estimator, which is closed with it.
     *
     * @param run by which its jobs' names begin
     */
    ForetoldBackend(Backend inner, SlurmEstimator estimator, String run, long now) {
        super(inner);
        this.estimator = estimator;
        this.run = run;
        this.now = now;
    }

    @Override
    public void submit(long token, Request request) {
        // A job that has to wait for an instant or another job tells nothing of the queue.
        boolean plain = request.notBefore() == Request.AT_ONCE && request.afterToken() == Request.NONE;
        if (plain && asked.putIfAbsent(token, request) == null) {
            estimator.asked(now, JobScript.name(run, token), request.units(), request.walltime());
        }
        inner.submit(token, request);
    }

    @Override
    public long turn(long at, Consumer<Event> to) throws IOException {
        now = at;
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
                    JobScript.name(run, accepted.token()),
                    request == null ? 1 : request.units(),
                    request == null ? 1 : request.walltime());
        } else if (event instanceof Event.Started started) {
            estimator.started(started.at(), JobScript.name(run, started.token()));
        } else if (event instanceof Event.Ended ended) {
            estimator.gone(JobScript.name(run, ended.token()));
            asked.remove(ended.token());
        } else if (event instanceof Event.Refused refused) {
            estimator.gone(JobScript.name(run, refused.token()));
            asked.remove(refused.token());
        }
    }

    /** Those that wait since before a restart teach as well. */
    @Override
    public void reconcile(Collection<Long> tokens) {
        tokens.forEach(token -> estimator.recall(JobScript.name(run, token)));
        inner.reconcile(tokens);
    }

    @Override
    public @Nullable KnownQueue known() {
        return estimator.known(now, JobScript.name(run, 0).replaceFirst("0$", ""));
    }

    @Override
    public Estimator estimator() {
        return estimator;
    }

    /** The same: of its oracles it asks the one that was right most often. */
    @Override
    public Estimator likely() {
        return estimator;
    }

    @Override
    public void close() {
        inner.close();
        estimator.close();
    }
}
