package io.sheaf.agent;

import static io.sheaf.agent.Jobs.attempt;
import static io.sheaf.agent.Jobs.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Kill;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Message.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the agent as a separate process, started with the command line of a real agent. */
@Timeout(1200)
class AgentProcessIT {
    private static final AgentId AGENT = new AgentId(5, 0);

    @TempDir
    Path folder = Path.of("");

    private RunFolder run = new RunFolder(folder);
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void prepare() {
        run = new RunFolder(folder);
    }

    @AfterEach
    void kill() throws InterruptedException {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    private Process start(long walltimeMillis) throws IOException {
        AgentSettings settings = new AgentSettings(name(), 2, 0, List.of(), walltimeMillis, 500, false, "");
        Process process = Launch.from(folder.resolve("kit")).start(run, AGENT, settings);
        started.add(process);
        return process;
    }

    /** A name that no other run on this machine has. */
    private String name() {
        return "r-" + folder.getFileName();
    }

    private TestManager manager(long epoch) throws IOException {
        return TestManager.open(run, epoch, ServerSettings.loopback());
    }

    @Test
    void anAgentRunsTasksAndStopsOnRequest() throws IOException, InterruptedException {
        try (TestManager manager = manager(1)) {
            Process process = start(0);
            Hello hello = (Hello) manager.hello().message();
            assertThat(hello.cores()).isEqualTo(2);
            assertThat(hello.pid()).isEqualTo(process.pid());
            manager.send(AGENT, script(folder, 1, "echo $SHEAF_RUN $SHEAF_PLACEHOLDER"));
            assertThat(manager.ended(attempt(1)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
            assertThat(folder.resolve("1.1.out")).hasContent(name() + " 5");
            manager.acknowledge(AGENT, attempt(1));
            manager.send(AGENT, new Stop(0, "released"));
            manager.bye();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(ResultStore.read(run.agent(AGENT))).isEmpty();
        }
    }

    /** While an agent waits for its first task, it runs a warm-up task that it does not report. */
    @Test
    void anIdleAgentWarmsUp() throws IOException, InterruptedException {
        try (TestManager manager = manager(1)) {
            start(0);
            manager.hello();
            Path log = run.agent(AGENT).resolve("agent.log");
            TestManager.until(
                    "the end of the warm-up", () -> Files.readString(log).contains("warm-up done"));
            manager.send(AGENT, script(folder, 1, "true"));
            assertThat(manager.ended(attempt(1)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
            assertThat(ResultStore.read(run.agent(AGENT)))
                    .singleElement()
                    .satisfies(ended -> assertThat(ended.attempt()).isEqualTo(attempt(1)));
        }
    }

    @Test
    void theSuccessorOfAKilledAgentReportsItsResults() throws IOException, InterruptedException {
        try (TestManager manager = manager(1)) {
            start(0);
            manager.hello();
            manager.send(AGENT, script(folder, 1, "exit 4"));
            manager.ended(attempt(1));
        }
        // The manager died before it acknowledged; then the agent is killed.
        started.get(0).destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        assertThat(ResultStore.read(run.agent(AGENT))).singleElement().satisfies(ended -> assertThat(ended.exitStatus())
                .isEqualTo(4));
        try (TestManager manager = manager(2)) {
            start(0);
            manager.hello();
            assertThat(manager.ended(attempt(1)).exitStatus()).isEqualTo(4);
        }
    }

    @Test
    void processesOfAKilledAgentAreFenced() throws IOException, InterruptedException {
        try (TestManager manager = manager(1)) {
            Process agent = start(0);
            manager.hello();
            manager.send(AGENT, script(folder, 1, "sleep 300 & setsid sleep 300 & wait"));
            manager.running(attempt(1));
            agent.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            Fence fence = new Fence(name());
            assertThat(fence.of(AGENT.token() + 1)).isEmpty();
            assertThat(fence.isClear(new AgentId(AGENT.token(), AGENT.node() + 1)))
                    .isTrue();
            assertThat(liveProcesses())
                    .as("the fence of another pilot job kills nothing")
                    .isNotEmpty();
            assertThat(fence.agentsOf(AGENT.token())).isEmpty();
            TestManager.until("a clear fence", () -> fence.isClear(AGENT));
            assertThat(liveProcesses()).isEmpty();
        }
    }

    /** A stopped agent stores no result; the process that waits for the task records the exit. */
    @Test
    void anExitIsRecordedEvenIfTheAgentIsKilledFirst() throws IOException, InterruptedException {
        List<Start> open = List.of(
                script(folder, 1, "while [ ! -e go ]; do sleep 0.01; done; echo done > made", "made"),
                script(folder, 2, "while [ ! -e go ]; do sleep 0.01; done; exit 3"));
        try (TestManager manager = manager(1)) {
            Process agent = start(0);
            manager.hello();
            open.forEach(start -> manager.send(AGENT, start));
            manager.running(attempt(1));
            manager.running(attempt(2));
            assertThat(new ProcessBuilder("kill", "-STOP", String.valueOf(agent.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            Files.createFile(folder.resolve("go"));
            TestManager.until("the end of the tasks", () -> liveProcesses().isEmpty());
            agent.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        assertThat(ResultStore.read(run.agent(AGENT))).isEmpty();
        TestManager.until("a clear fence", () -> new Fence(name()).isClear(AGENT));
        assertThat(ExitRecords.committed(run.agent(AGENT), open))
                .as("a failure is not committed: it may have the same cause as the end of the agent")
                .singleElement()
                .satisfies(ended -> {
                    assertThat(ended.attempt()).isEqualTo(attempt(1));
                    assertThat(ended.outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
                    assertThat(ended.outputs()).singleElement().satisfies(output -> assertThat(output.name())
                            .isEqualTo("made"));
                    assertThat(ended.usage().startMillis()).isCloseTo(System.currentTimeMillis(), within(60_000L));
                });
        Files.delete(folder.resolve("made"));
        assertThat(ExitRecords.committed(run.agent(AGENT), open))
                .as("its output was removed")
                .isEmpty();
    }

    /** A task that receives SIGTERM may exit with status 0 although its work is not complete. */
    @Test
    void aKilledTaskThatExitsWithZeroIsNotCommitted() throws IOException, InterruptedException {
        Start start = script(folder, 1, "trap 'exit 0' TERM; echo > ready; while :; do sleep 0.05; done");
        try (TestManager manager = manager(1)) {
            start(0);
            manager.hello();
            manager.send(AGENT, start);
            TestManager.until("the start of the task", () -> Files.exists(folder.resolve("ready")));
            manager.send(AGENT, new Kill(attempt(1)));
            assertThat(manager.ended(attempt(1)).outcome()).isEqualTo(AttemptOutcome.KILLED);
        }
        assertThat(ExitRecords.committed(run.agent(AGENT), List.of(start))).isEmpty();
    }

    /** Processes of this run that are still alive. */
    private List<Map<String, Processes.Group>> liveProcesses() {
        Map<String, Processes.Group> found = new Processes(name() + "/", Map.of()).scan();
        return found.isEmpty() ? List.of() : List.of(found);
    }

    @Test
    void anAgentContinuesWithoutAManagerAndReportsToTheNext() throws IOException, InterruptedException {
        try (TestManager manager = manager(1)) {
            start(0);
            manager.hello();
            manager.send(AGENT, script(folder, 1, "sleep 0.5; echo done > made", "made"));
            manager.send(AGENT, script(folder, 2, "while [ ! -e go ]; do sleep 0.05; done"));
            manager.running(attempt(2));
        }
        TestManager.until(
                "a stored result", () -> !ResultStore.read(run.agent(AGENT)).isEmpty());
        try (TestManager manager = manager(2)) {
            Hello hello = (Hello) manager.hello().message();
            assertThat(hello.known()).containsExactlyInAnyOrder(new AttemptId(1, 1), new AttemptId(2, 1));
            assertThat(manager.ended(attempt(1)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
            Files.createFile(folder.resolve("go"));
            assertThat(manager.ended(attempt(2)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        }
    }

    @Test
    void anAgentStopsBeforeItsWalltimeWithoutAManager() throws IOException, InterruptedException {
        try (TestManager manager = manager(1)) {
            start(8_000);
            manager.hello();
            manager.send(AGENT, script(folder, 1, "sleep 300"));
            manager.running(attempt(1));
        }
        assertThat(started.get(0).waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ResultStore.read(run.agent(AGENT)))
                .singleElement()
                .extracting(Ended::outcome)
                .isEqualTo(AttemptOutcome.CUT_OFF);
    }

    @Test
    void aSignalledAgentWarnsItsTasksAndReportsThem() throws IOException, InterruptedException {
        try (TestManager manager = manager(1)) {
            Process process = start(0);
            manager.hello();
            manager.send(
                    AGENT,
                    script(
                            folder,
                            1,
                            "trap 'echo warned > mark; exit 0' TERM; echo > ready; while :; do sleep 0.05; done"));
            TestManager.until("the start of the task", () -> Files.exists(folder.resolve("ready")));
            process.destroy();
            Ended ended = manager.ended(attempt(1));
            assertThat(ended.outcome()).isEqualTo(AttemptOutcome.PREEMPTED);
            assertThat(folder.resolve("mark")).hasContent("warned");
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void laterAgentsUseTheSharedArchive() throws IOException, InterruptedException {
        Launch launch = Launch.from(folder.resolve("kit"));
        assertThat(launch.command(run, AGENT)).noneMatch(word -> word.startsWith("-XX:SharedArchiveFile"));
        assertThat(launch.makeArchive()).isTrue();
        assertThat(launch.command(run, AGENT)).anyMatch(word -> word.startsWith("-XX:SharedArchiveFile"));
        try (TestManager manager = manager(1)) {
            start(0);
            manager.hello();
        }
    }
}
