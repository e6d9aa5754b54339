package io.sheaf.agent;

import static io.sheaf.agent.Jobs.attempt;
import static io.sheaf.agent.Jobs.script;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Kill;
import io.sheaf.agent.protocol.Message.Remaining;
import io.sheaf.agent.protocol.Message.Stop;
import io.sheaf.agent.protocol.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the agent ends tasks with all their processes. */
@Timeout(1200)
class EndingTasksIT {
    @TempDir
    Path runPath = Path.of("");

    @TempDir
    Path folder = Path.of("");

    private TestNode node;

    @BeforeEach
    void connect() throws IOException, InterruptedException {
        node = TestNode.connect(runPath, new AgentSettings("r" + runPath, 2, 0, List.of(), 0, 400, false, ""));
    }

    @AfterEach
    void disconnect() throws InterruptedException {
        node.close();
    }

    private void awaitFile(String name) throws InterruptedException {
        TestManager.until(name, () -> Files.exists(folder.resolve(name)));
    }

    private void assertEnded(String... files) throws IOException, InterruptedException {
        for (String file : files) {
            long pid = Long.parseLong(Files.readString(folder.resolve(file)).strip());
            TestManager.until(
                    "the end of the process of " + file,
                    () -> !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false) || isZombie(pid));
        }
    }

    /** In a container whose first process does not wait for orphans, ended processes remain as zombies. */
    private static boolean isZombie(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return true;
        }
    }

    /** Otherwise the next attempt would run beside the remaining processes. */
    @Test
    void processesOfAFailedTaskAreKilledBeforeItIsReported() throws IOException, InterruptedException {
        Ended ended = node.run(script(folder, 1, "(sleep 3; echo late > late) & echo $! > child; exit 3"));
        assertThat(ended.exitStatus()).isEqualTo(3);
        assertEnded("child");
        assertThat(folder.resolve("late")).doesNotExist();
    }

    @Test
    void killingATaskKillsItsDetachedProcessesToo() throws IOException, InterruptedException {
        node.send(script(
                folder,
                1,
                "sleep 300 & echo $! > child; (setsid sleep 300 & echo $! > orphan); "
                        + "env -i /bin/sleep 300 & echo $! > bare; echo ok > ready; wait"));
        awaitFile("ready");
        node.send(new Kill(attempt(1)));
        Ended ended = node.manager().ended(attempt(1));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.KILLED);
        assertEnded("child", "orphan", "bare");
    }

    @Test
    void aWaitingTaskIsKilledBeforeItRuns() throws InterruptedException {
        node.send(script(folder, 1, Needs.cores(2), "sleep 300"));
        node.send(script(folder, 2, Needs.cores(2), "sleep 300"));
        node.manager().running(attempt(1));
        node.send(new Kill(attempt(2)));
        Ended ended = node.manager().ended(attempt(2));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.KILLED);
        assertThat(ended.exitStatus()).isEqualTo(-1);
    }

    @Test
    void tasksAreWarnedBeforeTheyAreCutOff() throws IOException, InterruptedException {
        node.send(script(
                folder,
                1,
                "trap 'echo saved > checkpoint; exit 0' TERM; echo ok > ready; while :; do sleep 0.05; done"));
        node.send(script(folder, 2, "trap '' TERM; echo ok > deaf; while :; do sleep 0.05; done"));
        node.send(script(folder, 3, Needs.cores(2), "echo never > never"));
        awaitFile("ready");
        awaitFile("deaf");
        node.send(new Stop(600, "released"));
        List<Ended> results = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            results.add((Ended) node.manager().await(Ended.class, any -> true).message());
        }
        assertThat(results).extracting(Ended::outcome).containsOnly(AttemptOutcome.CUT_OFF);
        assertThat(results).extracting(Ended::reason).contains("released", "released; it was not started");
        assertThat(folder.resolve("checkpoint")).hasContent("saved");
        assertThat(folder.resolve("never")).doesNotExist();
        node.manager().bye();
        node.agent().awaitEnd();
        assertThat(node.agent().alive()).isFalse();
    }

    @Test
    void theAgentStopsBeforeAShortenedWalltime() throws InterruptedException {
        node.send(script(folder, 1, "sleep 300"));
        node.manager().running(attempt(1));
        long began = System.nanoTime();
        node.send(new Remaining(3_000));
        Ended ended = node.manager().ended(attempt(1));
        node.acknowledge(attempt(1));
        node.manager().bye();
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.CUT_OFF);
        assertThat(ended.reason()).isEqualTo("the walltime ends");
        assertThat((System.nanoTime() - began) / 1_000_000).isBetween(1_400L, 3_000L);
    }

    @Test
    void aTaskOverItsTimeLimitIsKilled() throws InterruptedException {
        node.send(script(folder, 1, new Needs(1, 0, 0, 300, List.of()), "sleep 300"));
        Ended ended = node.manager().ended(attempt(1));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.TIME_LIMIT);
        assertThat(ended.reason()).isEqualTo("it ran longer than its limit of 0.3 s");
        assertThat(ended.usage().runMillis()).isBetween(300L, 20_000L);
    }

    @Test
    void aTaskOverItsMemoryLimitIsKilledAndItsPeakReported() throws IOException, InterruptedException {
        String hog = "echo $$ > hog; x=$(head -c 150000000 /dev/zero | tr '\\0' x); sleep 300";
        node.send(script(folder, 1, new Needs(1, 50 << 20, 0, 0, List.of()), hog));
        Ended ended = node.manager().ended(attempt(1));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.OUT_OF_MEMORY);
        assertThat(ended.reason()).endsWith("its limit is 50 MiB");
        assertThat(ended.usage().peakMemoryBytes()).isGreaterThan(50 << 20);
        assertEnded("hog");
    }

    @Test
    void processesLeftByASucceededTaskAreKilled() throws IOException, InterruptedException {
        node.send(script(folder, 1, "(setsid sleep 300 & echo $! > left)"));
        assertThat(node.manager().ended(attempt(1)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        node.agent().close();
        assertEnded("left");
    }
}
