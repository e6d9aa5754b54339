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
import io.sheaf.runtime.limits.SubmissionGate;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
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
 * The loop of a process that has taken over a run, with a journal in a folder. Its cluster and agents only record
 * calls, in order.
 *
 * <p>Tests provide their reports. The cluster has two nodes of one core; the strategy is {@code onejob}.
 */
final class NotedLoop implements AutoCloseable {
    /** Everything that was appended to the journal is on the disk. */
    static final String DURABLE = "durable";

    private static final long BEGIN = 1_000_000;

    /** Recorded calls and messages, in order. */
    final List<String> recorded = new ArrayList<>();

    /** Results that ended agents have stored. */
    final Map<AgentId, List<Message.Ended>> leftResults = new HashMap<>();

    final Takeover.Restored restored;
    final RunLoop loop;
    long clock = BEGIN;

    /** Number of the next disk writes that fail. */
    int failures;

    private final Journal journal;
    private final List<Event> reports = new ArrayList<>();

    /** Takes over the run in a folder, which begins with a workflow; a run without tasks accepts submissions. */
    NotedLoop(Path folder, Workflow workflow) throws IOException {
        this(folder, workflow, Integer.MAX_VALUE);
    }

    /** Takes over the run in a folder, and archives ended workflows once they have a given number of tasks. */
    NotedLoop(Path folder, Workflow workflow, int volume) throws IOException {
        journal = Journal.open(folder.resolve("journal"), "test", recorded::add, RecordingDisk::new);
        RunJournal records = new RunJournal(journal);
        Considerations.Notes notes = new Considerations.Notes();
        ControlRequestQueue requests = new ControlRequestQueue(
                new ControlFolder(folder), records::checkLease, Integer.MAX_VALUE, recorded::add);
        restored = new Takeover(new Volumes(folder), "run", records, () -> manager(workflow, notes), strategy(workflow))
                .restore(volume, requests, recorded::add);
        Cluster cluster = new NotedCluster(recorded, reports);
        loop = new RunLoop(
                new RunLoop.LoopState(restored.manager(), notes, restored.forest(), records),
                new RunLoop.LoopPorts(
                        cluster,
                        SubmissionGate.unlimited(cluster, AgentReserve.NONE),
                        new RecordingAgents(),
                        VirtualRun::start,
                        new EventQueue(),
                        () -> clock),
                recorded::add);
        loop.requestsFrom((now, of, known, to) -> requests.poll(
                now,
                of,
                known,
                (event, done) -> to.accept(event, () -> {
                    recorded.add("request removed");
                    done.run();
                })));
        recorded.clear();
        if (!restored.recovery().isFresh()) {
            loop.recover(restored.recovery().results());
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

    /** A number of tasks of ten seconds, each of which depends on the one before. */
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

    /** Runs a turn in which the cluster reports events; returns the recorded calls. */
    List<String> reports(Event... events) throws IOException {
        reports.addAll(List.of(events));
        return turn();
    }

    /** Runs a turn in which an agent sends a message; returns the recorded calls. */
    List<String> receives(AgentId agent, Message message) throws IOException {
        return turn(new EventQueue.AgentMessage(agent, message));
    }

    /** Runs a turn; returns the recorded calls. */
    List<String> turn(EventQueue.AgentMessage... messages) throws IOException {
        recorded.clear();
        clock += 100;
        loop.turn(List.of(messages));
        return List.copyOf(recorded);
    }

    /** Three turns after which the only pilot job runs, with an agent on its only node. */
    void start() throws IOException {
        turn();
        reports(new Event.Accepted(clock, 1), new Event.Started(clock, 1, false));
        receives(agent(), hello());
    }

    Manager manager() {
        return restored.manager();
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

    private final class RecordingDisk implements Disk {
        private final Disk disk;

        RecordingDisk(FileChannel channel) {
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
            recorded.add(DURABLE);
        }

        @Override
        public void close() throws IOException {
            disk.close();
        }
    }

    private final class RecordingAgents implements Agents {
        @Override
        public void send(AgentId agent, Message.ToAgent message) {
            String description = message.getClass().getSimpleName();
            if (message instanceof Message.Start start) {
                description += " task " + start.attempt().task();
            } else if (message instanceof Message.Ack ack) {
                description += " task " + ack.attempts().get(0).task();
            }
            recorded.add(description);
        }

        @Override
        public boolean isConnected(AgentId agent) {
            return true;
        }

        @Override
        public void flush() {}

        @Override
        public List<Message.Ended> storedResults(AgentId agent, List<Message.Start> open) {
            return leftResults.getOrDefault(agent, List.of());
        }

        @Override
        public void forget(AgentId agent) {
            recorded.add("forget agent");
        }
    }
}
