package io.sheaf.runtime.batch;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.JobShapes;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.KnownQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Start-time estimates of a run from the newest {@link QueueSnapshot}, simulated by the batch engine. One query every
 * 30 s serves all processes of a user.
 *
 * <p>Queries run in the background; only the first answer is awaited, for a short time. Until then, estimates are
 * unknown. Jobs of the run that are newer than the snapshot are added at the end of the queue. Thread-safe.
 */
public final class SnapshotForecast implements QueueForecast, StartEstimator {
    /** Reads the queue of all users of a batch system. */
    public interface SnapshotSource {
        /** The batch system's output about its nodes and all jobs. */
        String print(long now) throws IOException, InterruptedException;

        SnapshotQueue parse(String text, long now);

        /** The partition or queue, for display. */
        String place();

        /** How long a job of a requested walltime occupies its nodes at most, in milliseconds. */
        long occupied(long walltime);

        /** The memory that a job requests on a node for the memory of its tasks, in bytes; 0 if it requests none. */
        default long memory(long ofTasks) {
            return 0;
        }
    }

    /**
     * A queue.
     *
     * @param snapshot the jobs of the run have their tokens
     * @param fillsIdle whether a job starts at once if enough nodes are idle, whatever is queued before it
     */
    public record SnapshotQueue(QueueSnapshot snapshot, boolean fillsIdle) {
        /**
         * Whether a job starts at once, whatever is queued before it.
         *
         * @param engine the loaded snapshot
         * @param memory that the job requests on each node, in bytes
         */
        boolean startsAtOnce(BatchEngine engine, int units, long memory) {
            return fillsIdle && memory == 0 && units <= engine.idle();
        }
    }

    private final SnapshotSource source;
    private final SharedAnswer answer;
    private final NewestAnswer<SnapshotQueue> newest =
            new NewestAnswer<>(this::read, work -> DaemonThread.start("queue snapshot", work::run));
    private final Map<Long, Request> own = new HashMap<>();
    private final Map<Long, Integer> handles = new HashMap<>();
    private @Nullable SnapshotQueue loaded;
    private @Nullable BatchEngine engine;
    private long latest;

    /**
     * The estimates of a run.
     *
     * @param file the file with the newest output, which all processes of the user share
     * @param interval the interval of queries that the user set, in milliseconds
     */
    public SnapshotForecast(SnapshotSource source, Path file, int interval) {
        this.source = source;
        answer = new SharedAnswer(file, Math.max(interval, NewestAnswer.APART));
    }

    private @Nullable SnapshotQueue read(long now) throws IOException, InterruptedException {
        SharedAnswer.Answer shared = answer.current(() -> source.print(now));
        return shared == null ? null : source.parse(shared.text(), now);
    }

    @Override
    public StartEstimator estimator() {
        return this;
    }

    @Override
    public @Nullable String failure(long now) {
        return newest.failure(now);
    }

    @Override
    public synchronized Basis basis() {
        return engine == null ? Basis.NONE : Basis.SIMULATED;
    }

    @Override
    public synchronized void estimate(StartQuery query, StartTimes starts) {
        SnapshotQueue queue = load(query.now());
        BatchEngine loadedEngine = engine;
        long[] out = starts.begin(query, basis());
        if (queue == null || loadedEngine == null) {
            starts.fill(query.isWithQueued() ? StartTimes.NEVER : query.now());
            return;
        }
        long memory = source.memory(query.memory());
        JobShapes shapes = new JobShapes().needing(memory);
        for (int i = 0; i < query.jobs(); i++) {
            shapes.add(Pools.ANY, query.units(i), source.occupied(query.walltime(i)));
        }
        if (query.isWithQueued()) {
            int[] queued = new int[query.queued()];
            Arrays.setAll(queued, i -> handles.getOrDefault(query.token(i), -1));
            int cancelled = handles.getOrDefault(query.cancelled(), -1);
            loadedEngine.expect(latest, cancelled, queued, queued.length, shapes, out);
        } else {
            loadedEngine.estimate(latest, shapes, out);
        }
        for (int i = 0; i < query.jobs(); i++) {
            if (queue.startsAtOnce(loadedEngine, query.units(i), memory)) {
                starts.job(i, latest);
            }
        }
    }

    /** Loads the newest snapshot into the engine; null if there is none. */
    @SuppressWarnings("ReferenceEquality")
    private @Nullable SnapshotQueue load(long now) {
        SnapshotQueue read = newest.newest(now);
        if (read == null) {
            engine = null;
        } else if (read != loaded || engine == null) {
            latest = Math.max(now, read.snapshot.at());
            QueueSnapshot.Loaded queue = read.snapshot.load();
            engine = queue.engine();
            handles.clear();
            for (int i = 0; i < read.snapshot.jobs().size(); i++) {
                QueueSnapshot.Job job = read.snapshot.jobs().get(i);
                if (job.isOwn() && queue.handle(i) >= 0) {
                    handles.put(job.token(), queue.handle(i));
                }
            }
            own.forEach(this::add);
        }
        loaded = read;
        latest = Math.max(latest, now);
        return read;
    }

    /** Adds a job of the run at the end of the queue, unless the queue has it. */
    private void add(long token, Request request) {
        BatchEngine queue = engine;
        if (queue != null && request.units() <= queue.size() && !handles.containsKey(token)) {
            Submission job = Submission.of(request.units(), source.occupied(request.walltime()))
                    .memory(source.memory(request.node().memory()))
                    .notBefore(request.notBefore());
            int after = handles.getOrDefault(request.afterToken(), -1);
            if (after >= 0 && queue.policy().depth() == Policy.CONSERVATIVE) {
                job.reservingAfter(after);
            } else if (after >= 0) {
                job.eligibleAfter(after);
            }
            handles.put(token, queue.submit(latest, job));
        }
    }

    @Override
    public synchronized void submitting(long token, Request request) {
        own.putIfAbsent(token, request);
        add(token, request);
    }

    @Override
    public synchronized void happened(Event event) {
        if (event instanceof Event.Started started) {
            own.remove(started.token());
        } else if (event instanceof Event.Ended ended) {
            forget(ended.token());
        } else if (event instanceof Event.Refused refused) {
            forget(refused.token());
        }
    }

    private void forget(long token) {
        own.remove(token);
        Integer handle = handles.remove(token);
        BatchEngine queue = engine;
        if (queue != null && handle != null && handle >= 0) {
            queue.cancel(handle, latest);
        }
    }

    @Override
    public synchronized @Nullable KnownQueue known() {
        SnapshotQueue read = loaded;
        if (read == null) {
            return null;
        }
        QueueSnapshot all = read.snapshot;
        QueueSnapshot background = new QueueSnapshot(
                all.at(),
                all.capacity(),
                all.jobs().stream().filter(job -> !job.isOwn()).toList(),
                all.reservations());
        JobLog none = JobLog.builder().build();
        return new KnownQueue(background.load().engine(), latest, Map.of(), none, 0, handle -> -1);
    }
}
