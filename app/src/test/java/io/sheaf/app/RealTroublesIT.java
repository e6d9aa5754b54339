package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests failures in and around real runs: each run completes or ends with a clear message, and leaves no process. */
class RealTroublesIT {
    @TempDir
    Path folder = Path.of("");

    private RealRun workflow(String text) throws IOException {
        Files.writeString(folder.resolve("workflow.yaml"), text);
        return new RealRun(folder);
    }

    private static void assertEnds(RealRun run, int status, String... output) throws IOException, InterruptedException {
        assertEnds(run, run.start(), status, output);
    }

    private static void assertEnds(RealRun run, Process manager, int status, String... output)
            throws IOException, InterruptedException {
        assertThat(run.await(manager)).as(run.errorOutput()).isEqualTo(status);
        assertThat(run.errorOutput()).contains(output);
        assertThat(run.processes()).isEmpty();
    }

    @Test
    void failedTasksAreReportedAndOtherTasksContinue() throws IOException, InterruptedException {
        RealRun run = workflow("""
                name: troubles
                tasks:
                  greedy: {run: 'head -c 300000000 /dev/zero | tail', memory: 50M, time: 1s}
                  unknown: {run: 'no-such-command-anywhere', time: 1s}
                  hanging: {run: 'sleep 1000', limit: 2s, time: 1s}
                  behind: {after: unknown, run: 'echo > never.txt', time: 1s}
                  good: {run: 'echo > good.txt', out: good.txt, time: 1s}
                """);
        assertThat(run.await(run.start("--keep-going", "--memory-growth", "x1")))
                .as(run.errorOutput())
                .isEqualTo(1);
        assertThat(run.errorOutput())
                .contains("task greedy failed: it used", "its limit is")
                .contains("task unknown failed", "no-such-command-anywhere: command not found")
                .contains("task hanging failed: it ran longer than its limit of 2");
        assertThat(run.lines("out.txt"))
                .contains("tasks             1 done, 3 failed, 1 skipped of 5")
                .anyMatch(line -> line.startsWith("failed            greedy, unknown, hanging; output in "));
        assertThat(folder.resolve("good.txt")).exists();
        assertThat(folder.resolve("never.txt")).doesNotExist();
        assertThat(run.processes()).isEmpty();
    }

    /** The task is killed at 50 and 100 MiB, and completes with 200 MiB. Only one such task fits a node of 300 MiB. */
    @Test
    void anOutOfMemoryKillIncreasesTheMemoryRequest() throws IOException, InterruptedException {
        RealRun run = workflow("""
                name: growing
                tasks:
                  greedy: {run: '(head -c 120000000 /dev/zero; sleep 1) | tail | wc -c > size.txt', memory: 50M, time: 5s}
                  one: {run: 'date +%s%N > one.start; sleep 2; date +%s%N > one.end', memory: 200M, time: 2s}
                  two: {run: 'date +%s%N > two.start; sleep 2; date +%s%N > two.end', memory: 200M, time: 2s}
                """);
        assertEnds(
                run,
                run.start("--nodes", "1", "--cores-per-node", "4", "--mem-per-node", "300M"),
                0,
                "task 'greedy' exceeded 50M of memory; its next attempt requests 100M");
        assertThat(run.lines("size.txt")).containsExactly("120000000");
        long endOne = Long.parseLong(run.lines("one.end").get(0));
        long endTwo = Long.parseLong(run.lines("two.end").get(0));
        long startOne = Long.parseLong(run.lines("one.start").get(0));
        long startTwo = Long.parseLong(run.lines("two.start").get(0));
        assertThat(endOne <= startTwo || endTwo <= startOne)
                .as("the tasks do not overlap")
                .isTrue();
        Files.writeString(folder.resolve("workflow.yaml"), "tasks: {large: {run: 'true', memory: 301M}}");
        assertThat(run.await(run.sheaf("run", "workflow.yaml", "--run-dir", "other", "--mem-per-node", "300M")))
                .isEqualTo(3);
        assertThat(run.errorOutput())
                .contains("workflow.yaml:1:9: task 'large' needs 301M of memory on a node; the largest node has 300M");
    }

    @Test
    void aRunWaitsWhileTheDiskIsFull() throws IOException, InterruptedException {
        Path disk = Files.createDirectory(folder.resolve("run"));
        assumeTrue(execute("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.toString()), "cannot mount a tmpfs");
        try {
            RealRun run = workflow("""
                    name: full
                    vars: {n: 1..60}
                    tasks:
                      fill: {run: 'sleep 1; cat /dev/zero > run/filler || sleep 5; rm run/filler', time: 7s}
                      others:
                        foreach: {i: n}
                        time: 1s
                        run: 'echo {i} >> ledger; sleep 0.1'
                    """);
            assertEnds(
                    run, 0, "the journal cannot be written", "the run waits until it can be", "can be written again");
            assertThat(run.lines("ledger")).hasSize(60).doesNotHaveDuplicates();
        } finally {
            execute("umount", disk.toString());
        }
    }

    @Test
    void agentsConnectThroughFilesWithoutANetwork() throws IOException, InterruptedException {
        RealRun run = workflow("""
                name: offline
                vars: {n: 1..6}
                tasks:
                  a:
                    foreach: {i: n}
                    time: 1s
                    run: 'echo {i} >> ledger'
                """);
        assumeTrue(execute("unshare", "-n", "true"), "cannot create a network namespace");
        assertThat(run.await(run.startUnder(List.of("unshare", "-n"))))
                .as(run.errorOutput())
                .isZero();
        assertThat(folder.resolve("run/agents/1.0/agent.log"))
                .content()
                .contains("through files", "connected by spool");
        assertThat(run.lines("ledger")).hasSize(6).doesNotHaveDuplicates();
        assertThat(run.processes()).isEmpty();
    }

    @Test
    void aMissingOutputIsNamed() throws IOException, InterruptedException {
        RealRun run = workflow("tasks:\n  lazy: {run: 'true', out: nothing.txt, time: 2m}\n");
        assertEnds(run, 1, "task lazy failed", "its output 'nothing.txt' does not exist");
    }

    @Test
    void aTimedOutTaskIsRetriedWithALongerLimitIfConfigured() throws IOException, InterruptedException {
        RealRun run = workflow("""
                defaults: {time: 10s}
                tasks:
                  slow:
                    run: 'echo slow >> begun; sleep 3'
                    limit: 1500ms
                    retry: {times: 3, time: x2, on: [limit]}
                  broken: {run: 'echo broken >> begun; exit 3', retry: {times: 3, time: x2, on: [limit]}}
                """);
        assertEnds(run, run.start("--keep-going"), 1, "task slow done", "task broken failed");
        assertThat(run.lines("begun")).filteredOn("broken"::equals).hasSize(1);
        assertThat(run.lines("begun")).filteredOn("slow"::equals).hasSizeBetween(2, 3);
    }

    @Test
    void aPermanentFailureIsNotRetried() throws IOException, InterruptedException {
        RealRun run = workflow("""
                defaults: {retries: 3, time: 5s}
                tasks:
                  absent: {run: 'echo absent >> begun; no-such-command'}
                  slow: {run: 'echo slow >> begun; sleep 20', limit: 1s}
                  flaky: {run: 'echo flaky >> begun; test $(grep -c flaky begun) -gt 1'}
                """);
        assertEnds(run, run.start("--keep-going"), 1, "task absent failed", "task slow failed");
        assertThat(run.lines("begun")).containsExactlyInAnyOrder("absent", "slow", "flaky", "flaky");
    }

    @Test
    @Tag("slow")
    void aTaskThatExceedsTheWalltimeGetsALongerJob() throws IOException, InterruptedException {
        RealRun run = workflow("""
                name: slow
                tasks:
                  slow: {run: 'echo $SHEAF_ATTEMPT >> begun; sleep 75; echo > slow.txt', out: slow.txt, time: 1s}
                """);
        // The first pilot job requests one minute.
        Process manager = run.start();
        assertThat(manager.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(manager.exitValue()).as(run.errorOutput()).isZero();
        assertThat(run.lines("begun")).containsExactly("1", "2");
        assertThat(folder.resolve("slow.txt")).exists();
        assertThat(run.processes()).isEmpty();
    }

    /**
     * The first task overwrites the agent's program, so that the agents of the second one cannot start. The manager
     * submits three pilot jobs: at once, after 10 s and after 20 s. The next manager restores the program.
     */
    @Test
    @Tag("slow")
    void aRunWhoseAgentsNeverConnectPausesAndIsResumed() throws IOException, InterruptedException {
        Path cache = folder.resolve("cache");
        workflow("""
                name: spoiled
                tasks:
                  spoil: {run: 'for f in %s/agent/*; do echo > new; mv new $f; done; echo spoil >> ledger', time: 1s}
                  behind: {after: spoil, run: 'echo behind >> ledger', time: 1s}
                """.formatted(cache));
        RealRun run = new RealRun(folder, cache, Map.of());
        assertEnds(
                run,
                run.start("--strategy", "onejobpertask"),
                5,
                "paused: 3 pilot jobs in a row ended before an agent connected; the last one lost its nodes",
                "agent.log): Caused by: java.lang.ClassNotFoundException: io.sheaf.agent.AgentMain",
                "Fix the cause, then continue with: sheaf resume ");
        assertThat(run.lines("ledger")).containsExactly("spoil");
        assertThat(run.await(run.resume())).as(run.errorOutput()).isZero();
        assertThat(run.lines("ledger")).containsExactly("spoil", "behind");
        assertThat(run.processes()).isEmpty();
    }

    private boolean execute(String... words) throws IOException, InterruptedException {
        try {
            return Finished.run(folder, Map.of(), 10, List.of(words)).status() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
