package io.sheaf.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests attempts that a persistent fork server starts: here a Python program that runs its argument as code. */
@Timeout(1200)
class ForkServersIT {
    private static final String SERVER = """
            import os, sys, time
            if sys.argv[1] != "--fork-server":
                exec(sys.argv[1])
                sys.exit(0)
            for line in sys.stdin.buffer:
                out, err, code, *variables = (field.decode() for field in line[:-1].split(b"\\0"))
                pid = os.fork()
                if pid == 0:
                    for number, file in (1, out), (2, err):
                        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
                    for variable in variables:
                        os.environ.__setitem__(*variable.split("=", 1))
                    exec(code)
                    sys.stdout.flush()
                    os._exit(0)
                os.write(1, b"pid %d\\n" % pid)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                os.write(1, b"end %d\\n" % (status if status >= 0 else 128 - status))
            """;
    private static final String PRINT_IDENTITY =
            "print(os.getppid(), os.environ['SHEAF_TASK'], os.environ['SHEAF_MARK'])";

    @TempDir
    Path runPath = Path.of("");

    @TempDir
    Path folder = Path.of("");

    private TestNode node;
    private int task;

    @BeforeEach
    void connect() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("server.py"), SERVER);
        node = TestNode.connect(runPath, new AgentSettings("r" + runPath, 2, 0, List.of(), 0, 500, false, ""));
    }

    @AfterEach
    void disconnect() throws InterruptedException {
        node.close();
    }

    private Ended run(String code, Needs needs, String... setup) throws InterruptedException {
        List<String> words =
                List.of(ForkServers.WORD, "python3", folder.resolve("server.py").toString(), code);
        Work work = new Work("t" + ++task, words, List.of(setup), List.of(), Map.of());
        return node.run(Jobs.start(folder, task, work, needs, List.of(), List.of()));
    }

    private Ended run(String code) throws InterruptedException {
        return run(code, Needs.cores(1));
    }

    private String out() throws IOException {
        return Files.readString(folder.resolve(task + ".1.out")).strip();
    }

    private String server() throws IOException, InterruptedException {
        assertThat(run(PRINT_IDENTITY).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        return out().split(" ")[0];
    }

    @Test
    void aServerForksTheProcessOfEachAttempt() throws IOException, InterruptedException {
        String server = server();
        assertThat(run(PRINT_IDENTITY).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        assertThat(out()).startsWith(server + " t2 ").endsWith("/2.1");
        Ended failed = run("print('no', file=sys.stderr); os._exit(7)");
        assertThat(failed.exitStatus()).isEqualTo(7);
        assertThat(failed.lastLines()).containsExactly("no");
        Ended killed = run("sys.stderr.write('no\\n'); sys.stderr.flush(); os.kill(os.getpid(), 9)");
        assertThat(killed.exitStatus()).isEqualTo(137);
        assertThat(killed.lastLines()).containsExactly("no");
        assertThat(server()).as("the server outlives its processes").isEqualTo(server);
    }

    @Test
    void aTimedOutAttemptIsKilledWithAllItsProcesses() throws IOException, InterruptedException {
        String server = server();
        String code = "import subprocess; p = os.fork() or subprocess.Popen(['sleep', '300']); time.sleep(300)";
        Ended ended = run(code, new Needs(1, 0, 0, 500, List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.TIME_LIMIT);
        assertThat(ProcessHandle.of(Long.parseLong(server)).orElseThrow().descendants())
                .isEmpty();
        assertThat(server()).isEqualTo(server);
    }

    @Test
    void aServerThatEndsIsReplaced() throws IOException, InterruptedException {
        String server = server();
        Ended lost = run("os.kill(os.getppid(), 9); time.sleep(300)");
        assertThat(lost.outcome()).isEqualTo(AttemptOutcome.FAILED);
        assertThat(lost.exitStatus()).isEqualTo(137);
        assertThat(server()).isNotEqualTo(server);
    }

    @Test
    void aTaskWithSetupLinesIsStartedWithoutAServer() throws IOException, InterruptedException {
        String server = server();
        assertThat(run(PRINT_IDENTITY, Needs.cores(1), "export A=b").outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        assertThat(out()).doesNotStartWith(server + " ").endsWith("/2.1");
    }

    @Test
    void theServerEndsWithTheAgent() throws IOException, InterruptedException {
        ProcessHandle server = ProcessHandle.of(Long.parseLong(server())).orElseThrow();
        assertThat(server.isAlive()).isTrue();
        node.close();
        // The agent has killed the server; the system may take some time to end it.
        assertThat(server.onExit()).succeedsWithin(Duration.ofSeconds(10));
        connect();
    }
}
