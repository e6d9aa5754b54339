package io.sheaf.strategy;

import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The pilot jobs of a run as {@link Auto} plans them at one instant, in order of submission: running, queued, and to be submitted.
 *
 * <p>A plan also names the {@link Fallback}. Immutable; each change returns another plan.
 */
final class Plan {
    /** The state of a job at the instant of the plan. */
    enum State {
        /** Runs no task. */
        IDLE,
        /** Runs tasks. */
        BUSY,
        /** Submitted; the batch system has not answered yet. */
        SUBMITTED,
        /** In the batch system's queue. */
        QUEUED,
        /** Not submitted yet. */
        NEW
    }

    /**
     * A job of a plan.
     *
     * @param token {@link #NO_TOKEN} if it is not submitted yet
     * @param submittedAt when it was submitted, in milliseconds
     * @param estimate when it started, or is estimated to start if the jobs before it use their walltimes; never if {@link Rollout#NEVER} or later
     * @param start when the plan starts it: at that instant, or earlier if it is a {@linkplain #withSuccessor successor}
     * @param draining whether it takes no more tasks
     * @param cancelled whether it is to be cancelled
     */
    record Job(
            long token,
            State state,
            Request request,
            long submittedAt,
            long estimate,
            long start,
            boolean draining,
            boolean cancelled) {
        static final long NO_TOKEN = -2;

        /** A job that is running or queued. */
        static Job of(PilotJob p, long start) {
            State waiting = p.isAccepted() ? State.QUEUED : State.SUBMITTED;
            State running = p.runningTasks() > 0 ? State.BUSY : State.IDLE;
            State state = p.isQueued() ? waiting : running;
            return new Job(p.token(), state, p.request(), p.submittedAt(), start, start, p.isDraining(), false);
        }

        /** A job that might be submitted. */
        static Job toSubmit(int nodes, long walltime, long start) {
            return toSubmit(Request.of(nodes, walltime), start);
        }

        static Job toSubmit(Request request, long start) {
            return new Job(NO_TOKEN, State.NEW, request, start, start, start, false, false);
        }

        int nodes() {
            return request.units();
        }

        long walltime() {
            return request.walltime();
        }

        int pool() {
            return request.pool();
        }

        /** When its walltime ends. */
        long limit() {
            return start + request.walltime();
        }

        boolean isRunning() {
            return state == State.IDLE || state == State.BUSY;
        }

        /** Whether it waits in the queue and stays there. */
        boolean isQueued() {
            return !cancelled && (state == State.SUBMITTED || state == State.QUEUED);
        }

        /** Whether it may start only when another job has ended. */
        boolean isSuccessor() {
            return request.afterToken() >= 0;
        }

        Job startingAt(long other) {
            return new Job(token, state, request, submittedAt, other, other, draining, cancelled);
        }

        private Job startingEarly(long other) {
            return new Job(token, state, request, submittedAt, estimate, other, draining, cancelled);
        }

        Job draining(boolean drains) {
            return new Job(token, state, request, submittedAt, estimate, start, drains, cancelled);
        }

        Job cancel() {
            return new Job(token, state, request, submittedAt, estimate, start, draining, true);
        }
    }

    /**
     * A chain of equal jobs for the tasks that the jobs of a plan leave, submitted when these have nothing more to do. Where walltimes are not limited, the chain is one
     * job. Each further job is submitted when the one before it starts, so its queue wait is hidden behind that one.
     *
     * @param delay how long after its submission the first job starts, in milliseconds
     * @param walltime of each job, in milliseconds; {@link Long#MAX_VALUE} if it is not limited
     * @param queueWait of the further jobs, in milliseconds
     */
    record Fallback(int nodes, long delay, long walltime, long queueWait) {
        /** One job without a limit of its walltime. */
        static Fallback of(int nodes, long delay) {
            return new Fallback(nodes, delay, Long.MAX_VALUE, 0);
        }
    }

    private final Job[] jobs;
    final Fallback fallback;

    private Plan(Job[] jobs, Fallback fallback) {
        this.jobs = jobs;
        this.fallback = fallback;
    }

    /** A plan without jobs. */
    static Plan empty(Fallback fallback) {
        return new Plan(new Job[0], fallback);
    }

    int size() {
        return jobs.length;
    }

    Job job(int i) {
        return jobs[i];
    }

    Stream<Job> jobs() {
        return Arrays.stream(jobs);
    }

    /** The plan with one more job, behind the others. */
    Plan with(Job job) {
        Job[] more = Arrays.copyOf(jobs, jobs.length + 1);
        more[jobs.length] = job;
        return new Plan(more, fallback);
    }

    /** The plan with another job in place of the i-th. */
    Plan with(int i, Job job) {
        Job[] changed = jobs.clone();
        changed[i] = job;
        return new Plan(changed, fallback);
    }

    /** The plan in which the i-th job takes no more tasks. */
    Plan draining(int i) {
        return with(i, jobs[i].draining(true));
    }

    /** The plan in which the i-th job takes tasks. */
    Plan taking(int i) {
        return with(i, jobs[i].draining(false));
    }

    /** The plan in which the i-th job is cancelled. */
    Plan cancelling(int i) {
        return with(i, jobs[i].cancel());
    }

    /**
     * The plan in which the i-th job, if it is a successor, starts when its predecessor has nothing more to run: then the predecessor is cancelled, while estimates assume that it uses its walltime.
     * The successor waits for nodes as long after that as after the end of the walltime.
     *
     * @param result of this plan
     */
    Plan withSuccessor(int i, Rollout.Result result, long now) {
        Job job = jobs[i];
        int p = job.isQueued() && job.isSuccessor() ? find(job.request.afterToken()) : -1;
        if (p < 0) {
            return this;
        }
        long wait = Math.max(0, job.estimate - jobs[p].estimate - jobs[p].walltime());
        long end = jobs[p].cancelled ? now : Math.max(now, result.lastEnd(p));
        long start = Math.min(job.estimate, end + wait);
        return start == job.start ? this : with(i, job.startingEarly(start));
    }

    private int find(long token) {
        int i = jobs.length - 1;
        while (i >= 0 && jobs[i].token != token) {
            i--;
        }
        return i;
    }

    /** The tokens of the jobs that are queued and stay so, in order of submission. */
    long[] queuedTokens() {
        return jobs().filter(Job::isQueued).mapToLong(Job::token).toArray();
    }

    /** The first estimated start of a queued job that stays; {@link Long#MAX_VALUE} if there is none. */
    long firstQueuedStart() {
        return jobs().filter(Job::isQueued).mapToLong(Job::start).min().orElse(Long.MAX_VALUE);
    }

    /** When the first of the queued jobs was submitted; {@link Long#MAX_VALUE} if there is none. */
    long firstSubmission() {
        return jobs().filter(Job::isQueued).mapToLong(Job::submittedAt).min().orElse(Long.MAX_VALUE);
    }

    /** Whether a job that waits in the queue is to be cancelled. */
    boolean cancelsQueued() {
        return Arrays.stream(jobs).anyMatch(job -> job.cancelled && !job.isRunning());
    }

    /** Whether an idle job that started after an instant is to be cancelled. */
    boolean cancelsUnused(long since) {
        return Arrays.stream(jobs).anyMatch(job -> job.cancelled && job.state == State.IDLE && job.start > since);
    }

    /** Whether the batch system has not answered a submission. */
    boolean isAnyUnanswered() {
        return jobs().anyMatch(job -> job.state == State.SUBMITTED);
    }

    boolean hasRunning() {
        return Arrays.stream(jobs).anyMatch(Job::isRunning);
    }

    /** Whether a job is to be submitted. */
    boolean submits() {
        return submissions() > 0;
    }

    /** Whether a job is to be submitted that starts after an instant. */
    boolean submitsForLater(long now) {
        return Arrays.stream(jobs).anyMatch(job -> job.state == State.NEW && job.start > now);
    }

    /** The number of jobs to be submitted. */
    int submissions() {
        return (int) Arrays.stream(jobs).filter(job -> job.state == State.NEW).count();
    }

    @Override
    public String toString() {
        return Arrays.toString(jobs);
    }
}
