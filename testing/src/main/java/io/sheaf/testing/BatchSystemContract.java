package io.sheaf.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Effects;
import io.sheaf.manager.Event.Accepted;
import io.sheaf.manager.Event.End;
import io.sheaf.manager.Event.Ended;
import io.sheaf.manager.Event.Outcome;
import io.sheaf.manager.Event.Refused;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.manager.Request;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What every batch system must do, simulated, embedded or real; a back end is tested by a subclass that opens it.
 *
 * <p>Reports may come late, twice and out of order, so only their instants are compared, never their order. All
 * times are in ticks, so that a real back end need not be waited for longer than it takes to notice things.
 */
public abstract class BatchSystemContract {
    /** A task that ends after one tick. */
    private static final int SHORT = 0;

    /** A task that would take ten thousand. */
    private static final int LONG = 1;

    /** Opens an empty back end that can run the tasks of this workflow. */
    protected abstract BackEnd open(Workflow workflow);

    /** Milliseconds within which what can start starts, and commands are carried out. */
    protected abstract long tick();

    /** Milliseconds after which a report that has not come is missing. */
    protected long patience() {
        return 100 * tick();
    }

    /** A test on a back end that has just been opened. */
    private interface Check {
        void on(BackEnd backEnd, Effects effects, Reports reports);
    }

    private void check(Check check) {
        WorkflowBuilder tasks = new WorkflowBuilder("contract");
        sleep(tasks, "short", tick());
        sleep(tasks, "long", 10_000 * tick());
        try (BackEnd backEnd = open(tasks.build())) {
            check.on(backEnd, backEnd.effects(), new Reports(backEnd, patience()));
        }
    }

    private static void sleep(WorkflowBuilder tasks, String id, long millis) {
        int task = tasks.task(id);
        tasks.time(task, millis * 1000);
        tasks.command(
                task, Command.of(List.of("sleep", BigDecimal.valueOf(millis, 3).toPlainString())));
    }

    private Request ticks(int nodes, int walltime) {
        return Request.of(nodes, walltime * tick());
    }

    @Test
    void whatIsSubmittedIsAcceptedAndStarts() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(1, 20));
            reports.expect(Accepted.class, 1);
            Started started = reports.expect(Started.class, 1);
            reports.expectNodes(1, 1);
            assertThat(started.at()).isLessThanOrEqualTo(backEnd.now());
            assertThat(reports.find(Refused.class, 1)).isNull();
        });
    }

    @Test
    void whatIsTooLargeIsRefusedAndNothingElse() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(backEnd.nodes() + 1, 20));
            assertThat(reports.expect(Refused.class, 1).reason()).isNotEmpty();
            reports.pass(5 * tick());
            assertThat(reports.find(Accepted.class, 1)).isNull();
            assertThat(reports.find(Started.class, 1)).isNull();
        });
    }

    @Test
    void theWalltimeIsEnforced() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(1, 5));
            reports.expectNodes(1, 1);
            effects.start(1, new int[] {0}, LONG, 1);
            Started started = reports.expect(Started.class, 1);
            Ended ended = reports.expect(Ended.class, 1);
            assertThat(ended.how()).isEqualTo(End.EXPIRED);
            assertThat(ended.at() - started.at()).isBetween(4 * tick(), 8 * tick());
            TaskEnded task = reports.find(TaskEnded.class, 1);
            assertThat(task == null || task.outcome() != Outcome.SUCCEEDED).isTrue();
        });
    }

    @Test
    void aQueuedOneCanBeCancelled() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(backEnd.nodes(), 200));
            reports.expect(Started.class, 1);
            effects.submit(2, ticks(1, 10));
            reports.expect(Accepted.class, 2);
            effects.cancel(2);
            assertThat(reports.expect(Ended.class, 2).how()).isEqualTo(End.CANCELLED);
            effects.cancel(1);
            reports.expect(Ended.class, 1);
            reports.pass(5 * tick());
            assertThat(reports.find(Started.class, 2)).isNull();
        });
    }

    @Test
    void aRunningOneCanBeCancelledAndItsTasksEnd() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(1, 200));
            reports.expectNodes(1, 1);
            effects.start(1, new int[] {0}, LONG, 1);
            effects.cancel(1);
            Ended ended = reports.expect(Ended.class, 1);
            assertThat(ended.how()).isEqualTo(End.CANCELLED);
            assertThat(ended.at() - reports.expect(Started.class, 1).at()).isLessThan(150 * tick());
            effects.submit(2, ticks(backEnd.nodes(), 10));
            reports.expect(Started.class, 2);
        });
    }

    @Test
    void aReleasedOneEndsBeforeItsTime() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(1, 200));
            reports.expectNodes(1, 1);
            effects.release(1);
            Ended ended = reports.expect(Ended.class, 1);
            assertThat(ended.how()).isEqualTo(End.RELEASED);
            assertThat(ended.at() - reports.expect(Started.class, 1).at()).isLessThan(150 * tick());
        });
    }

    @Test
    void aQueuedOneCanBeShortened() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(backEnd.nodes(), 200));
            reports.expectNodes(1, backEnd.nodes());
            effects.submit(2, ticks(1, 100));
            reports.expect(Accepted.class, 2);
            effects.shorten(2, 5 * tick());
            reports.pass(2 * tick());
            effects.release(1);
            long start = reports.expect(Started.class, 2).at();
            assertThat(reports.expect(Ended.class, 2).at() - start).isBetween(4 * tick(), 8 * tick());
        });
    }

    @Test
    void oneAfterAnotherWaitsForItsEnd() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(1, 10));
            reports.expect(Accepted.class, 1);
            effects.submit(2, ticks(1, 5).after(1));
            long start = reports.expect(Started.class, 2).at();
            assertThat(start)
                    .isGreaterThanOrEqualTo(reports.expect(Ended.class, 1).at());
        });
    }

    @Test
    void oneThatMayNotStartYetWaits() {
        check((backEnd, effects, reports) -> {
            long notBefore = backEnd.now() + 10 * tick();
            effects.submit(1, new Request(0, 1, 5 * tick(), notBefore, Request.NONE));
            assertThat(reports.expect(Started.class, 1).at()).isGreaterThanOrEqualTo(notBefore);
        });
    }

    @Test
    void tokensAreIndependent() {
        check((backEnd, effects, reports) -> {
            effects.submit(7, ticks(1, 200));
            effects.submit(3, ticks(1, 200));
            reports.expectNodes(7, 1);
            reports.expectNodes(3, 1);
            effects.release(7);
            reports.expect(Ended.class, 7);
            reports.pass(2 * tick());
            assertThat(reports.find(Ended.class, 3)).isNull();
            effects.cancel(3);
            assertThat(reports.expect(Ended.class, 3).how()).isEqualTo(End.CANCELLED);
        });
    }

    @Test
    void tasksRunAndAreReported() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(2, 200));
            reports.expectNodes(1, 2);
            effects.start(1, new int[] {1}, SHORT, 1);
            effects.start(1, new int[] {1}, SHORT, 1);
            TaskEnded ended = reports.expectTask(1, SHORT);
            assertThat(ended.outcome()).isEqualTo(Outcome.SUCCEEDED);
            assertThat(ended.attempt()).isEqualTo(1);
            effects.start(1, new int[] {0}, LONG, 3);
            reports.pass(2 * tick());
            effects.stop(1, LONG, 3);
            TaskEnded stopped = reports.expectTask(1, LONG);
            assertThat(stopped.outcome()).isEqualTo(Outcome.STOPPED);
            assertThat(stopped.attempt()).isEqualTo(3);
            effects.start(1, new int[] {1}, SHORT, 1);
            effects.release(1);
            reports.expect(Ended.class, 1);
            assertThat(reports.count(TaskEnded.class, 1))
                    .as("an attempt is started once")
                    .isEqualTo(2);
        });
    }

    @Test
    void commandsGivenTwiceOrTooLateDoNothing() {
        check((backEnd, effects, reports) -> {
            effects.submit(1, ticks(1, 200));
            effects.submit(1, ticks(1, 200));
            reports.expectNodes(1, 1);
            effects.submit(1, ticks(1, 200));
            effects.cancel(1);
            effects.cancel(1);
            reports.expect(Ended.class, 1);
            effects.submit(1, ticks(1, 200));
            effects.cancel(1);
            effects.release(1);
            effects.shorten(1, tick());
            effects.start(1, new int[] {0}, SHORT, 1);
            effects.cancel(99);
            effects.release(99);
            reports.pass(10 * tick());
            assertThat(reports.count(Started.class, 1)).isEqualTo(1);
            assertThat(reports.count(Ended.class, 1)).isEqualTo(1);
            assertThat(reports.count(TaskEnded.class, 1)).isZero();
        });
    }
}
