package io.sheaf.runtime.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.manager.Checkpoint;
import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.TaskGroup;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.report.DecisionRecord;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of a run's journal are read back as they were written. */
class RunJournalTest {
    private record TextMemo(String text) implements Memo {}

    @TempDir
    Path folder = Path.of("");

    @Test
    void everyKindOfEventIsReadBack() throws IOException {
        List<Event> events = new ArrayList<>(List.of(
                new Event.Accepted(1, 2),
                new Event.Limited(1, 2),
                new Event.Refused(-5, Long.MAX_VALUE, "no é \u0000 'nodes'"),
                new Event.Started(3, 4, false),
                new Event.Started(3, 4, true),
                new Event.NodeUp(5, 6, 7),
                new Event.NodeUp(
                        5, 6, 8, Resources.node(4, 1L << 40, 2).named(NamedAmounts.of(Map.of("scratch", 7L))), "n8"),
                new Event.PoolsUnavailable(5, 1, 2, true),
                new Event.Preemptible(5, 2, 7_200_000),
                new Event.Placed(5, 1, 2, List.of("", "a é"), List.of(7L, 1L << 40), 9_000),
                new Event.Granted(5, 6, 2, 60_000),
                new Event.NodeSilent(5, 6, "n9"),
                new Event.NodeLost(8, 9, 10),
                new Event.Woken(11),
                new Event.Resumed(12),
                new Event.Retimed(
                        12, new RunTimeUpdate(new int[] {0, 7}, new long[] {1, 2}, new long[] {3, Long.MAX_VALUE})),
                new Event.Cancelled(13),
                new Event.Opened(20),
                new Event.Closed(21),
                new Event.Held(22, 23, 24, true),
                new Event.Held(22, 23, 24, false),
                new Event.Dropped(25, 26, 27),
                new Event.Awaited(26, true),
                new Event.Awaited(26, true, List.of(new ExpectedTasks(24, 60_000, 2))),
                new Event.Restored(28, checkpoint("why é")),
                new Event.Attempted(30, 4, 2),
                new Event.Restored(29, checkpoint(null))));
        for (Event.End end : Event.End.values()) {
            events.add(new Event.Ended(14, 15, end));
        }
        for (Event.Outcome outcome : Event.Outcome.values()) {
            events.add(new Event.TaskEnded(16, 17, 18, 19, outcome, 21));
        }
        for (Class<?> kind : Event.class.getPermittedSubclasses()) {
            if (kind != Event.Grown.class) {
                assertThat(events).anyMatch(kind::isInstance);
            }
        }
        assertThat(written(journal -> events.forEach(journal::event)).received)
                .isEqualTo(new ArrayList<Object>(events));
    }

    private static Checkpoint checkpoint(@Nullable String paused) {
        Claim claim = Claim.levels(1, 2).only(TaskGroup.of(3, 5)).onlyWhatFits();
        Request request = new Request(0, 2, 60_000, 7, 8)
                .needing(new Resources(1, 9, 2, 1, 0, NamedAmounts.of(Map.of("gpu:a100", 2L))))
                .avoiding(List.of("n2", "n3"));
        return new Checkpoint(
                List.of(
                        new Checkpoint.Task((byte) 3, true, 2, 1, 2, 0, 0, 0, 0),
                        new Checkpoint.Task((byte) 1, false, 9, 8, 0, 4, Long.MAX_VALUE, 2, 3)),
                List.of(1, 0),
                List.of(new Checkpoint.PilotJobState(
                        11,
                        request,
                        claim,
                        12,
                        -1,
                        "RUNNING",
                        List.of(-2, 1),
                        List.of(0, 3),
                        0b1010,
                        List.of(5L, Long.MAX_VALUE))),
                List.of(new Checkpoint.Running(1, 9, 11, List.of(1), 2, 13, true, false, 16)),
                List.of(
                        new Checkpoint.WorkflowState(14, true, false, -1),
                        new Checkpoint.WorkflowState(16, false, true, 17)),
                Map.of("ann", 1.5, "é", 0.1),
                Map.of(-1_000, 18L, 5, 19L),
                new Checkpoint.Counts(20, 21, true, false, true, 22, 23, 24, 30, 25, Long.MAX_VALUE, 26, 27),
                new Checkpoint.Trouble(1, 2, true, false, Long.MIN_VALUE, paused),
                "memo é",
                List.of(new Checkpoint.Host(
                        "n1",
                        true,
                        1,
                        2,
                        Long.MIN_VALUE,
                        "why é",
                        Map.of("a", List.of(1, 2), "b", List.of(0, 3)),
                        Map.of(1, "b"),
                        List.of(11L, 1L))));
    }

    @Test
    void addedWorkflowsAreReadBack() throws IOException {
        RandomWorkflows workflows = RandomWorkflows.withEverything(4);
        for (int i = 0; i < 20; i++) {
            Workflow tasks = workflows.next();
            Origin origin = new Origin("w" + i, "ann é", i - 3, "/some where");
            Addition added = Addition.of(origin, tasks).after(7, 0).after(3, tasks.size() - 1);
            folder = folder.resolve("next");
            RecordedCalls calls = written(journal -> journal.event(new Event.Grown(5, added)));
            assertThat(calls.received).hasSize(1);
            Addition read = ((Event.Grown) calls.received.get(0)).added();
            SameWorkflow.assertSame(tasks, read.tasks());
            assertThat(read.origin()).isEqualTo(origin);
            assertThat(List.of(read.edges(), read.parent(0), read.child(0), read.parent(1), read.child(1)))
                    .containsExactly(2, 7, 0, 3, tasks.size() - 1);
        }
    }

    @Test
    void decisionsResultsAndConsiderationsAreReadBack() throws IOException {
        Decision decision = new Decision(
                List.of(
                        new Order.Submit(
                                new Request(1, 2, 3, 4, 5), new Claim(6, 7, TaskGroup.of(8, 9), true, false, true)),
                        new Order.Submit(Request.of(9, 10), Claim.levels(0, 3).sameLevelFirst(true)),
                        new Order.Cancel(11),
                        new Order.Shorten(12, 13),
                        new Order.Drain(14)),
                Decision.NEVER,
                new TextMemo("a memo"));
        Message.Ended ended = new Message.Ended(
                new AttemptId(1, 2),
                AttemptOutcome.OUTPUT_ABSENT,
                0,
                "out.txt is not there",
                new Usage(3, 4, 5, 6),
                List.of(new Output("a", 7, 8)),
                List.of("last", "lines"));
        Considerations considered = new Considerations(
                9,
                List.of(new DecisionRecord.Option("all", 1, 2, 3, -1)),
                "all: ends first",
                List.of(new Considerations.CarriedOrder(0, 3, 4), new Considerations.CarriedOrder(3, 12, -1)));
        RecordedCalls calls = written(journal -> {
            journal.begin("run", 77);
            journal.settled(5, decision);
            journal.settled(6, null);
            journal.result(new AttemptResult(3, 1, ended));
            journal.result(new AttemptResult(3, 1, ended, 8, 2));
            journal.considered(considered);
        });
        assertThat(calls.received)
                .containsExactly(
                        "run 77",
                        "settled 5",
                        decision,
                        "settled 6",
                        "nothing",
                        new AttemptResult(3, 1, ended),
                        new AttemptResult(3, 1, ended, 8, 2),
                        considered);
    }

    /**
     * The journal of a service with record version 1: a checkpoint with one running attempt of whole cores, and later
     * records.
     */
    @Test
    void aJournalOfVersionOneIsRead() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(RunJournalTest.class.getResourceAsStream("version-1/000002.log"))) {
            Files.copy(in, folder.resolve("000002.log"));
        }
        RecordedCalls calls = new RecordedCalls();
        RunJournal.scan(folder, TextMemo::new, calls);
        Checkpoint restored = calls.received.stream()
                .filter(Event.Restored.class::isInstance)
                .map(event -> ((Event.Restored) event).as())
                .findFirst()
                .orElseThrow();
        assertThat(restored.tasks()).extracting(Checkpoint.Task::attempts).containsExactly(1, 0);
        assertThat(restored.attempts()).hasSize(1);
        Checkpoint.Running running = restored.attempts().get(0);
        assertThat(List.of(running.task(), running.number(), running.core(), running.nodes()))
                .isEqualTo(List.of(0, 1, -1, List.of(0)));
        assertThat(restored.pilotJobs())
                .extracting(Checkpoint.PilotJobState::token)
                .containsExactly(1L);
        try (Journal journal = Journal.open(folder, "me", message -> {})) {
            RunJournal run = new RunJournal(journal);
            run.replay(TextMemo::new, new RecordedCalls());
            assertThat(run.isOlder()).isTrue();
            run.begin("r", 5);
            run.commit();
        }
        try (Journal journal = Journal.open(folder, "me", message -> {})) {
            RunJournal run = new RunJournal(journal);
            run.replay(TextMemo::new, new RecordedCalls());
            assertThat(run.isOlder()).isFalse();
        }
    }

    private interface Writing {
        void to(RunJournal journal);
    }

    private RecordedCalls written(Writing writing) throws IOException {
        try (Journal journal = Journal.open(folder, "me", message -> {})) {
            RunJournal run = new RunJournal(journal);
            writing.to(run);
            run.commit();
        }
        RecordedCalls calls = new RecordedCalls();
        RunJournal.scan(folder, TextMemo::new, calls);
        return calls;
    }

    private static final class RecordedCalls implements RunJournal.Listener {
        final List<Object> received = new ArrayList<>();

        @Override
        public void begun(String run, long at) {
            received.add(run + " " + at);
        }

        @Override
        public void event(Event event) {
            received.add(event);
        }

        @Override
        public void settled(long at, @Nullable Decision decision) {
            received.add("settled " + at);
            received.add(decision == null ? "nothing" : decision);
        }

        @Override
        public void result(AttemptResult result) {
            received.add(result);
        }

        @Override
        public void considered(Considerations considerations) {
            received.add(considerations);
        }
    }
}
