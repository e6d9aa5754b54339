package io.sheaf.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Rules;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines that a run prints, with their times. */
class RunLinesTest {
    private static final long BEGUN = 1_000_000;

    private final StringWriter text = new StringWriter();
    private final Workflow workflow = workflow();
    private long begun;
    private long now;
    private final RunLines lines = new RunLines(workflow, () -> begun, () -> now, new PrintWriter(text));

    private static Workflow workflow() {
        WorkflowBuilder builder = new WorkflowBuilder("one");
        builder.task("a");
        return builder.build();
    }

    private Manager manager() {
        return manager(workflow, 1);
    }

    private static Manager manager(Workflow workflow, int nodes) {
        return new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                Strategies.named("onejob", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN),
                StartEstimator.UNINFORMED,
                DecisionSink.NOTHING,
                nodes,
                1,
                Rules.DEFAULT);
    }

    /** The line is printed once, although the job stays idle. */
    @Test
    void anIdlePilotJobIsReportedOnce() {
        Manager manager = new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                Strategies.named("onejob", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN),
                StartEstimator.UNINFORMED,
                DecisionSink.NOTHING,
                1,
                1,
                Rules.DEFAULT.hold(60_000));
        NoEffects effects = new NoEffects();
        manager.on(new Event.Opened(0), effects);
        manager.on(new Event.Awaited(0, true), effects);
        manager.settle(0, effects);
        manager.on(new Event.Started(1_000, 1), effects);
        lines.turned(manager);
        assertThat(text.toString()).isEmpty();
        manager.on(new Event.TaskEnded(2_000, 1, 0, 1, Event.Outcome.SUCCEEDED), effects);
        lines.turned(manager);
        lines.turned(manager);
        assertThat(text.toString().lines()).singleElement().satisfies(line -> assertThat(line)
                .contains("pilot job 1 is idle; kept"));
    }

    /** The outcome comes from the message of the agent, the time from the event. */
    @Test
    void aFailedAttemptIsReportedAtItsEndTime() {
        begun = BEGUN;
        lines.happened(new Event.Started(BEGUN + 1_000, 1), manager());
        now = BEGUN + 99_000;
        lines.ended(new AttemptResult(
                1,
                0,
                new Message.Ended(
                        new AttemptId(0, 1),
                        AttemptOutcome.FAILED,
                        3,
                        "exit status 3",
                        Usage.none(0),
                        List.of(),
                        List.of("oh"))));
        lines.happened(new Event.TaskEnded(BEGUN + 42_000, 1, 0, 1, Event.Outcome.FAILED), manager());
        assertThat(text.toString().lines())
                .containsExactly(
                        "     1.0 s  pilot job 1 started", "    42.0 s  task a failed: exit status 3", "    oh");
    }

    /** The manager releases the rest of a job whose walltime stopped a task; the job is reported as expired. */
    @Test
    void aJobThatStoppedATaskAtItsWalltimeHasExpired() {
        begun = BEGUN;
        NoEffects effects = new NoEffects();
        Manager manager = manager();
        manager.settle(BEGUN, effects);
        manager.on(new Event.Started(BEGUN, 1), effects);
        lines.happened(new Event.Started(BEGUN, 1), manager);
        long limit = manager.pilotJob(0).limit();
        lines.ended(new AttemptResult(
                1,
                0,
                new Message.Ended(
                        new AttemptId(0, 1),
                        AttemptOutcome.CUT_OFF,
                        143,
                        "the walltime ends",
                        Usage.none(0),
                        List.of(),
                        List.of())));
        lines.happened(new Event.TaskEnded(limit, 1, 0, 1, Event.Outcome.CUT_OFF), manager);
        lines.happened(new Event.Ended(limit + 100, 1, Event.End.RELEASED), manager);
        assertThat(text.toString())
                .contains("task a stopped: the walltime ends")
                .contains("job 1 ended (expired) after");
    }

    /**
     * A first attempt on another node does not count as a retry, and the line gives the reason; a later attempt counts.
     */
    @Test
    void anUncountedRetryGivesTheReason() {
        begun = BEGUN;
        now = BEGUN;
        NoEffects effects = new NoEffects();
        WorkflowBuilder builder = new WorkflowBuilder("two");
        int task = builder.task("a");
        builder.time(task, 1_000_000);
        builder.retries(task, 1);
        builder.time(builder.task("b"), 1_000_000);
        Manager manager = manager(builder.build(), 2);
        manager.settle(BEGUN, effects);
        manager.on(new Event.Started(BEGUN, 1, false), effects);
        manager.on(new Event.NodeUp(BEGUN, 1, 0, null, "n1"), effects);
        manager.on(new Event.NodeUp(BEGUN, 1, 1, null, "n2"), effects);
        lines.begins(manager);
        fail(1, 0, manager);
        manager.on(new Event.TaskEnded(BEGUN + 1, 1, 1, 1, Event.Outcome.SUCCEEDED), effects);
        fail(2, 1, manager);
        assertThat(text.toString().lines().filter(line -> line.contains("task a retried")))
                .containsExactly(
                        "     0.0 s  task a retried (attempt 2; not counted as a retry, because node n1 may have caused the failure)",
                        "     0.0 s  task a retried (attempt 3)");
    }

    /** Reports that an attempt of the first task fails and the next one starts. */
    private void fail(int attempt, int node, Manager manager) {
        lines.ended(new AttemptResult(
                1,
                node,
                new Message.Ended(
                        new AttemptId(0, attempt),
                        AttemptOutcome.FAILED,
                        1,
                        "exit status 1",
                        Usage.none(0),
                        List.of(),
                        List.of())));
        Event ended = new Event.TaskEnded(BEGUN, 1, 0, attempt, Event.Outcome.FAILED, 100);
        manager.on(ended, new NoEffects());
        lines.happened(ended, manager);
        lines.started(1, 1, 0, attempt + 1);
    }

    /** Ids of submitted tasks are random, so the line has their category, for example a rule of Snakemake. */
    @Test
    void aSubmittedTaskIsReportedWithItsCategory() {
        begun = BEGUN;
        WorkflowBuilder builder = new WorkflowBuilder("x1");
        builder.category(builder.task("x1"), "trim");
        lines.happened(new Event.Grown(BEGUN, Addition.of(new Origin("x1", "", 0, ""), builder.build())), manager());
        assertThat(text.toString()).isEqualTo("     0.0 s  x1 added: 1 task (trim)\n");
    }

    @Test
    void messagesWithoutATimeGetTheCurrentTime() {
        now = 12;
        lines.message("before the run is known");
        begun = BEGUN;
        lines.happened(new Event.Started(BEGUN + 1_000, 1), manager());
        now = BEGUN + 61_500;
        lines.message("the disk is full");
        lines.started(1, 0, 0, 2);
        assertThat(text.toString().lines())
                .containsExactly(
                        "     0.0 s  before the run is known",
                        "     1.0 s  pilot job 1 started",
                        "    61.5 s  the disk is full",
                        "    61.5 s  task a retried (attempt 2)");
    }
}
