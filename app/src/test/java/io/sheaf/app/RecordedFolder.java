package io.sheaf.app;

import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.cluster.EmbeddedAccess;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Creates a run folder without a real run: a manager of two nodes receives simulated events, and writes its journal.
 *
 * <p>The clock starts at 1,000 s. Pilot jobs are estimated to start after 20 s and start after 10 s; each task runs for
 * 30 s.
 */
final class RecordedFolder implements AutoCloseable {
    static final long BEGIN = 1_000_000;

    /** Task a, then b and c, then d. */
    static final String DIAMOND = """
            name: diamond
            tasks:
              a: {time: 30s, run: "true"}
              b: {time: 30s, run: "true", after: a}
              c: {time: 30s, run: "true", after: a}
              d: {time: 30s, run: "true", after: [b, c]}
            """;

    private static final int NODES = 2;
    private static final int CAP = 4;

    private final Journal file;
    private final RunJournal journal;
    private final Considerations.Notes notes = new Considerations.Notes();
    private final Manager manager;
    private final Queue<Event> pending = new ArrayDeque<>();
    private long now = BEGIN;

    RecordedFolder(Path folder, String strategy, String yaml) throws IOException {
        Workflow workflow =
                Formats.reader("yaml").read(Source.of("w.yaml", yaml.getBytes(StandardCharsets.UTF_8)), true);
        RunSpec spec = new RunSpecBuilder("test", workflow.name(), folder, strategy)
                .fileEdges(true)
                .nodes(NODES, 1)
                .cap(CAP)
                .outputPatience(0)
                .build();
        WorkflowRun.create(folder, spec, WorkflowRun.Tasks.of(workflow), folder, new EmbeddedAccess());
        // The lease owner is not a process: no manager is live.
        file = Journal.open(folder.resolve("journal"), "nobody", message -> {});
        journal = new RunJournal(file);
        Strategy named = Strategies.named(strategy, new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN);
        manager = new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                named,
                new FixedEstimator(),
                notes,
                NODES,
                CAP,
                Rules.DEFAULT.sharedFiles(true));
        journal.begin("test", BEGIN);
        settle();
    }

    /** Delivers a number of pending events to the manager. */
    RecordedFolder deliver(int events) throws IOException {
        for (int i = 0; i < events && !pending.isEmpty(); i++) {
            apply(pending.remove());
        }
        return this;
    }

    /** Delivers all events until none is pending. */
    RecordedFolder deliverAll() throws IOException {
        return deliver(Integer.MAX_VALUE);
    }

    RecordedFolder apply(Event event) throws IOException {
        now = Math.max(now, event.at());
        journal.event(event);
        manager.on(event, new SimulatedEffects());
        settle();
        return this;
    }

    private void settle() throws IOException {
        Decision decision = manager.settle(now, new SimulatedEffects());
        journal.settled(now, decision);
        if (decision != null && !notes.isEmpty()) {
            journal.considered(notes.considerations(decision));
        }
        journal.commit();
    }

    @Override
    public void close() {
        file.close();
    }

    /** Estimates that each job starts after 20 s. */
    private static final class FixedEstimator implements StartEstimator {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            answer.begin(query, basis());
            answer.fill(query.isWithQueued() ? StartTimes.NEVER : query.now() + 20_000);
        }

        @Override
        public Basis basis() {
            return Basis.PROMISE;
        }
    }

    /** Adds the events that follow from the manager's requests. */
    private final class SimulatedEffects implements Effects {
        @Override
        public void submit(long token, Request request) {
            pending.add(new Event.Accepted(now, token));
            pending.add(new Event.Started(now + 10_000, token));
        }

        @Override
        public void cancel(long token) {
            pending.add(new Event.Ended(now + 1_000, token, Event.End.CANCELLED));
        }

        @Override
        public void shorten(long token, long walltime) {}

        @Override
        public void release(long token) {
            pending.add(new Event.Ended(now + 1_000, token, Event.End.RELEASED));
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            pending.add(new Event.TaskEnded(now + 30_000, token, task, attempt, Event.Outcome.SUCCEEDED));
        }

        @Override
        public void stop(long token, int task, int attempt) {}

        @Override
        public void wake(long at) {}
    }
}
