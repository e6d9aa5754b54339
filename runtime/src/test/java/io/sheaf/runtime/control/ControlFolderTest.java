package io.sheaf.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Rules;
import io.sheaf.manager.TaskState;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.run.ControlRequestQueue;
import io.sheaf.runtime.run.Forest;
import io.sheaf.runtime.run.Recovery;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control requests in an inbox are applied once and in order, or refused with a reason. */
class ControlFolderTest {
    private static final Effects NOWHERE = Recovery.NO_EFFECTS;

    @TempDir
    Path run = Path.of("");

    private ControlFolder inbox = new ControlFolder(run);
    private Manager manager = manager();
    private Forest forest = new Forest(manager.workflow());
    private final List<String> messages = new ArrayList<>();
    private int mostTasks = 1_000;

    @BeforeEach
    void open() {
        inbox = new ControlFolder(run);
        manager.on(new Event.Opened(0), NOWHERE);
    }

    private static Manager manager() {
        Workflow nothing = new WorkflowBuilder("nothing").build();
        return new Manager(
                nothing,
                Profile.OWN.runOrder()::ranks,
                PerWorkflow.of(
                        nothing,
                        w -> Strategies.named("onejob", new RunTimes(w, Profile.OWN.planOrder(), 2), Profile.OWN)),
                StartEstimator.UNINFORMED,
                DecisionSink.NOTHING,
                4,
                8,
                Rules.DEFAULT.keepGoing(true).node(Resources.node(2)));
    }

    private static Workflow two(String id) {
        WorkflowBuilder builder = new WorkflowBuilder(id);
        for (String each : List.of("a", "b")) {
            builder.command(builder.task(id + "/" + each), Command.of(List.of("true")));
        }
        return builder.build();
    }

    private static ControlRequest.Submit submit(String id, ControlRequest.Edge... after) {
        return new ControlRequest.Submit(new Origin(id, "ann", 1, "/tmp"), two(id), List.of(after));
    }

    /**
     * Applies all requests that are due. Unless {@code removing}, they stay in the inbox, as when the process ends
     * early.
     */
    private int applyRequests(boolean removing) throws IOException {
        int[] count = {0};
        new ControlRequestQueue(inbox, () -> {}, mostTasks, messages::add)
                .poll(5, manager, forest, (event, applied) -> {
                    count[0]++;
                    manager.on(event, NOWHERE);
                    forest.apply(event, manager);
                    if (removing) {
                        applied.run();
                    }
                });
        return count[0];
    }

    @Test
    void everyRequestIsReadBack() throws IOException {
        RandomWorkflows workflows = RandomWorkflows.withEverything(3);
        for (int i = 0; i < 10; i++) {
            Workflow tasks = workflows.next();
            ControlRequest.Submit request = new ControlRequest.Submit(
                    new Origin("w" + i, "bob", -i, "/a b"), tasks, List.of(new ControlRequest.Edge("x/y é", 0)));
            ControlRequest.Submit read =
                    (ControlRequest.Submit) ControlRequestCodec.read(ControlRequestCodec.bytes(request));
            SameWorkflow.assertSame(tasks, read.tasks());
            assertThat(read.origin()).isEqualTo(request.origin());
            assertThat(read.after()).isEqualTo(request.after());
        }
        for (ControlRequest request :
                List.of(new ControlRequest.Hold("a", true), new ControlRequest.Drop("b"), new ControlRequest.Drain())) {
            assertThat(ControlRequestCodec.read(ControlRequestCodec.bytes(request)))
                    .isEqualTo(request);
        }
    }

    @Test
    void requestsAreAppliedInOrderAndRemoved() throws IOException {
        for (int i = 0; i < 9; i++) {
            inbox.put(submit("w" + i));
        }
        assertThat(inbox.names().size()).isEqualTo(9);
        assertThat(applyRequests(true)).isEqualTo(9);
        assertThat(inbox.isEmpty()).isTrue();
        assertThat(forest.parts())
                .extracting(part -> part.origin().id())
                .containsExactly("w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8");
        assertThat(forest.of(5).origin().id()).isEqualTo("w2");
        assertThat(manager.workflow().id(5)).isEqualTo("w2/b");
    }

    @Test
    void aSubmissionAppliedBeforeACrashIsNotAppliedTwice() throws IOException {
        inbox.put(submit("w"));
        inbox.put(new ControlRequest.Hold("w", true));
        assertThat(applyRequests(false)).isEqualTo(2);
        assertThat(applyRequests(true)).as("a second hold has no effect").isEqualTo(1);
        assertThat(manager.workflow().size()).isEqualTo(2);
        assertThat(inbox.isEmpty()).isTrue();
        assertThat(forest.parts().get(0).isHeld()).isTrue();
    }

    @Test
    void aProcessReportsARequestOnceBeforeItIsDurable() throws IOException {
        inbox.put(submit("w"));
        ControlRequestQueue requests = new ControlRequestQueue(inbox, () -> {}, mostTasks, messages::add);
        List<Event> events = new ArrayList<>();
        requests.poll(1, manager, forest, (event, applied) -> events.add(event));
        requests.poll(2, manager, forest, (event, applied) -> events.add(event));
        assertThat(events).hasSize(1);
    }

    @Test
    void requestsBeyondTheTaskLimitWaitInOrder() throws IOException {
        mostTasks = 3;
        inbox.put(submit("w"));
        inbox.put(submit("x"));
        inbox.put(submit("y"));
        inbox.put(new ControlRequest.Drain());
        ControlRequestQueue requests = new ControlRequestQueue(inbox, () -> {}, mostTasks, messages::add);
        assertThat(applyRequests(true)).as("two tasks, then four").isEqualTo(2);
        assertThat(requests.areSettled())
                .as("waiting requests are not reported")
                .isTrue();
        assertThat(manager.isOpen()).as("the drain request waits too").isTrue();
        assertThat(inbox.names().size()).isEqualTo(2);
        assertThat(messages).isEmpty();
    }

    @Test
    void submittedTasksMayDependOnEarlierOnes() throws IOException {
        inbox.put(submit("w"));
        inbox.put(submit("x", new ControlRequest.Edge("w/a", 1)));
        assertThat(applyRequests(true)).isEqualTo(2);
        assertThat(manager.state(3)).isEqualTo(TaskState.WAITING);
        assertThat(manager.workflow().parent(3, 0)).isZero();
    }

    @Test
    void anInvalidRequestIsStoredWithTheReason() throws IOException {
        inbox.put(submit("x", new ControlRequest.Edge("nobody", 1)));
        inbox.put(new ControlRequest.Drop("nothing"));
        WorkflowBuilder wide = new WorkflowBuilder("wide");
        int task = wide.task("wide");
        wide.command(task, Command.of(List.of("true"))).resources(task, new Resources(3, 0, 0, 1));
        inbox.put(new ControlRequest.Submit(new Origin("wide", "ann", 0, ""), wide.build(), List.of()));
        Files.write(run.resolve("inbox/9999999999999999999-0123456789abcdef.request"), new byte[] {1, 2, 3});
        Files.write(run.resolve("inbox/0000000000000000000-0123456789abcdef.tmp"), new byte[] {1});
        assertThat(applyRequests(true)).isZero();
        assertThat(inbox.isEmpty()).isTrue();
        assertThat(inbox.refused()).hasSize(4);
        assertThat(messages).hasSize(4);
        assertThat(messages.get(0)).contains("'nobody'");
        assertThat(messages.get(1)).contains("'nothing'");
        assertThat(messages.get(2)).contains("3 cores");
        assertThat(messages.get(3)).contains("cannot be read");
    }

    @Test
    void submissionsAreRefusedOnceTheRunIsDrained() throws IOException {
        inbox.put(new ControlRequest.Drain());
        inbox.put(submit("late"));
        assertThat(applyRequests(true)).isEqualTo(1);
        assertThat(manager.isFinished()).isTrue();
        assertThat(messages.toString()).contains("drained");
    }

    @Test
    void tooManyWaitingRequestsAreRefused() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            String name = String.format(java.util.Locale.ROOT, "%019d-0123456789abcdef.request", i);
            Files.createDirectories(run.resolve("inbox"));
            Files.createFile(run.resolve("inbox").resolve(name));
        }
        assertThatThrownBy(() -> inbox.put(new ControlRequest.Drain()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("retry later");
    }
}
