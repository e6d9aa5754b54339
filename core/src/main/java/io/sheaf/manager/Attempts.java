package io.sheaf.manager;

import io.sheaf.workflow.Retry;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Handles attempts of tasks: starts them on free cores, commits results and schedules retries. */
record Attempts(ManagedRun run) {
    static final int ALL_NODES = -1;
    private static final int ANY_LEVEL = -1;

    private static final Comparator<PilotJob> MOST_TIME_FIRST =
            Comparator.comparingLong(PilotJob::limit).reversed();

    /** Stands for the time of an attempt that was not cut off. */
    private static final long NOT_CUT = -1;

    /** Handles the end of an attempt. Returns its pilot job, or null if the attempt was not running. */
    @Nullable
    PilotJob ended(Event.TaskEnded event, Effects out) {
        int task = event.task();
        RunningAttempt attempt = run.binding.running(task);
        if (attempt != null && attempt.number == event.attempt()) {
            ended(attempt, event, out);
            return attempt.in;
        }
        if (event.outcome() == Event.Outcome.SUCCEEDED && countsLate(task, event.attempt())) {
            if (attempt != null) {
                out.stop(attempt.in.token, task, attempt.number);
            }
            run.progress.done(task, event.attempt());
            run.changed = true;
            fillAll(out);
        }
        return null;
    }

    /** Whether the success of an attempt that was considered lost is committed. */
    private boolean countsLate(int task, int attempt) {
        if (task < 0 || task >= run.workflow.size() || run.progress.isFinal(task)) {
            return false;
        }
        int last = run.progress.attempts(task);
        return attempt == last || (attempt >= 1 && attempt < last && !run.rules.sharedFiles);
    }

    private void ended(RunningAttempt attempt, Event.TaskEnded event, Effects out) {
        int task = event.task();
        Event.Outcome outcome = event.outcome();
        PilotJob p = attempt.in;
        run.binding.releaseCores(task, attempt);
        if (!run.progress.isFinal(task)) {
            boolean sinceStart = event.took() == Event.TaskEnded.SINCE_START;
            long millis = sinceStart ? run.now - attempt.startedAt : event.took();
            long declaredMillis = run.workflow.onDeclared(task, attempt.needs, millis);
            if (outcome == Event.Outcome.SUCCEEDED) {
                run.progress.done(task, attempt.number);
                run.progress.needs.addRunTime(task, declaredMillis);
                succeeded(attempt, task);
            } else {
                if (outcome == Event.Outcome.PREEMPTED) {
                    run.progress.preempted(task);
                }
                Retry retry = run.workflow.retry(task);
                boolean grown = outcome == Event.Outcome.OUT_OF_MEMORY
                        && retry.onMemory()
                        && run.progress.needs.outOfMemory(task);
                // A task's own rule for memory has a number of retries; the run's rule is bounded by the largest node.
                boolean free = grown && retry.memoryPercent() == 0;
                boolean longer = outcome == Event.Outcome.TIME_LIMIT && retry.onLimit();
                boolean node = retry.onFailure() && mayBeNodeFailure(attempt, task, outcome, declaredMillis);
                boolean retried = outcome.isPermanent() ? grown || longer : retry.onFailure() || !outcome.isFailure();
                if (!retried && !node) {
                    fail(task);
                } else {
                    retry(
                            task,
                            outcome.isFailure() && !free && !node,
                            outcome == Event.Outcome.CUT_OFF ? declaredMillis : NOT_CUT);
                }
            }
        }
        p.preempted |= outcome == Event.Outcome.PREEMPTED;
        p.closing |= outcome == Event.Outcome.CUT_OFF || outcome == Event.Outcome.PREEMPTED;
        run.changed = true;
        if (p.claim.sameLevelFirst() || !run.hasUncertainTimes()) {
            fill(p, p.claim.sameLevelFirst() ? run.workflow.level(task) : ANY_LEVEL, out);
        }
        fillAll(out);
    }

    /** Counts a success for its node. */
    private void succeeded(RunningAttempt attempt, int task) {
        String host = attempt.nodes.length == 1 ? attempt.in.host(attempt.nodes[0]) : null;
        if (host != null) {
            boolean decides = run.health.hasOpen();
            run.health.succeeded(host, task, run.workflow.category(task).name(), run.now);
            if (decides) {
                avoid();
            }
        }
    }

    /** Whether a failure may have been the fault of its node, so that the task gets an attempt on another node that does not count; at most once for a task. */
    private boolean mayBeNodeFailure(RunningAttempt attempt, int task, Event.Outcome outcome, long declaredMillis) {
        String host = attempt.nodes.length == 1 ? attempt.in.host(attempt.nodes[0]) : null;
        if (host == null || (outcome != Event.Outcome.FAILED && outcome != Event.Outcome.NOT_RUNNABLE)) {
            return false;
        }
        boolean mayBeNode =
                run.health.failed(host, task, run.workflow.category(task).name(), declaredMillis, run.hostsUp());
        avoid();
        return mayBeNode && run.progress.failures(task) == 0;
    }

    /** Updates which nodes of running pilot jobs take tasks. */
    void avoid() {
        if (run.health.isEmpty()) {
            return;
        }
        Set<String> avoided = run.health.avoided(run.hostsUp());
        for (PilotJob p : run.pilotJobs) {
            for (int node = 0; node < p.freeCores.length; node++) {
                String host = p.host(node);
                p.avoid(node, host != null && avoided.contains(host));
            }
        }
    }

    /** Makes a task ready again after an unsuccessful attempt, if the rules permit a retry. */
    private void retry(int task, boolean itsFault, long cutAfter) {
        TaskProgress progress = run.progress;
        Rules rules = run.rules;
        boolean retried = itsFault
                ? progress.failure(task) <= run.workflow.retries(task)
                : progress.losses(task) <= rules.maxLosses;
        if (cutAfter != NOT_CUT && rules.maxTimeouts > 0) {
            retried &= progress.needs.timeouts.add(task, cutAfter) <= rules.maxTimeouts;
        }
        if (retried) {
            progress.lost(task);
            run.reruns++;
        } else {
            fail(task);
        }
    }

    private void fail(int task) {
        run.progress.failed(task);
        run.failures++;
    }

    /**
     * Makes the tasks of an ended pilot job, or of one of its nodes, ready again. Returns whether there were any.
     *
     * @param node the lost node; {@link #ALL_NODES} if the pilot job has ended
     */
    boolean endAttempts(PilotJob p, int node, Event.End end, Effects out) {
        Binding binding = run.binding;
        boolean cut = false;
        for (int task = binding.nextIn(p, node, -1); task >= 0; task = binding.nextIn(p, node, task)) {
            RunningAttempt attempt = binding.running(task);
            if (attempt == null) {
                continue;
            }
            binding.releaseCores(task, attempt);
            if (node >= 0 && attempt.nodes.length > 1) {
                // The attempt may still run on other nodes.
                out.stop(p.token, task, attempt.number);
            }
            if (!run.progress.isFinal(task)) {
                if (end == Event.End.PREEMPTED) {
                    run.progress.preempted(task);
                }
                long declaredMillis = run.workflow.onDeclared(task, attempt.needs, run.now - attempt.startedAt);
                retry(task, false, end == Event.End.EXPIRED ? declaredMillis : NOT_CUT);
                cut = true;
            }
        }
        return cut;
    }

    /** Holds tasks or resumes them. */
    void hold(Event.Held event) {
        run.progress.hold(first(event.first()), behind(event.first(), event.count()), event.held());
        run.changed = true;
    }

    /** Drops tasks. Cores of running attempts become free when the attempts end. */
    void drop(Event.Dropped event, Effects out) {
        for (int task = first(event.first()); task < behind(event.first(), event.count()); task++) {
            RunningAttempt attempt = run.binding.running(task);
            if (!run.progress.isFinal(task)) {
                run.progress.skip(task);
                if (attempt != null) {
                    out.stop(attempt.in.token, task, attempt.number);
                }
            }
        }
        run.changed = true;
    }

    private static int first(int task) {
        return Math.max(0, task);
    }

    private int behind(int task, int count) {
        return (int) Math.min(run.workflow.size(), (long) task + count);
    }

    /** Binds tasks to the free cores of all pilot jobs. */
    void fillAll(Effects out) {
        // Tasks that were left for free cores near their inputs may not have fitted there, so that others may take
        // them.
        for (int round = 0; round < (run.places.isEmpty() ? 1 : 2); round++) {
            for (PilotJob p : inOrder()) {
                if (p.isRunning() && p.hasRoom()) {
                    fill(p, out);
                }
            }
        }
    }

    /** The pilot jobs in the order in which they take tasks: that of submission, or the one with the most time left first if tasks may take longer than planned. */
    private List<PilotJob> inOrder() {
        return run.hasUncertainTimes()
                ? run.pilotJobs.stream().sorted(MOST_TIME_FIRST).toList()
                : run.pilotJobs;
    }

    /** Binds tasks to the free cores of a pilot job. */
    void fill(PilotJob p, Effects out) {
        fill(p, ANY_LEVEL, out);
    }

    private void fill(PilotJob p, int levelFirst, Effects out) {
        if (!run.isFinished()) {
            run.binding.fill(p, run, levelFirst, out);
        }
    }
}
