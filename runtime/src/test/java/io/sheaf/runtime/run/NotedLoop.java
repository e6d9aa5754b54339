package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.NotedCluster;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.journal.Disk;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.site.SubmissionGate;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The loop of a process that has taken over a run, with a journal in a folder, and a cluster and agents that only note in order what is asked of them.
 *
 * <p>What they report is given by the test. The cluster has two nodes of one core; the strategy is {@code onejob}.
 */
final class NotedLoop implements AutoCloseable {
    /** Everything that was appended to the journal is on the disk. */
    static final String DURABLE = "durable";

    private static final long BEGIN = 1_000_000;

    /** What was done, in order. */
    final List<String> noted = new ArrayList<>();

    /** What agents that are gone have left. */
    final Map<AgentId, List<Message.Ended>> left = new HashMap<>();

    final Takeover.Restored taken;
    final RunLoop loop;
    long clock = BEGIN;

    /** How many of the next writes to the disk fail. */
    int failures;

    private final Journal journal;
    private final List<Event> reports = new ArrayList<>();

    /** Takes over the run in a folder, which begins with a workflow; one without tasks takes others. */
    NotedLoop(Path folder, Workflow workflow) throws IOException {
        this(folder, workflow, Integer.MAX_VALUE);
    }

    /** Takes it over, and puts workflows aside that have ended once they have a given number of tasks. */
    NotedLoop(Path folder, Workflow workflow, int volume) throws IOException {
        journal = Journal.open(folder.resolve("journal"), "test", noted::add, NotedDisk::new);
        RunJournal records = new RunJournal(journal);
        Considerations.Notes notes = new Considerations.Notes();
        ControlRequestQueue requests =
                new ControlRequestQueue(new ControlFolder(folder), records::checkLease, Integer.MAX_VALUE, noted::add);
        taken = new Takeover(new Volumes(folder), "run", records, () -> manager(workflow, notes), strategy(workflow))
                .restore(volume, requests, noted::add);
        Cluster cluster = new NotedCluster(noted, reports);
        loop = new RunLoop(
                new RunLoop.LoopState(taken.manager(), notes, taken.forest(), records),
                new RunLoop.LoopPorts(
                        cluster,
                        SubmissionGate.unlimited(cluster, AgentReserve.NONE),
                        new NotedAgents(),
                        VirtualRun::start,
                        new EventQueue(),
                        () -> clock),
                noted::add);
        loop.requestsFrom((now, of, known, to) -> requests.poll(
                now,
                of,
                known,
                (event, done) -> to.accept(event, () -> {
                    noted.add("request removed");
                    done.run();
                })));
        noted.clear();
        if (!taken.recovery().isFresh()) {
            loop.recover(taken.recovery().results());
            return;
        }
        records.begin("run", clock);
        if (workflow.size() == 0) {
            loop.apply(new Event.Opened(clock));
        }
    }

    static Manager manager(Workflow workflow, Considerations.Notes notes) {
        return new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                strategy(workflow),
                StartEstimator.UNINFORMED,
                notes,
                2,
                8,
                Rules.DEFAULT);
    }

    private static Strategy strategy(Workflow workflow) {
        return PerWorkflow.of(
                workflow,
                each -> Strategies.named(
                        "onejob", new RunTimes(each, Profile.OWN.planOrder(), 1), Profile.OWN, WaitMemory.NONE));
    }

    /** A given number of tasks of ten seconds, each after the one before it. */
    static Workflow chain(String name, int tasks) {
        WorkflowBuilder builder = new WorkflowBuilder(name);
        for (int i = 0; i < tasks; i++) {
            int task = builder.task(name + "/" + i);
            builder.time(task, 10_000_000).command(task, Command.of(List.of("true")));
            if (i > 0) {
                builder.edge(task - 1, task);
            }
        }
        return builder.build();
    }

    /** A turn in which the cluster reports these; what was done in it. */
    List<String> reports(Event... events) throws IOException {
        reports.addAll(List.of(events));
        return turn();
    }

    /** A turn in which an agent says something; what was done in it. */
    List<String> receives(AgentId agent, Message message) throws IOException {
        return turn(new EventQueue.AgentMessage(agent, message));
    }

    /** A turn; what was done in it. */
    List<String> turn(EventQueue.AgentMessage... messages) throws IOException {
        noted.clear();
        clock += 100;
        loop.turn(List.of(messages));
        return List.copyOf(noted);
    }

    /** Three turns after which the only pilot job runs, with an agent on its only node. */
    void start() throws IOException {
        turn();
        reports(new Event.Accepted(clock, 1), new Event.Started(clock, 1, false));
        receives(agent(), hello());
    }

    Manager manager() {
        return taken.manager();
    }

    /** The agent of the first node of the first pilot job. */
    static AgentId agent() {
        return new AgentId(1, 0);
    }

    static Message.Hello hello() {
        return new Message.Hello(agent(), "here", 1, 1, 0, 0, List.of(), false);
    }

    Message.Ended succeeded(int task) {
        return new Message.Ended(
                new AttemptId(task, 1),
                AttemptOutcome.SUCCEEDED,
                0,
                "",
                new Usage(clock, 10_000, -1, -1),
                List.of(),
                List.of());
    }

    @Override
    public void close() {
        journal.close();
    }

    private final class NotedDisk implements Disk {
        private final Disk disk;

        NotedDisk(FileChannel channel) {
            disk = Disk.of(channel);
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            if (failures > 0) {
                failures--;
                throw new IOException("no space left");
            }
            disk.write(bytes, position);
        }

        @Override
        public void force() {
            noted.add(DURABLE);
        }

        @Override
        public void close() throws IOException {
            disk.close();
        }
    }

    private final class NotedAgents implements Agents {
        @Override
        public void send(AgentId agent, Message.ToAgent message) {
            String description = message.getClass().getSimpleName();
            if (message instanceof Message.Start start) {
                description += " task " + start.attempt().task();
            } else if (message instanceof Message.Ack ack) {
                description += " task " + ack.attempts().get(0).task();
            }
            noted.add(description);
        }

        @Override
        public boolean isConnected(AgentId agent) {
            return true;
        }

        @Override
        public void flush() {}

        @Override
        public List<Message.Ended> storedResults(AgentId agent, List<Message.Start> open) {
            return left.getOrDefault(agent, List.of());
        }

        @Override
        public void forget(AgentId agent) {
            noted.add("forget agent");
        }
    }
}
