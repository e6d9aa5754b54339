package io.sheaf.agent;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Start;
import java.io.IOException;
import java.nio.file.Path;

/** An agent of a test with the manager that it is connected to. */
record TestNode(TestManager manager, InProcess agent) {
    private static final AgentId AGENT = new AgentId(1, 0);

    /** Starts a manager and an agent with this folder of the run. */
    static TestNode connect(Path run, AgentSettings settings) throws IOException, InterruptedException {
        RunFolder folder = new RunFolder(run);
        TestManager manager = TestManager.open(folder, 1, ServerSettings.loopback());
        InProcess agent = InProcess.start(folder, AGENT, settings);
        manager.hello();
        return new TestNode(manager, agent);
    }

    void send(Message.ToAgent message) {
        manager.send(AGENT, message);
    }

    /**
     * Runs an attempt to its end; does not acknowledge the result. On a busy machine the agent may reconnect. If it
     * does not know the attempt then, the message was lost and is sent again, as by a real manager.
     */
    Ended run(Start start) throws InterruptedException {
        AttemptId attempt = start.attempt();
        while (true) {
            TestManager.until("agent " + AGENT, () -> manager.server().send(AGENT, start));
            Message next = manager.await(
                            Message.class,
                            message -> message instanceof Ended ended
                                    ? ended.attempt().equals(attempt)
                                    : message instanceof Hello hello
                                            && !hello.known().contains(attempt))
                    .message();
            if (next instanceof Ended ended) {
                return ended;
            }
        }
    }

    void acknowledge(AttemptId attempt) {
        manager.acknowledge(AGENT, attempt);
    }

    void close() throws InterruptedException {
        agent.close();
        manager.close();
    }
}
