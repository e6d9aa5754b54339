package io.sheaf.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.TestManager;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Message.Ack;
import io.sheaf.agent.protocol.Message.Bye;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Kill;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests both sides of the link over real sockets and files. */
@Timeout(1200)
class ManagerLinkIT implements AgentLink.Listener {
    private static final AgentId AGENT = new AgentId(7, 1);
    private static final LinkSettings QUICK = new LinkSettings(1_000, 200, 2_000, 20, 50, 300);
    private static final Hello HELLO = new Hello(AGENT, "node", 1, 2, 0, 0, List.of(new AttemptId(1, 1)), false);

    @TempDir
    Path folder = Path.of("");

    private RunFolder run = new RunFolder(folder);
    private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> transports = new LinkedBlockingQueue<>();
    /** Messages that the agent sends in every session; those sent outside a session or at its end are lost. */
    private volatile List<Message.ToManager> repeated = List.of(HELLO);

    private AgentLink link;

    @BeforeEach
    void open() {
        run = new RunFolder(folder);
        link = new AgentLink(run, AGENT, QUICK, this);
    }

    @AfterEach
    void close() {
        link.close();
    }

    @Override
    public void connected(String by) {
        transports.add(by);
        link.send(repeated);
    }

    @Override
    public void received(Message.ToAgent message) {
        received.add(message);
    }

    @Override
    public void disconnected(String why) {}

    private static ServerSettings loopback() {
        return new ServerSettings("127.0.0.1", 0, 0, true, 200, 2_000, 20);
    }

    private void awaitReceived(Message expected) throws InterruptedException {
        TestManager.until(expected.toString(), () -> expected.equals(received.poll(100, TimeUnit.MILLISECONDS)));
    }

    private static ServerSocket portOfAnotherProgram() throws IOException {
        return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @Test
    void messagesAreSentInBothDirectionsOverTls() throws IOException, InterruptedException {
        try (TestManager manager = TestManager.open(run, 3, loopback())) {
            link.start();
            TestManager.Received hello = manager.hello();
            assertThat(hello.message()).isEqualTo(HELLO);
            assertThat(hello.by()).contains("127.0.0.1");
            assertThat(manager.server().send(AGENT, new Kill(new AttemptId(1, 1))))
                    .isTrue();
            awaitReceived(new Kill(new AttemptId(1, 1)));
            link.send(List.of(new Bye("done")));
            manager.await(Bye.class, bye -> bye.reason().equals("done"));
            assertThat(manager.server().send(new AgentId(8, 0), new Kill(new AttemptId(1, 1))))
                    .as("an agent that never connected")
                    .isFalse();
        }
    }

    @Test
    void onlyTheOwnerHasAccessToTheCredentials() throws IOException {
        Credentials.create(run.credentials());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(run.credentials())))
                .isEqualTo("rw-------");
        byte[] created = Files.readAllBytes(run.credentials());
        Credentials.create(run.credentials());
        assertThat(run.credentials()).as("created once").hasBinaryContent(created);
        try (var files = Files.list(folder)) {
            assertThat(files).as("nothing else is left").containsExactly(run.credentials());
        }
    }

    @Test
    void anAgentRefusesAManagerWithAnotherCertificate() throws IOException {
        try (TestManager manager = TestManager.open(run, 1, loopback())) {
            Path other = folder.resolve("other.p12");
            Credentials.create(other);
            Endpoint endpoint = manager.server().endpoint();
            Credentials strangerCredentials = Credentials.load(other);
            assertThatThrownBy(() -> TlsSession.open(strangerCredentials, endpoint, QUICK))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void theManagerRefusesAClientWithoutTheRunsCertificate()
            throws IOException, InterruptedException, GeneralSecurityException {
        try (TestManager manager = TestManager.open(run, 1, loopback())) {
            Path other = folder.resolve("other.p12");
            Credentials.create(other);
            for (@Nullable Path presented : Arrays.asList(other, null)) {
                manager.troubles().clear();
                int port = manager.server().endpoint().port();
                try (SSLSocket socket = (SSLSocket) stranger(presented, run.credentials())
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(10_000);
                    // The refusal may arrive during the write or the read.
                    assertThatThrownBy(() -> {
                                socket.getOutputStream().write(Frames.encode(1, List.of(HELLO)));
                                socket.getInputStream().read();
                            })
                            .isInstanceOf(IOException.class);
                }
                awaitTrouble(manager, "refused a connection from /127.0.0.1");
                assertThat(manager.server().peer(AGENT)).isNull();
            }
        }
    }

    private static void awaitTrouble(TestManager manager, String beginning) throws InterruptedException {
        TestManager.until(
                beginning, () -> manager.troubles().stream().anyMatch(trouble -> trouble.startsWith(beginning)));
    }

    /** A client that trusts the run's certificate but presents another one or none. */
    private static SSLContext stranger(@Nullable Path presented, Path trusted)
            throws IOException, GeneralSecurityException {
        char[] password = "sheaf-run".toCharArray();
        KeyStore known = KeyStore.getInstance(trusted.toFile(), password);
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("run", known.getCertificate("run"));
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
        trustManagers.init(trust);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(presented == null ? trust : KeyStore.getInstance(presented.toFile(), password), password);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys.getKeyManagers(), trustManagers.getTrustManagers(), null);
        return context;
    }

    @Test
    void garbageIsRefusedAndAgentsStillConnect() throws IOException, InterruptedException {
        try (TestManager manager = TestManager.open(run, 1, loopback());
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        manager.server().endpoint().port())) {
            socket.getOutputStream().write(Frames.encode(1, List.of(HELLO)));
            assertThat(socket.getInputStream().readAllBytes())
                    .as("at most an alert of TLS")
                    .hasSizeLessThan(100);
            link.start();
            assertThat(manager.hello().message()).isEqualTo(HELLO);
        }
    }

    @Test
    void framesGoThroughFilesIfThePortIsBlocked() throws IOException, InterruptedException {
        // Another program listens at the port.
        try (ServerSocket blocked = portOfAnotherProgram();
                TestManager manager = TestManager.open(run, 2, loopback())) {
            Endpoint real = manager.server().endpoint();
            new Endpoint(2, real.host(), real.pid(), blocked.getLocalPort(), real.addresses()).write(run.endpoint());
            link.start();
            TestManager.Received hello = manager.hello();
            assertThat(hello.by()).isEqualTo("spool");
            assertThat(hello.message()).isEqualTo(HELLO);
            assertThat(manager.server().send(AGENT, new Ack(List.of(new AttemptId(4, 1)))))
                    .isTrue();
            awaitReceived(new Ack(List.of(new AttemptId(4, 1))));
            // A session through files has a time limit; on a busy machine it may end before the agent answers.
            repeated = List.of(HELLO, new Bye("done"));
            link.send(List.of(new Bye("done")));
            manager.await(Bye.class, any -> true);

            // The agent uses TLS once the port is reachable.
            manager.server().announce();
            TestManager.until("a greeting over TLS", () -> manager.hello().by().contains("127.0.0.1"));
            assertThat(manager.server().send(AGENT, new Ack(List.of(new AttemptId(5, 1)))))
                    .isTrue();
            awaitReceived(new Ack(List.of(new AttemptId(5, 1))));
        }
    }

    @Test
    void aLinkWorksWithFilesOnly() throws IOException, InterruptedException {
        ServerSettings files = new ServerSettings("", 0, 0, false, 200, 2_000, 20);
        try (TestManager manager = TestManager.open(run, 1, files)) {
            link.start();
            assertThat(manager.hello().by()).isEqualTo("spool");
        }
    }

    @Test
    void anAgentFollowsANewManagerAndIgnoresTheOldOne() throws IOException, InterruptedException {
        try (TestManager old = TestManager.open(run, 1, loopback())) {
            link.start();
            old.hello();
            try (TestManager next = TestManager.open(run, 2, loopback())) {
                assertThat(next.hello().message()).isEqualTo(HELLO);
                // The old manager sends messages over TLS and through files.
                old.server().send(AGENT, new Kill(new AttemptId(9, 9)));
                new Spool(run.in(AGENT)).write(1, List.of(new Kill(new AttemptId(9, 9))));
                next.server().send(AGENT, new Kill(new AttemptId(2, 2)));
                awaitReceived(new Kill(new AttemptId(2, 2)));
                assertThat(received).doesNotContain(new Kill(new AttemptId(9, 9)));
            }
        }
    }

    @Test
    void anAgentReconnectsToTheNextManager() throws IOException, InterruptedException {
        try (TestManager first = TestManager.open(run, 1, loopback())) {
            link.start();
            first.hello();
        }
        assertThat(transports.poll(20, TimeUnit.SECONDS)).isNotNull();
        try (TestManager second = TestManager.open(run, 2, loopback())) {
            assertThat(second.hello().message()).isEqualTo(HELLO);
        }
    }

    @Test
    void noThreadOutlivesTheManager() throws IOException, InterruptedException {
        try (TestManager manager = TestManager.open(run, 1, loopback())) {
            link.start();
            manager.hello();
            manager.server().send(AGENT, new Kill(new AttemptId(1, 1)));
            awaitReceived(new Kill(new AttemptId(1, 1)));
        }
        TestManager.until("the end of the threads", () -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("agents-")));
    }

    @Test
    void manyAgentsAreServedAtOnce() throws IOException, InterruptedException {
        int count = 100;
        AgentLink[] links = new AgentLink[count];
        try (TestManager manager = TestManager.open(run, 1, loopback())) {
            for (int i = 0; i < count; i++) {
                AgentId id = new AgentId(100, i);
                Hello hello = new Hello(id, "node", i, 1, 0, 0, List.of(), false);
                links[i] = new AgentLink(run, id, QUICK, new AgentLink.Listener() {
                    @Override
                    public void connected(String by) {
                        links[id.node()].send(List.of(hello, new Bye("from " + id)));
                    }

                    @Override
                    public void received(Message.ToAgent message) {}

                    @Override
                    public void disconnected(String why) {}
                });
                links[i].start();
            }
            for (int i = 0; i < count; i++) {
                manager.await(Bye.class, any -> true);
            }
        } finally {
            for (AgentLink each : links) {
                if (each != null) {
                    each.close();
                }
            }
        }
    }
}
