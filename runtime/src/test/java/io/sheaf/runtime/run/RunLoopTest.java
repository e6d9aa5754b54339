package io.sheaf.runtime.run;

import static io.sheaf.runtime.run.NotedLoop.DURABLE;
import static io.sheaf.runtime.run.NotedLoop.agent;
import static io.sheaf.runtime.run.NotedLoop.chain;
import static io.sheaf.runtime.run.NotedLoop.hello;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.manager.TaskState;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.journal.SupersededException;
import io.sheaf.runtime.learnt.SharedHistory;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Turns of the loop: decisions and reports are durable before they have effects, and results count once. */
class RunLoopTest {
    private static final Workflow NOTHING = new WorkflowBuilder("none").build();

    @TempDir
    Path folder = Path.of("");

    @Test
    void aJobIsSubmittedAfterItsRecord() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 1))) {
            assertThat(run.turn()).containsExactly(DURABLE, "submit 1");
            assertThat(run.turn()).as("nothing happened").isEmpty();
        }
    }

    @Test
    void aResultIsAcknowledgedAfterItsRecord() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 2))) {
            run.turn();
            assertThat(run.reports(new Event.Accepted(run.clock, 1), new Event.Started(run.clock, 1, false)))
                    .containsExactly(DURABLE);
            // The start may be sent once for the node and once for the greeting; agents ignore the second one.
            assertThat(run.receives(agent(), hello())).startsWith(DURABLE).containsOnly(DURABLE, "Start task 0");
            assertThat(run.receives(agent(), run.succeeded(0))).containsExactly(DURABLE, "Start task 1", "Ack task 0");
            assertThat(run.receives(agent(), run.succeeded(1))).containsExactly(DURABLE, "release 1", "Ack task 1");
            assertThat(run.loop.isFinished()).as("its pilot job is left").isFalse();
            assertThat(run.reports(new Event.Ended(run.clock, 1, Event.End.RELEASED)))
                    .containsExactly(DURABLE, "forget agent");
            assertThat(run.loop.isFinished()).isTrue();
        }
    }

    /** The acknowledgement was lost, so the agent sends the result again. */
    @Test
    void aRepeatedResultIsAcknowledgedAndCountsOnce() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 2))) {
            run.start();
            run.receives(agent(), run.succeeded(0));
            assertThat(run.receives(agent(), run.succeeded(0))).containsExactly("Ack task 0");
            assertThat(run.loop.ended()).isEqualTo(1);
        }
    }

    /** Reports of attempts that were never started, or of nodes that the job does not have, change nothing. */
    @Test
    void wrongReportsOfAgentsChangeNothing() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 2))) {
            run.start();
            for (AttemptId wrong : List.of(
                    new AttemptId(1, 1),
                    new AttemptId(1, 99),
                    new AttemptId(0, 7),
                    new AttemptId(0, 0),
                    new AttemptId(0, -1),
                    new AttemptId(-1, 1),
                    new AttemptId(Integer.MAX_VALUE, Integer.MAX_VALUE),
                    new AttemptId(Integer.MIN_VALUE, 1))) {
                run.receives(agent(), of(run.succeeded(0), wrong));
            }
            for (AgentId unknown : List.of(new AgentId(1, 99), new AgentId(1, -1), new AgentId(-1, 0))) {
                run.receives(unknown, hello());
                run.receives(unknown, of(run.succeeded(0), new AttemptId(1, 1)));
            }
            assertThat(run.manager().state(0)).isEqualTo(TaskState.RUNNING);
            assertThat(run.manager().state(1)).isEqualTo(TaskState.WAITING);
            run.receives(agent(), run.succeeded(0));
            assertThat(run.manager().state(0)).isEqualTo(TaskState.DONE);
            run.receives(agent(), run.succeeded(1));
            assertThat(run.manager().state(1)).isEqualTo(TaskState.DONE);
        }
        try (NotedLoop restored = new NotedLoop(folder, chain("a", 2))) {
            assertThat(restored.manager().state(1)).as("recorded").isEqualTo(TaskState.DONE);
        }
    }

    /** Each update plans all tasks again, which takes long in workflows of many categories. */
    @Test
    void expectedTimesAreUpdatedAtMostOnceASecond() throws IOException {
        WorkflowBuilder builder = new WorkflowBuilder("a");
        for (int i = 0; i < 3; i++) {
            int task = builder.task("t" + i);
            builder.time(task, 5_000_000).command(task, Command.of(List.of("program" + i)));
        }
        Workflow workflow = builder.edge(0, 1).edge(1, 2).build();
        SharedHistory history = new SharedHistory(folder.resolve("history"), () -> 0, message -> {});
        try (NotedLoop run = new NotedLoop(folder, workflow)) {
            run.loop.timeWith(new TimeKeeper(history, new ExpectedRunTimes.HistoryRule(true, 0.9), workflow, folder));
            run.start();
            run.receives(agent(), run.succeeded(0));
            assertThat(run.manager().workflow().timeMicros(0)).isEqualTo(10_000_000);
            run.receives(agent(), run.succeeded(1));
            assertThat(run.manager().workflow().timeMicros(1)).isEqualTo(5_000_000);
            run.clock += 1_000;
            run.turn();
            assertThat(run.manager().workflow().timeMicros(1)).isEqualTo(10_000_000);
        }
    }

    private static Message.Ended of(Message.Ended ended, AttemptId attempt) {
        return new Message.Ended(
                attempt, ended.outcome(), ended.exitStatus(), ended.reason(), ended.usage(), List.of(), List.of());
    }

    @Test
    void noJobIsSubmittedUntilTheJournalIsWritten() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 1))) {
            run.failures = 1;
            // The loop waits for the disk unless it is interrupted.
            run.loop.interrupt();
            assertThatThrownBy(run::turn).isInstanceOf(IOException.class).hasMessage("no space left");
            assertThat(run.recorded).isEmpty();
            assertThat(run.turn()).containsExactly(DURABLE, "submit 1");
        }
    }

    @Test
    void anAgentOfAnUnknownJobIsStopped() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 1))) {
            run.turn();
            assertThat(run.receives(new AgentId(7, 0), hello())).containsExactly("Stop");
        }
    }

    /**
     * The agent ended its task and died before it sent the result; the stored result is read before the loss counts.
     */
    @Test
    void storedResultsOfALostNodeCountBeforeItsLoss() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 2))) {
            run.start();
            run.leftResults.put(agent(), List.of(run.succeeded(0)));
            run.reports(new Event.NodeLost(run.clock, 1, 0));
            assertThat(run.manager().state(0)).isEqualTo(TaskState.DONE);
            assertThat(run.manager().state(1)).isEqualTo(TaskState.READY);
        }
        try (NotedLoop restored = new NotedLoop(folder, chain("a", 2))) {
            assertThat(restored.manager().state(0)).as("recorded").isEqualTo(TaskState.DONE);
        }
    }

    @Test
    void aCancelledRunCancelsItsJobOnce() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 1))) {
            run.turn();
            run.reports(new Event.Accepted(run.clock, 1));
            run.loop.cancel();
            assertThat(run.turn()).containsExactly(DURABLE, "cancel 1");
            assertThat(run.turn()).isEmpty();
            run.reports(new Event.Ended(run.clock, 1, Event.End.CANCELLED));
            assertThat(run.loop.isFinished()).isTrue();
        }
    }

    @Test
    void theLoopEndsWhenInterrupted() throws Exception {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 1))) {
            run.loop.interrupt();
            assertThat(run.loop.run()).isEqualTo(RunLoop.Ending.INTERRUPTED);
            assertThat(run.recorded).containsExactly(DURABLE, "submit 1");
        }
    }

    /** A request is removed from the folder when the workflow is in the journal, and not before. */
    @Test
    void workflowsAreSubmittedAndDropped() throws IOException {
        ControlFolder requests = new ControlFolder(folder);
        try (NotedLoop run = new NotedLoop(folder, NOTHING)) {
            assertThat(run.turn()).containsExactly(DURABLE);
            requests.put(new ControlRequest.Submit(new Origin("a", "ann", 0, ""), chain("a", 2), List.of()));
            assertThat(run.turn()).containsExactly(DURABLE, "request removed", "submit 1");
            assertThat(requests.isEmpty()).isTrue();
            assertThat(run.manager().workflow().id(0)).isEqualTo("a/0");
            requests.put(new ControlRequest.Drop("a"));
            assertThat(run.turn()).startsWith(DURABLE, "request removed");
            assertThat(run.manager().state(0)).isEqualTo(TaskState.SKIPPED);
            assertThat(run.manager().state(1)).isEqualTo(TaskState.SKIPPED);
            assertThat(run.loop.isFinished())
                    .as("more workflows may be submitted")
                    .isFalse();
        }
    }

    /** The process ended after the workflow was recorded and before its request was removed. */
    @Test
    void aRecordedRequestIsNotAppliedTwice() throws IOException {
        ControlRequest request = new ControlRequest.Submit(new Origin("a", "ann", 0, ""), chain("a", 2), List.of());
        ControlFolder requests = new ControlFolder(folder);
        try (NotedLoop run = new NotedLoop(folder, NOTHING)) {
            requests.put(request);
            run.turn();
        }
        requests.put(request);
        try (NotedLoop restored = new NotedLoop(folder, NOTHING)) {
            restored.turn();
            assertThat(restored.manager().workflow().size()).isEqualTo(2);
            assertThat(requests.isEmpty()).isTrue();
        }
    }

    /** The folder was removed and created again at the same path while its manager was idle. */
    @Test
    void requestsOfAReplacingRunAreNotApplied() throws IOException {
        Path place = folder.resolve("run");
        try (NotedLoop old = new NotedLoop(place, NOTHING)) {
            old.turn();
            old.loop.interrupt();
            Files.move(place, folder.resolve("removed"));
            ControlFolder requests = new ControlFolder(place);
            requests.put(new ControlRequest.Submit(new Origin("a", "ann", 0, ""), chain("a", 2), List.of()));
            assertThatThrownBy(old::turn).isInstanceOf(IOException.class).hasMessageContaining("no longer exists");
            try (NotedLoop successor = new NotedLoop(place, NOTHING)) {
                assertThatThrownBy(old::turn)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("belongs to another run now");
                requests.put(new ControlRequest.Drop("a"));
                assertThatThrownBy(old::turn)
                        .as("the old manager would refuse this")
                        .isInstanceOf(IOException.class);
                assertThat(requests.names().size()).isEqualTo(2);
                assertThat(successor.turn()).contains(DURABLE, "request removed");
                assertThat(successor.manager().state(1)).isEqualTo(TaskState.SKIPPED);
            }
        }
    }

    @Test
    void aProcessWhoseLeaseWasTakenOverDoesNothing() throws IOException {
        try (NotedLoop first = new NotedLoop(folder, chain("a", 1))) {
            first.turn();
            first.reports(new Event.Accepted(first.clock, 1));
            try (NotedLoop second = new NotedLoop(folder, chain("a", 1))) {
                first.loop.cancel();
                assertThatThrownBy(first::turn).isInstanceOf(SupersededException.class);
                assertThat(first.recorded).isEmpty();
                assertThat(second.manager().isCancelled()).isFalse();
                assertThat(second.recorded).containsExactly("reconcile [1]");
            }
        }
    }
}
