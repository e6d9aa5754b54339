package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.testing.Await;
import io.sheaf.testing.DebianPackages;
import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a site that is reached by {@code ssh} only: commands, files, and a tunnel for the agents. The server listens on
 * the loopback address and has its own keys.
 */
@Tag("slow")
class SshSiteIT {
    @TempDir
    Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();
    private Path home = Path.of("");
    private Path ssh = Path.of("");

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private Process start(String... words) throws IOException {
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(ssh.resolve("log").toFile()))
                .start();
        started.add(process);
        return process;
    }

    @BeforeEach
    void startServer() throws IOException, InterruptedException {
        DebianPackages.require("sshd", "openssh-server", "openssh-client");
        DebianPackages.require("rsync", "rsync");
        home = Files.createDirectory(folder.resolve("home"));
        ssh = Files.createDirectory(folder.resolve("ssh"));
        // The server needs this system folder.
        Files.createDirectories(Path.of("/run/sshd"));
        for (String name : List.of("host", "user")) {
            List<String> words = List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", ssh.resolve(name) + "");
            assertThat(Finished.run(ssh, Map.of(), 60, words).status()).isZero();
        }
        Files.copy(ssh.resolve("user.pub"), ssh.resolve("authorized"));
        int port = freePort();
        Path server = Files.writeString(
                ssh.resolve("server"), """
                Port %d
                ListenAddress 127.0.0.1
                HostKey %s
                AuthorizedKeysFile %s
                PidFile none
                StrictModes no
                UsePAM no
                PermitRootLogin prohibit-password
                """.formatted(port, ssh.resolve("host"), ssh.resolve("authorized")));
        Files.writeString(ssh.resolve("client"), """
                Host alpha
                  HostName 127.0.0.1
                  Port %d
                  User root
                  IdentityFile %s
                  IdentitiesOnly yes
                  BatchMode yes
                  UserKnownHostsFile %s
                  StrictHostKeyChecking accept-new
                  LogLevel ERROR
                """.formatted(port, ssh.resolve("user"), ssh.resolve("known")));
        start("/usr/sbin/sshd", "-D", "-e", "-f", server.toString());
        Await.until(() -> "sshd: " + Files.readString(ssh.resolve("log")), () -> isOpen(port));
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process each : started) {
            each.destroy();
            each.waitFor();
        }
    }

    private Process tunnel(int remotePort, int localPort) throws IOException {
        return start(
                "ssh",
                "-F",
                ssh.resolve("client").toString(),
                "-N",
                "-o",
                "ExitOnForwardFailure=yes",
                "-R",
                "127.0.0.1:" + remotePort + ":127.0.0.1:" + localPort,
                "alpha");
    }

    /** The nodes do not see the manager's files and reach it only through the tunnel, which breaks once. */
    @Test
    void commandsFilesAndAgentsUseSsh() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.hiding(home, RealSlurm.SlurmShape.of(2), "alpha")) {
            int localPort = freePort();
            int remotePort = freePort();
            Path scratch = Files.createDirectory(folder.resolve("scratch"));
            String remote = "\"ssh -F " + ssh.resolve("client") + "\"";
            Files.writeString(home.resolve("in put.txt"), "x");
            Files.writeString(home.resolve("workflow.yaml"), """
                    name: far
                    tasks:
                      part:
                        foreach: {i: 1..6}
                        in: ["in put.txt"]
                        out: ["{i}.txt"]
                        time: 20s
                        run: 'echo {i} >> begun; sleep 3; test ! -e %s/workflow.yaml && (cat "in put.txt"; echo {i}) > {i}.txt'
                      total: {in: {from: part}, out: total.txt, time: 10s, run: 'cat [1-6].txt > total.txt'}
                    """.formatted(home));
            Files.writeString(home.resolve("sheaf.conf.yaml"), """
                    sites:
                      alpha:
                        on: slurm
                        prefix: [ssh, -F, %1$s, alpha, env, SLURM_CONF=%2$s, "PATH=%3$s"]
                        folder: %4$s
                        copy: [rsync, -a, -s, -e, %5$s, "{from}", "alpha:{to}"]
                        fetch: [rsync, -a, -s, -e, %5$s, "alpha:{from}", "{to}"]
                        address: 127.0.0.1:%6$d
                    """.formatted(
                            ssh.resolve("client"),
                            slurm.environment().get("SLURM_CONF"),
                            slurm.path(),
                            scratch,
                            remote,
                            remotePort));
            RealRun run = new RealRun(home, home.resolve("cache"), Map.of("SLURM_CONF", "/nonexistent"));
            Process first = tunnel(remotePort, localPort);
            Process process = run.start("--on", "alpha", "--queue-interval", "2s", "--ports", "" + localPort);
            Path begun = Path.of(scratch.toString() + home.resolve("begun"));
            Await.until(
                    run::errorOutput,
                    () -> Files.exists(begun) && !Files.readAllLines(begun).isEmpty());
            first.destroy();
            first.waitFor();
            Await.until(() -> "the port is closed", () -> !isOpen(remotePort));
            tunnel(remotePort, localPort);
            assertThat(run.await(process)).as(run.errorOutput()).isZero();
            assertThat(Files.readAllLines(home.resolve("total.txt")))
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, 6).mapToObj(i -> "x" + i).toList());
            assertThat(Files.readAllLines(begun)).as(run.errorOutput()).hasSize(6);
            assertThat(run.results(AttemptOutcome.FAILED)).isEmpty();
            assertThat(run.errorOutput()).contains("MB copied to the site at");
            Await.until(
                    run::errorOutput,
                    () -> run.processes().isEmpty()
                            && slurm.query("squeue", "-h").isEmpty());
        }
    }
}
