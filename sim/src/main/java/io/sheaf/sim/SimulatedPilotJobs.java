package io.sheaf.sim;

import io.sheaf.batch.Submission;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pilot jobs of a simulated run in its queue: carries out the manager's commands and reports the events. */
final class SimulatedPilotJobs implements SimulatedQueue.JobListener {
    /** A pilot job in the batch system: our token, its handle. */
    private static final class SubmittedPilotJob {
        final long token;
        final int handle;
        final Request request;
        boolean started;

        SubmittedPilotJob(long token, int handle, Request request) {
            this.token = token;
            this.handle = handle;
            this.request = request;
        }
    }

    private final SimulatedQueue queue;
    private final SimulationSetup.Dependencies dependencies;
    private final RunLedger ledger;
    private final EventDelivery post;
    private final @Nullable InjectedFaults faults;
    private final SimulatedQueue.JobListener background;
    private final Submission submission = new Submission();
    private final Map<Long, SubmittedPilotJob> jobs = new HashMap<>();
    private final Map<Integer, SubmittedPilotJob> byHandle = new HashMap<>();
    private final Set<Long> refused = new HashSet<>();
    /** Whether a command submitted, shortened or ended any since the simulation cleared this. */
    boolean moved;

    /**
     * Without jobs.
     *
     * @param background receives the reports on background jobs
     */
    SimulatedPilotJobs(
            SimulatedQueue queue,
            SimulationSetup.Dependencies dependencies,
            RunLedger ledger,
            EventDelivery post,
            @Nullable InjectedFaults faults,
            SimulatedQueue.JobListener background) {
        this.queue = queue;
        this.dependencies = dependencies;
        this.ledger = ledger;
        this.post = post;
        this.faults = faults;
        this.background = background;
    }

    /** Whether this pilot job exists and has not ended. */
    boolean has(long token) {
        return jobs.containsKey(token);
    }

    /** Continues with the jobs that a manager has in the queue. */
    void resume(Manager manager) {
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            int handle = queue.handle(p.token());
            if (handle >= 0) {
                add(p.token(), handle, p.request()).started = p.isRunning();
                ledger.submitted(p.token(), p.request(), p.submittedAt());
                if (p.startedAt() >= 0) {
                    ledger.started(p.token(), p.startedAt());
                }
            }
        }
    }

    /** Reports that all running ones have all their nodes. */
    void reportRunning() {
        for (SubmittedPilotJob job : List.copyOf(jobs.values())) {
            if (job.started) {
                post.send(new Event.Started(queue.now(), job.token, true));
            }
        }
    }

    private SubmittedPilotJob add(long token, int handle, Request request) {
        SubmittedPilotJob job = new SubmittedPilotJob(token, handle, request);
        jobs.put(token, job);
        byHandle.put(handle, job);
        return job;
    }

    void submit(long token, Request request) {
        if (ledger.contains(token) || refused.contains(token)) {
            return;
        }
        moved = true;
        int handle = faults != null && faults.refuses(token) ? -1 : queue.submit(token, submission(request));
        if (handle < 0) {
            refused.add(token);
            ledger.refused(token, request, queue.now());
            post.send(new Event.Refused(queue.now(), token, "the cluster refuses it"));
            return;
        }
        add(token, handle, request);
        ledger.submitted(token, request, queue.now());
        post.send(new Event.Accepted(queue.now(), token));
        if (faults != null) {
            faults.submitted(token, request, queue.now());
        }
    }

    private Submission submission(Request request) {
        SimulatedQueue.fill(submission, request);
        SubmittedPilotJob before = jobs.get(request.afterToken());
        if (before != null && dependencies == SimulationSetup.Dependencies.RESERVING) {
            submission.reservingAfter(before.handle);
        } else if (before != null) {
            submission.eligibleAfter(before.handle);
        }
        return submission;
    }

    void shorten(long token, long walltime) {
        SubmittedPilotJob job = jobs.get(token);
        if (job != null && !job.started && walltime < queue.engine().walltime(job.handle)) {
            moved = true;
            queue.shorten(job.handle, walltime);
            ledger.shortened(token, walltime);
        }
    }

    /** Ends a job for another reason than its walltime. */
    void end(long token, Event.End end) {
        SubmittedPilotJob job = jobs.remove(token);
        if (job == null) {
            return;
        }
        byHandle.remove(job.handle);
        moved = true;
        if (end == Event.End.RELEASED) {
            queue.complete(job.handle);
        } else {
            queue.cancel(job.handle);
        }
        ledger.ended(token, queue.now(), end);
        post.send(new Event.Ended(queue.now(), token, end));
    }

    @Override
    public void started(int handle) {
        SubmittedPilotJob job = byHandle.get(handle);
        if (job == null) {
            return;
        }
        job.started = true;
        ledger.started(job.token, queue.now());
        post.send(new Event.Started(queue.now(), job.token, faults == null));
        if (faults != null) {
            faults.started(job.token, job.request, queue.now());
            for (int node = 0; node < job.request.units() && !faults.isSilent(job.token); node++) {
                post.send(new Event.NodeUp(queue.now(), job.token, node));
            }
        }
    }

    @Override
    public void expired(int handle) {
        SubmittedPilotJob job = byHandle.remove(handle);
        if (job != null) {
            jobs.remove(job.token);
            ledger.ended(job.token, queue.now(), Event.End.EXPIRED);
            post.send(new Event.Ended(queue.now(), job.token, Event.End.EXPIRED));
        }
    }

    @Override
    public void backgroundStarted(int job, long at) {
        background.backgroundStarted(job, at);
    }

    @Override
    public void backgroundLeft(int job, long at, JobOutcome outcome) {
        background.backgroundLeft(job, at, outcome);
    }
}
