package io.sheaf.slurm.whatif;

import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.OwnPriorities;
import io.sheaf.runtime.batch.QueueForecast;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.past.QueueSnapshots;
import io.sheaf.sim.KnownQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The start-time estimates of a run on Slurm. It reports the events of the run's jobs to the {@link SlurmEstimator},
 * which learns from them.
 */
public final class SlurmForecast implements QueueForecast {
    /** The interval of queue snapshots that a run keeps, in milliseconds. */
    private static final long INTERVAL = 60_000;

    private final SlurmEstimator estimator;
    private final QueueSnapshots snapshots;
    private final String run;
    private final Map<Long, Request> requests = new HashMap<>();
    private final Map<Long, Long> started = new HashMap<>();
    private final Pools pools;
    private final Preemptions preemptions;
    private final List<Event> learnt = new ArrayList<>();
    private long now;
    private long readAt;

    /**
     * The forecast of a run, to be closed with it.
     *
     * @param user the owner of the run's jobs
     * @param learnt the folder of recorded predictions, with a subfolder per user and cluster
     */
    public SlurmForecast(
            CommandRunner commands,
            String user,
            Path learnt,
            Submissions submissions,
            String run,
            ClusterAccess.Context around) {
        this.run = run;
        pools = submissions.pools();
        preemptions = new Preemptions(learnt);
        now = around.clock().millis();
        snapshots = new QueueSnapshots(around.own());
        OwnPriorities priorities = new OwnPriorities(around.own());
        estimator = new SlurmEstimator(
                commands,
                user,
                submissions,
                learnt,
                token -> BatchCommands.name(run, token),
                snapshot -> BackgroundJobs.store(snapshot, submissions, BatchCommands.prefix(run), snapshots),
                (job, as) -> priorities.predicted(BatchCommands.token(run, job), as),
                (job, priority) -> priorities.observed(BatchCommands.token(run, job), priority));
    }

    @Override
    public void submitting(long token, Request request) {
        // A job with a start time or a dependency says nothing about the queue.
        boolean plain = request.notBefore() == Request.AT_ONCE && request.afterToken() == Request.NONE;
        if (plain && requests.putIfAbsent(token, request) == null) {
            estimator.submitting(now, BatchCommands.name(run, token), request);
        }
    }

    @Override
    public void turn(long at) {
        now = at;
        if (at - readAt >= INTERVAL && snapshots.isDue(at)) {
            readAt = at;
            estimator.refresh(at);
        }
    }

    @Override
    public void happened(Event event) {
        if (event instanceof Event.Accepted accepted) {
            Request request = requests.get(accepted.token());
            if (request != null) {
                estimator.accepted(accepted.at(), BatchCommands.name(run, accepted.token()), request);
            }
        } else if (event instanceof Event.Started start) {
            started.putIfAbsent(start.token(), start.at());
            estimator.started(start.at(), BatchCommands.name(run, start.token()));
        } else if (event instanceof Event.Ended ended) {
            estimator.removed(BatchCommands.name(run, ended.token()));
            noteEnd(ended, requests.remove(ended.token()), started.remove(ended.token()));
        } else if (event instanceof Event.Refused refused) {
            estimator.removed(BatchCommands.name(run, refused.token()));
            requests.remove(refused.token());
        }
    }

    /** Learns from a job in a preemptible partition. */
    private void noteEnd(Event.Ended ended, @Nullable Request request, @Nullable Long start) {
        Pool pool = request == null || request.pool() == Pools.ANY ? null : pools.pool(request.pool());
        if (pool != null && start != null && pool.isPreemptible()) {
            String partition = SlurmPools.partition(pool);
            preemptions.ended(partition, ended.at() - start, ended.how() == Event.End.PREEMPTED);
            for (int number = 1; number <= pools.count(); number++) {
                if (SlurmPools.partition(pools.pool(number)).equals(partition)) {
                    learnt.add(new Event.Preemptible(ended.at(), number, preemptions.mean(partition)));
                }
            }
        }
    }

    @Override
    public List<Event> learnt() {
        List<Event> all = List.copyOf(learnt);
        learnt.clear();
        return all;
    }

    /** Also learns from jobs that were queued before a restart. */
    @Override
    public void reconcile(Collection<Long> tokens) {
        tokens.forEach(token -> estimator.recall(BatchCommands.name(run, token)));
    }

    @Override
    public @Nullable KnownQueue known() {
        return estimator.known(now, BatchCommands.prefix(run));
    }

    @Override
    public @Nullable String failure(long at) {
        return estimator.failure(at);
    }

    @Override
    public long longest() {
        return estimator.longest(now);
    }

    @Override
    public StartEstimator estimator() {
        return estimator;
    }

    @Override
    public void close() {
        estimator.close();
        snapshots.close();
    }
}
