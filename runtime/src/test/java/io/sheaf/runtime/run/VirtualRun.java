package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Work;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.predict.WaitMemory;
import io.sheaf.random.RandomStream;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterShape;
import io.sheaf.runtime.cluster.EmbeddedCluster;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.journal.Disk;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.limits.SubmissionGate;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.recorded.History;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.testing.ManagerState;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A run on a virtual clock whose manager process is killed at given points and restarted.
 *
 * <p>The process may end before and after each commit of its journals, and after each operation on agents. Only the
 * journals remain then.
 */
public final class VirtualRun {
    /** The process ends here. */
    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final int MAX_TURNS = 20_000;

    private final Path folder;
    private final Workflow workflow;
    private final List<ControlRequest> requests = new ArrayList<>();
    /** Tasks of three seconds are brief. */
    private static final Rules RULES = Rules.DEFAULT.maxTimeouts(5).brief(3_000);

    private Workflow forest;
    private int requested;
    private final String strategy;
    private final ClusterShape shape;
    private final VirtualAgents agents;
    private final RandomStream random;
    private List<Integer> crashes = List.of();
    private List<Long> jumps = List.of();
    private int deaths;
    private int points;
    private int restarts;
    private long downtime;
    private WaitMemory waits = WaitMemory.NONE;
    private int volume = Integer.MAX_VALUE;
    private long interval;
    private Watcher watcher = request -> {};
    private int snapshots;
    /** States that a process started now may restore: that of its predecessor before its last turn, or after it. */
    private List<String> expected = List.of();

    private static final long BEGIN = 1_000_000;

    private long clock = BEGIN;
    private @Nullable Manager manager;

    public VirtualRun(Path folder, Workflow workflow, String strategy, ClusterShape shape, long seed) {
        this.folder = folder;
        this.workflow = workflow;
        forest = workflow;
        this.strategy = strategy;
        this.shape = shape;
        random = new RandomStream(seed);
        agents = new VirtualAgents(
                        task -> forest.timeMicros(task) / 1000
                                + random.split("late").split(task).nextInt(2_000),
                        this::point)
                .cores(shape.node().cores());
        agents.advanceTo(clock);
    }

    /** The process ends at these points, counted from each start. */
    public VirtualRun crashingAt(List<Integer> at) {
        crashes = at;
        return this;
    }

    /** The error of the wall clock at each start of a process, in milliseconds. */
    VirtualRun withClockWrongBy(List<Long> millis) {
        jumps = millis;
        return this;
    }

    /** The run is open, and these requests are put into its folder one after the other, also after crashes. */
    VirtualRun requesting(List<ControlRequest> all) {
        requests.addAll(all);
        for (ControlRequest request : all) {
            if (request instanceof ControlRequest.Submit submit) {
                forest = forest.plus(Addition.of(submit.origin(), submit.tasks()));
            }
        }
        return this;
    }

    /**
     * Ended workflows are archived once they have a given number of tasks; the process may end in the middle of each
     * write, too.
     */
    VirtualRun withVolumes(int tasks) {
        volume = tasks;
        return this;
    }

    /**
     * Requests are put in at an interval in milliseconds, instead of every third turn; the watcher is called before
     * each.
     */
    VirtualRun every(long millis, Watcher watching) {
        interval = millis;
        watcher = watching;
        return this;
    }

    /** Called between two turns. */
    interface Watcher {
        void before(int request) throws IOException;
    }

    /** Number of times that workflows were archived. */
    int snapshots() {
        return snapshots;
    }

    /** Sets the memory of learnt waits. */
    VirtualRun learningWith(WaitMemory memory) {
        waits = memory;
        return this;
    }

    /** After each crash there is no manager for a given number of milliseconds. */
    public VirtualRun withDowntime(long millis) {
        downtime = millis;
        return this;
    }

    /** A given number of agents are killed during the run. */
    public VirtualRun withDeaths(int count) {
        deaths = count;
        return this;
    }

    /** Runs to the end; returns the number of points that the last process passed. */
    public int execute() throws IOException, InterruptedException {
        while (true) {
            try {
                if (process()) {
                    return points;
                }
                agents.disconnect();
            } catch (Crash e) {
                restarts++;
                agents.disconnect();
                // Without a manager for a while, or hardly at all.
                clock += downtime > 0
                        ? downtime
                        : random.split("away").split(restarts).nextInt(3) * 4_000L;
                agents.advanceTo(clock);
            }
        }
    }

    public int restarts() {
        return restarts;
    }

    VirtualAgents agents() {
        return agents;
    }

    public Manager manager() {
        return Objects.requireNonNull(manager);
    }

    private void point() {
        points++;
        if (restarts < crashes.size() && points == crashes.get(restarts)) {
            throw new Crash();
        }
    }

    /** Whether the run has ended, and not only paused until a later resume. */
    private boolean process() throws IOException, InterruptedException {
        points = 0;
        agents.begin();
        try (Journal run = open("journal");
                Journal cluster = open("cluster")) {
            EventQueue inbox = new EventQueue();
            RunJournal journal = new RunJournal(run);
            long wrong = restarts < jumps.size() ? jumps.get(restarts) : 0;
            long from = clock;
            RunClock runClock = RunClock.of(LastInstant.of(journal, cluster), clock + wrong, () -> clock - from);
            EmbeddedCluster backend = new EmbeddedCluster(shape, cluster, agents, runClock);
            Considerations.Notes notes = new Considerations.Notes();
            ControlRequestQueue applied = new ControlRequestQueue(
                    new ControlFolder(folder), journal::checkLease, Integer.MAX_VALUE, this::refused);
            compare(journal, backend, notes);
            Takeover.Restored restored = new Takeover(
                            new Volumes(folder), "test", journal, () -> manager(backend, notes), strategy())
                    .restore(volume, applied, message -> snapshots++);
            Manager fresh = restored.manager();
            Forest parts = restored.forest();
            Recovery recovery = restored.recovery();
            expect(fresh);
            RunLoop loop = new RunLoop(
                    new RunLoop.LoopState(fresh, notes, parts, journal),
                    new RunLoop.LoopPorts(
                            backend,
                            SubmissionGate.unlimited(backend, AgentReserve.NONE),
                            agents,
                            (task, attempt, hosts) ->
                                    start(parts.agentId(new AttemptId(task, attempt)), share(parts.of(task), task)),
                            inbox,
                            runClock),
                    text -> {});
            loop.learnWith(waits);
            loop.requestsFrom((now, of, known, to) -> applied.poll(
                    now,
                    of,
                    known,
                    (event, done) -> to.accept(event, () -> {
                        point();
                        done.run();
                        point();
                    })));
            if (recovery.isFresh()) {
                journal.begin("test", runClock.millis());
                if (!requests.isEmpty()) {
                    loop.apply(new Event.Opened(runClock.millis()));
                }
            } else {
                loop.recover(recovery.results());
            }
            agents.connect(inbox);
            manager = fresh;
            return turns(loop, parts, inbox, runClock.millis() - clock);
        }
    }

    /** Only requests about workflows that have ended and were archived may be refused. */
    private void refused(String message) {
        int first = 0;
        boolean archived = false;
        for (ControlRequest request : requests) {
            if (request instanceof ControlRequest.Submit submit) {
                int next = first + submit.tasks().size();
                archived |= message.contains(
                                "there is no workflow '" + submit.origin().id() + "'")
                        && IntStream.range(first, next).allMatch(agents.succeeded::containsKey);
                first = next;
            }
        }
        assertThat(archived).as(message).isTrue();
    }

    /** Checks that the durable state is that of the predecessor before its last turn, or after it. */
    private void compare(RunJournal journal, Cluster backend, Considerations.Notes notes) throws IOException {
        if (volume == Integer.MAX_VALUE) {
            return;
        }
        Manager found = manager(backend, notes);
        Recovery recovery = Recovery.of(journal, found, new Forest(found.workflow()), strategy());
        if (!recovery.isFresh() && !expected.isEmpty()) {
            if (manager != null) {
                expected = List.of(expected.get(0), ManagerState.of(manager));
            }
            assertThat(expected).as("the state that a process restores").contains(ManagerState.of(found));
        }
        expect(found);
        manager = null;
    }

    private void expect(Manager standing) {
        if (volume != Integer.MAX_VALUE) {
            expected = expected.size() == 1
                    ? List.of(expected.get(0), ManagerState.of(standing))
                    : List.of(ManagerState.of(standing));
        }
    }

    private boolean turns(RunLoop loop, Forest parts, EventQueue inbox, long ahead)
            throws IOException, InterruptedException {
        for (int turn = 0; turn < MAX_TURNS; turn++) {
            if (requested < requests.size() && (interval > 0 ? clock >= nextRequest() : turn % 3 == 2)) {
                watcher.before(requested);
                new ControlFolder(folder).put(requests.get(requested++));
            }
            if (volume != Integer.MAX_VALUE) {
                expected = List.of(ManagerState.of(manager()));
            }
            long due = loop.turn(inbox.take(0));
            if (loop.isFinished()) {
                return true;
            }
            if (RunCheckpoint.isNeeded(manager(), parts, volume)) {
                return false;
            }
            long next = Math.min(due == Cluster.NEVER ? due : due - ahead, agents.next());
            next = interval > 0 && requested < requests.size() ? Math.min(next, nextRequest()) : next;
            if (next == Long.MAX_VALUE && requested < requests.size()) {
                continue;
            }
            if (next == Long.MAX_VALUE && manager().paused() != null) {
                // Agents died with their process, crash after crash: the test resumes the paused run.
                loop.apply(new Event.Resumed(clock + ahead));
                continue;
            }
            assertThat(next)
                    .as("an event is due at %s: %s", clock, ManagerState.of(manager()))
                    .isNotEqualTo(Long.MAX_VALUE);
            clock = Math.max(clock, next);
            agents.advanceTo(clock);
            killSome();
        }
        throw new AssertionError("the run does not end: " + ManagerState.of(manager()));
    }

    private long nextRequest() {
        return BEGIN + requested * interval;
    }

    private void killSome() {
        if (deaths > 0 && random.split("death").split(clock).chance(0.05)) {
            AgentId victim = agents.liveAgent((int) (clock % 7));
            if (victim != null) {
                deaths--;
                agents.die(victim);
            }
        }
    }

    private Strategy strategy() {
        return PerWorkflow.of(
                workflow,
                each -> Strategies.named(
                        strategy,
                        new RunTimes(each, Profile.OWN.planOrder(), shape.node().cores()),
                        Profile.OWN,
                        waits));
    }

    private Manager manager(Cluster backend, Considerations.Notes notes) {
        return new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                strategy(),
                backend.estimator(),
                notes,
                shape.nodes(),
                8,
                RULES.node(Resources.node(shape.node().cores())));
    }

    /** A manager restored from the journal alone, for comparison. */
    Manager restoredManager() throws IOException {
        crashes = List.of();
        Considerations.Notes notes = new Considerations.Notes();
        try (Journal cluster = open("cluster")) {
            Manager made = manager(new EmbeddedCluster(shape, cluster, agents, () -> clock), notes);
            RunJournal.scan(
                    folder.resolve("journal"), strategy()::memo, new Recovery(made, new Forest(made.workflow())));
            return made;
        }
    }

    /** The history that the journal alone shows to a reader that has read the first records already. */
    public History history(@Nullable RunListener follower, long known) throws IOException {
        Strategy replayed = strategy();
        Manager made = new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                replayed,
                new NoQueries(),
                DecisionSink.NOTHING,
                shape.nodes(),
                8,
                RULES.node(Resources.node(shape.node().cores())));
        History history = new History(made, follower, known);
        RunJournal.scan(folder.resolve("journal"), replayed::memo, history);
        return history;
    }

    /** A reader sends no queries. */
    private static final class NoQueries implements StartEstimator {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            throw new AssertionError("a reader sent a query");
        }

        @Override
        public Basis basis() {
            return Basis.NONE;
        }
    }

    static Message.Start start(int task, int attempt, List<String> hosts) {
        return start(new AttemptId(task, attempt), 0);
    }

    private static int share(Forest.ForestWorkflow part, int task) {
        return part.tasks().resources(task - part.first()).share();
    }

    private static Message.Start start(AttemptId attempt, int share) {
        return new Message.Start(
                attempt,
                Work.of("task", List.of("true")),
                new Needs(1, 0, 0, 0, List.of(), share, 0),
                TaskFiles.none("folder", "out", "err"));
    }

    private Journal open(String name) throws IOException {
        return Journal.open(folder.resolve(name), "test", message -> {}, CrashingDisk::new);
    }

    /**
     * A disk on which the process may end before and after every write. Nothing is forced, since that takes too long.
     */
    private final class CrashingDisk implements Disk {
        private final Disk disk;

        CrashingDisk(FileChannel channel) {
            disk = Disk.of(channel);
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            point();
            if (volume != Integer.MAX_VALUE) {
                ByteBuffer torn = bytes.duplicate();
                torn.limit(random.split("torn").split(position).split(points).nextInt(bytes.remaining() + 1));
                disk.write(torn, position);
                point();
            }
            disk.write(bytes, position);
            point();
        }

        @Override
        public void force() {}

        @Override
        public void close() throws IOException {
            disk.close();
        }
    }
}
