package io.sheaf.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.link.AgentServer;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Message.Ack;
import io.sheaf.agent.protocol.Message.Bye;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A manager of one epoch that records the messages of agents; every wait has a time limit. */
public final class TestManager implements AgentServer.Listener, AutoCloseable {
    /**
     * The limit of a wait: enough on a busy machine for anything that takes a few seconds on an idle one. The timeout
     * of a test class allows several such waits.
     */
    static final int TIMEOUT_SECONDS = 180;

    private static final Path CREDENTIALS =
            Path.of("target", "test-" + ProcessHandle.current().pid() + ".p12");

    /** A message that the manager received. */
    public record Received(AgentId agent, String by, Message message) {}

    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final Queue<String> troubles = new ConcurrentLinkedQueue<>();
    private final AgentServer server;

    private TestManager(RunFolder run, long epoch, ServerSettings settings) throws IOException {
        server = AgentServer.open(run, epoch, settings, this);
    }

    /** Opens a manager and announces its address; creates credentials if needed. */
    public static TestManager open(RunFolder run, long epoch, ServerSettings settings) throws IOException {
        if (Files.notExists(run.credentials())) {
            Files.copy(sharedCredentials(), run.credentials());
        }
        TestManager manager = new TestManager(run, epoch, settings);
        manager.server.announce();
        return manager;
    }

    /** Credentials that all tests share; creating them takes longer than most tests. */
    private static synchronized Path sharedCredentials() throws IOException {
        if (Files.notExists(CREDENTIALS)) {
            Credentials.create(CREDENTIALS);
        }
        return CREDENTIALS;
    }

    public AgentServer server() {
        return server;
    }

    public Queue<String> troubles() {
        return troubles;
    }

    void send(AgentId agent, Message.ToAgent message) {
        assertThat(server.send(agent, message))
                .as("agent " + agent + " is connected")
                .isTrue();
    }

    /** Returns the next message of this kind that meets the condition, and discards those before it. */
    public <M extends Message> Received await(Class<M> kind, Predicate<M> condition) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (System.nanoTime() - until < 0) {
            Received next = received.poll(100, TimeUnit.MILLISECONDS);
            if (next != null && kind.isInstance(next.message) && condition.test(kind.cast(next.message))) {
                return next;
            }
        }
        throw new AssertionError(
                "no " + kind.getSimpleName() + " within " + TIMEOUT_SECONDS + " s; troubles: " + troubles);
    }

    public Received hello() throws InterruptedException {
        return await(Hello.class, any -> true);
    }

    void running(AttemptId attempt) throws InterruptedException {
        await(Running.class, running -> running.attempt().equals(attempt));
    }

    /** Waits for the result of an attempt; does not acknowledge it. */
    Ended ended(AttemptId attempt) throws InterruptedException {
        return (Ended) await(Ended.class, ended -> ended.attempt().equals(attempt)).message;
    }

    void acknowledge(AgentId agent, AttemptId attempt) {
        send(agent, new Ack(List.of(attempt)));
    }

    void bye() throws InterruptedException {
        await(Bye.class, any -> true);
    }

    /**
     * A condition that may become true.
     *
     * @param <E> the exception that the check may throw
     */
    public interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    /** Waits until a condition holds, and fails if that takes too long. */
    public static <E extends Exception> void until(String description, Condition<E> condition)
            throws E, InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!condition.holds()) {
            assertThat(System.nanoTime() - until)
                    .as("waiting for " + description)
                    .isNegative();
            Thread.sleep(10);
        }
    }

    @Override
    public void connected(AgentId agent, Hello hello, String by) {
        received.add(new Received(agent, by, hello));
    }

    @Override
    public void received(AgentId agent, Message message) {
        received.add(new Received(agent, "", message));
    }

    @Override
    public void disconnected(AgentId agent, String reason) {
        troubles.add(agent + ": " + reason);
    }

    @Override
    public void trouble(String description) {
        troubles.add(description);
    }

    @Override
    public void close() {
        server.close();
    }
}
