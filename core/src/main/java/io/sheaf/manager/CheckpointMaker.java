package io.sheaf.manager;

import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Creates a checkpoint of a manager. It can omit finished tasks without references and renumbers the others.
 *
 * <p>A new manager restores the state from the tasks ({@link Event.Grown}), their {@linkplain #times times} and the {@linkplain #create checkpoint}, in
 * this order.
 */
public final class CheckpointMaker {
    private static final int LEFT_OUT = -1;

    private final ManagedRun run;
    private final String memo;
    private final long wakeAt;
    private final long nextGivingUp;
    private final long requestedWake;
    /** The new numbers of tasks; −1 for omitted ones. */
    private final int[] newNumbers;

    private boolean isNumbered = true;

    CheckpointMaker(ManagedRun run, String memo, long wakeAt, long nextGivingUp, long requestedWake) {
        this.run = run;
        this.memo = memo;
        this.wakeAt = wakeAt;
        this.nextGivingUp = nextGivingUp;
        this.requestedWake = requestedWake;
        newNumbers = new int[run.workflow.size()];
        Arrays.setAll(newNumbers, task -> task);
    }

    /** Whether a range of tasks may be omitted: all are final, none runs or is claimed by name, and no edge connects them to other tasks. */
    public boolean isFinished(int first, int count) {
        Workflow workflow = run.workflow;
        for (int task = first; task < first + count; task++) {
            if (!run.isFinal(task) || run.binding.running(task) != null) {
                return false;
            }
            for (int i = 0; i < workflow.parents(task); i++) {
                if (isOutside(workflow.parent(task, i), first, count)) {
                    return false;
                }
            }
            for (int i = 0; i < workflow.children(task); i++) {
                if (isOutside(workflow.child(task, i), first, count)) {
                    return false;
                }
            }
        }
        return run.pilotJobs.stream()
                .flatMapToInt(p -> p.claim.tasks().stream())
                .allMatch(task -> isOutside(task, first, count));
    }

    private static boolean isOutside(int task, int first, int count) {
        return task < first || task >= first + count;
    }

    /** Omits tasks for which {@link #isFinished} is true. */
    public void leaveOut(int first, int count) {
        for (int task = first; task < first + count; task++) {
            newNumbers[task] = LEFT_OUT;
        }
        isNumbered = false;
    }

    /** The new number of a task; −1 if it is omitted. */
    public int called(int task) {
        return numbers()[task];
    }

    private int[] numbers() {
        int next = 0;
        for (int task = 0; !isNumbered && task < newNumbers.length; task++) {
            newNumbers[task] = newNumbers[task] == LEFT_OUT ? LEFT_OUT : next++;
        }
        isNumbered = true;
        return newNumbers;
    }

    /** The learnt times of tasks; null if there are none. */
    public @Nullable RunTimeUpdate times() {
        int[] learnt = IntStream.range(0, run.workflow.size())
                .filter(task -> run.margins.isLearnt(task) && called(task) != LEFT_OUT)
                .toArray();
        int[] tasks = Arrays.stream(learnt).map(this::called).toArray();
        long[] expected =
                Arrays.stream(learnt).mapToLong(run.workflow::timeMicros).toArray();
        long[] bound = Arrays.stream(learnt).mapToLong(run.margins::bound).toArray();
        return tasks.length == 0 ? null : new RunTimeUpdate(tasks, expected, bound);
    }

    /**
     * Returns the checkpoint.
     *
     * @param workflows those whose tasks are kept
     * @param nextNumber the permanent number of the next task
     */
    public Checkpoint create(List<Checkpoint.WorkflowState> workflows, int nextNumber) {
        List<Checkpoint.Task> tasks = new ArrayList<>();
        List<Integer> ready = new ArrayList<>();
        List<Checkpoint.Running> attempts = new ArrayList<>();
        for (int task = 0; task < newNumbers.length; task++) {
            if (called(task) == LEFT_OUT) {
                continue;
            }
            tasks.add(run.progress.checkpoint(task));
            if (run.isReady(task)) {
                ready.add(task);
            }
            RunningAttempt attempt = run.binding.running(task);
            if (attempt != null && !attempt.ahead) {
                attempts.add(attempt.checkpoint(called(task), run.workflow.resources(task)));
            }
        }
        for (int task : run.binding.ahead.tasks()) {
            attempts.add(Objects.requireNonNull(run.binding.running(task))
                    .checkpoint(called(task), run.workflow.resources(task)));
        }
        WorkflowTurns turns = run.turns;
        List<Integer> inOrder = turns == null ? ready : turns.inOrder(ready);
        return new Checkpoint(
                tasks,
                inOrder.stream().map(task -> called(task)).toList(),
                run.pilotJobs.stream()
                        .map(p -> p.checkpoint(renumbered(p.claim)))
                        .toList(),
                attempts,
                workflows,
                turns == null ? Map.of() : turns.usage(),
                turns == null ? Map.of() : turns.assigned(),
                counts(nextNumber),
                run.submissionFailures.checkpoint(),
                memo,
                run.health.checkpoint(this::called, run.pilotJobs));
    }

    private Claim renumbered(Claim claim) {
        TaskGroup tasks = claim.tasks();
        if (tasks.isAll()) {
            return claim;
        }
        return claim.only(TaskGroup.of(tasks.stream().map(this::called).toArray()));
    }

    private Checkpoint.Counts counts(int nextNumber) {
        return new Checkpoint.Counts(
                run.now,
                run.nextToken,
                run.changed,
                run.cancelled,
                run.open,
                run.expiries,
                run.reruns,
                run.failures,
                run.progress.needs.runTimeError,
                wakeAt,
                nextGivingUp,
                requestedWake,
                nextNumber);
    }

    /** Restores the state of a run that has its tasks and no other state. */
    static void restore(ManagedRun run, Checkpoint checkpoint) {
        run.progress.restore(checkpoint);
        for (Checkpoint.PilotJobState job : checkpoint.pilotJobs()) {
            PilotJob p = new PilotJob(job, run.rules.node().named());
            p.claimed = run.progress.ready.positions(p.claim.tasks());
            run.enter(p);
        }
        run.health.restore(checkpoint.hosts());
        for (Checkpoint.Host host : checkpoint.hosts()) {
            for (int i = 0; i < host.nodes().size(); i += 2) {
                PilotJob p = Objects.requireNonNull(run.byToken.get(host.nodes().get(i)));
                p.named(host.nodes().get(i + 1).intValue(), host.name());
            }
        }
        for (Checkpoint.Running each : checkpoint.attempts()) {
            run.binding.restore(each, Objects.requireNonNull(run.byToken.get(each.token())));
        }
        if (run.turns != null) {
            run.turns.restore(checkpoint);
        }
        run.submissionFailures.restore(checkpoint.submissionFailures());
        Checkpoint.Counts counts = checkpoint.counts();
        run.now = counts.now();
        run.nextToken = counts.nextToken();
        run.changed = counts.changed();
        run.cancelled = counts.cancelled();
        run.open = counts.open();
        run.expiries = counts.expiries();
        run.reruns = counts.reruns();
        run.failures = counts.failures();
    }
}
