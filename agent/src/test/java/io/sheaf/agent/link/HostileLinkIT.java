package io.sheaf.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.TestManager;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Message.Bye;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Kill;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that both ends of the link refuse strangers and hostile peers, while agents are still served. */
@Timeout(1200)
class HostileLinkIT {
    private static final AgentId AGENT = new AgentId(7, 1);
    private static final LinkSettings QUICK = new LinkSettings(1_000, 200, 2_000, 20, 50, 300);
    private static final Hello HELLO = new Hello(AGENT, "node", 1, 2, 0, 0, List.of(), false);

    @TempDir
    Path folder = Path.of("");

    private TestManager manager() throws IOException {
        return TestManager.open(new RunFolder(folder), 3, new ServerSettings("127.0.0.1", 0, 0, true, 200, 2_000, 20));
    }

    private static Socket connect(TestManager manager) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), manager.server().endpoint().port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    /** A peer with the credentials of the run, as a task of the same user could be. */
    private SSLSocket member(TestManager manager) throws IOException {
        SSLSocket socket = Credentials.load(new RunFolder(folder).credentials()).secure(connect(manager), true);
        socket.startHandshake();
        return socket;
    }

    private static void send(SSLSocket socket, long epoch, Message... messages) throws IOException {
        socket.getOutputStream().write(Frames.encode(epoch, List.of(messages)));
    }

    /** Checks that an agent can connect. */
    private void assertServes(TestManager manager) throws IOException, InterruptedException {
        try (SSLSocket agent = member(manager)) {
            send(agent, 3, HELLO, new Bye("served"));
            manager.await(Bye.class, bye -> bye.reason().equals("served"));
        }
    }

    private static long readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("agents-in"))
                .count();
    }

    @Test
    void garbageIsRefused() throws IOException, InterruptedException {
        Random random = new Random(1);
        try (TestManager manager = manager()) {
            for (int i = 0; i < 200; i++) {
                byte[] garbage = new byte[1 + random.nextInt(4_000)];
                random.nextBytes(garbage);
                try (Socket socket = connect(manager)) {
                    socket.getOutputStream().write(garbage);
                    socket.shutdownOutput();
                    socket.getInputStream().readNBytes(100);
                } catch (IOException e) {
                    // The manager refused the connection during the write.
                    assertThat(e).isNotNull();
                }
            }
            assertServes(manager);
            assertThat(manager.troubles()).as("strangers do not fill the log").hasSizeBetween(1, 30);
        }
    }

    @Test
    @Tag("slow")
    void agentsAreServedAfterTenThousandStrangers() throws IOException, InterruptedException {
        strangers(10_000);
    }

    @Test
    void agentsAreServedAfterAThousandStrangers() throws IOException, InterruptedException {
        strangers(1_000);
    }

    private void strangers(int count) throws IOException, InterruptedException {
        try (TestManager manager = manager()) {
            for (int i = 0; i < count; i++) {
                connect(manager).close();
            }
            assertServes(manager);
            TestManager.until("the end of the threads of strangers", () -> readers() == 0);
            assertThat(manager.troubles().size()).isLessThan(25 + count / 500);
        }
    }

    @Test
    void agentsAreServedBesideThousandsOfSilentStrangers() throws IOException, InterruptedException {
        silentStrangers(3_000);
    }

    @Test
    @Tag("slow")
    void agentsAreServedBesideTenThousandSilentStrangers() throws IOException, InterruptedException {
        silentStrangers(10_000);
    }

    private void silentStrangers(int count) throws IOException, InterruptedException {
        List<Socket> silent = new ArrayList<>();
        try (TestManager manager = manager()) {
            for (int i = 0; i < count; i++) {
                silent.add(connect(manager));
            }
            assertServes(manager);
            assertThat(readers()).as("threads of strangers").isLessThanOrEqualTo(1_000);
        } finally {
            for (Socket each : silent) {
                each.close();
            }
        }
    }

    @Test
    void invalidOrUnsentFramesCloseTheConnection() throws IOException, InterruptedException {
        try (TestManager manager = manager()) {
            for (int length : new int[] {Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 0, 1, 1 << 30, (8 << 20) + 1}) {
                try (SSLSocket agent = member(manager)) {
                    send(agent, 3, HELLO);
                    manager.hello();
                    agent.getOutputStream()
                            .write(ByteBuffer.allocate(4).putInt(length).array());
                    assertThat(ended(agent))
                            .as("a frame of " + length + " bytes")
                            .isTrue();
                }
            }
            // A frame that is announced but never sent: the manager closes the silent connection.
            try (SSLSocket agent = member(manager)) {
                send(agent, 3, HELLO);
                manager.hello();
                agent.getOutputStream()
                        .write(ByteBuffer.allocate(4).putInt(8 << 20).array());
                assertThat(ended(agent)).isTrue();
            }
            assertServes(manager);
        }
    }

    /** Skips heartbeats until the other side closes the connection; false if that does not happen in time. */
    private static boolean ended(SSLSocket socket) {
        byte[] buffer = new byte[4096];
        try {
            int read = 0;
            while (read >= 0) {
                read = socket.getInputStream().read(buffer);
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void onlyAGreetingOfThisEpochOpensALink() throws IOException, InterruptedException {
        try (TestManager manager = manager()) {
            try (SSLSocket agent = member(manager)) {
                send(agent, 3, new Bye("before it greets"));
                assertThat(ended(agent)).isTrue();
            }
            for (long epoch : new long[] {2, 4, -3, Long.MAX_VALUE}) {
                try (SSLSocket agent = member(manager)) {
                    send(agent, epoch, HELLO, new Bye("of another epoch"));
                    assertThat(ended(agent)).isTrue();
                }
            }
            try (SSLSocket agent = member(manager)) {
                send(agent, 3, HELLO);
                manager.hello();
                send(agent, 2, new Bye("replayed from an earlier epoch"));
                // A message that only a manager sends.
                send(agent, 3, new Kill(new AttemptId(1, 1)), new Bye("last"));
                assertThat(manager.await(Bye.class, any -> true).message()).isEqualTo(new Bye("last"));
            }
        }
    }

    /** Bytes that were recorded from one TLS connection do not open another one. */
    @Test
    void replayedBytesAreRefused() throws IOException, InterruptedException {
        try (TestManager manager = manager();
                ServerSocket tap = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<byte[]> recorded = CompletableFuture.supplyAsync(() -> record(tap, manager));
            Socket viaTap = new Socket(InetAddress.getLoopbackAddress(), tap.getLocalPort());
            viaTap.setSoTimeout(30_000);
            try (SSLSocket agent =
                    Credentials.load(new RunFolder(folder).credentials()).secure(viaTap, true)) {
                agent.startHandshake();
                send(agent, 3, HELLO, new Bye("recorded"));
                manager.await(Bye.class, any -> true);
            }
            byte[] bytes = recorded.join();
            assertThat(bytes.length).isGreaterThan(500);
            try (Socket replay = connect(manager)) {
                replay.getOutputStream().write(bytes);
                replay.shutdownOutput();
                replay.getInputStream().readAllBytes();
            } catch (IOException e) {
                // The manager refused the connection.
                assertThat(e).isNotNull();
            }
            assertServes(manager);
            assertThat(manager.troubles()).anyMatch(each -> each.startsWith("refused a connection"));
        }
    }

    private static byte[] record(ServerSocket tap, TestManager manager) {
        try (Socket agent = tap.accept();
                Socket server = connect(manager)) {
            Thread back = new Thread(() -> {
                try {
                    server.getInputStream().transferTo(agent.getOutputStream());
                } catch (IOException e) {
                    // One side has closed its connection.
                    return;
                }
            });
            back.start();
            java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
            byte[] buffer = new byte[4096];
            for (int count = agent.getInputStream().read(buffer);
                    count > 0;
                    count = agent.getInputStream().read(buffer)) {
                bytes.write(buffer, 0, count);
                server.getOutputStream().write(buffer, 0, count);
            }
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** An agent sends no greeting to a false manager at the published address. */
    @Test
    void anAgentRefusesAFalseManager() throws IOException {
        RunFolder run = new RunFolder(folder);
        Credentials.create(run.credentials());
        Path other = folder.resolve("other.p12");
        Credentials.create(other);
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Endpoint endpoint = new Endpoint(3, "here", 1, listener.getLocalPort(), List.of("127.0.0.1"));
            CompletableFuture<Integer> bytesReceived = CompletableFuture.supplyAsync(() -> {
                try (SSLSocket socket = Credentials.load(other).secure(listener.accept(), false)) {
                    return socket.getInputStream().readNBytes(100).length;
                } catch (IOException e) {
                    return 0;
                }
            });
            Credentials own = Credentials.load(run.credentials());
            assertThatThrownBy(() -> TlsSession.open(own, endpoint, QUICK)).isInstanceOf(IOException.class);
            assertThat(bytesReceived.join())
                    .as("bytes that the false manager received")
                    .isZero();
        }
    }

    /**
     * The manager sets aside files of the spool with garbage, invalid lengths or odd names, and reads the next
     * greeting.
     */
    @Test
    void garbageInTheSpoolIsSetAside() throws IOException, InterruptedException {
        try (TestManager manager = manager()) {
            Path out = Files.createDirectories(new RunFolder(folder).out(AGENT));
            Files.createDirectories(new RunFolder(folder).agents().resolve("..-;rm -rf"));
            Files.write(out.resolve("000000000003-0000000000000000001.frames"), new byte[] {1, 2, 3});
            Files.write(
                    out.resolve("000000000003-0000000000000000002.frames"),
                    ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array());
            Files.write(out.resolve("999999999999999999999999-1.frames"), new byte[10]);
            new Spool(out).write(3, List.of(HELLO, new Bye("by spool")));
            manager.await(Bye.class, bye -> bye.reason().equals("by spool"));
            assertThat(manager.troubles()).anyMatch(each -> each.startsWith("cannot read the spool"));
        }
    }
}
