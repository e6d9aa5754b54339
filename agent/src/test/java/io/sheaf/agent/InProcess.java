package io.sheaf.agent;

import io.sheaf.agent.link.LinkSettings;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** An agent that runs in a thread of the test; its tasks are real processes. */
final class InProcess {
    static final LinkSettings QUICK = new LinkSettings(2_000, 300, 3_000, 20, 50, 300);

    private final Agent agent;
    private final Thread thread;

    private InProcess(Agent agent) {
        this.agent = agent;
        thread = new Thread(this::run, "agent");
    }

    static InProcess start(RunFolder run, AgentId id, AgentSettings settings) throws IOException {
        Files.createDirectories(run.agent(id));
        PrintStream discarded = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        InProcess started = new InProcess(new Agent(run, id, settings, QUICK, new AgentLog(discarded)));
        started.thread.start();
        return started;
    }

    private void run() {
        try {
            agent.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean alive() {
        return thread.isAlive();
    }

    void awaitEnd() throws InterruptedException {
        thread.join(TestManager.TIMEOUT_SECONDS * 1000L);
    }

    /** Stops the agent and waits for its end. */
    void close() throws InterruptedException {
        agent.stopSoon("the test has ended");
        awaitEnd();
        if (thread.isAlive()) {
            throw new AssertionError("the agent did not end");
        }
    }
}
