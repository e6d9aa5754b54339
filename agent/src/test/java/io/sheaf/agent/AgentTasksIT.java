package io.sheaf.agent;

import static io.sheaf.agent.Jobs.attempt;
import static io.sheaf.agent.Jobs.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the environment of tasks, and the reports on tasks that cannot run or that fail. */
@Timeout(1200)
class AgentTasksIT {
    @TempDir
    static Path runPath = Path.of("");

    @TempDir
    Path folder = Path.of("");

    private static TestNode node;
    private static int task;

    @BeforeAll
    static void connect() throws IOException, InterruptedException {
        node = TestNode.connect(runPath, new AgentSettings("r" + runPath, 4, 0, List.of("0", "3"), 0, 500, false, ""));
    }

    @AfterAll
    static void disconnect() throws InterruptedException {
        node.close();
    }

    private static Ended run(Start start) throws InterruptedException {
        return node.run(start);
    }

    @Test
    void aTaskSeesItsNameAndResourcesInItsEnvironment() throws IOException, InterruptedException {
        Work work = new Work(
                "merge",
                List.of(
                        "/bin/sh",
                        "-c",
                        "echo $SHEAF_TASK $SHEAF_ATTEMPT $SHEAF_CPUS $OMP_NUM_THREADS $OWN $SHEAF_NODES; "
                                + "echo gpus $SHEAF_GPUS $CUDA_VISIBLE_DEVICES; pwd; echo problem >&2"),
                List.of(),
                List.of(),
                Map.of("OWN", "mine"));
        Needs needs = new Needs(3, 0, 2, 0, List.of("n1", "n2"));
        Ended ended = run(Jobs.start(folder, ++task, work, needs, List.of(), List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        assertThat(ended.exitStatus()).isZero();
        assertThat(Files.readAllLines(folder.resolve(task + ".1.out")))
                .containsExactly(
                        "merge 1 3 3 mine n1,n2",
                        "gpus 0,3 0,3",
                        folder.toRealPath().toString());
        assertThat(folder.resolve(task + ".1.err")).hasContent("problem");
        assertThat(ended.usage().runMillis()).isBetween(0L, 30_000L);
    }

    /** A file system of logs that is read-only for two seconds does not fail the task. */
    @Test
    void aTaskWaitsUntilItsLogCanBeWritten() throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        assumeTrue(mount("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", logs.toString()), "skipped: cannot mount");
        try {
            Start start = Jobs.script(logs, ++task, "echo written");
            CompletableFuture<Boolean> repaired = CompletableFuture.supplyAsync(
                    () -> mount("mount", "-o", "remount,rw", logs.toString()),
                    CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS));
            Ended ended = run(start);
            assertThat(repaired.join()).isTrue();
            assertThat(ended.outcome()).as(ended.reason()).isEqualTo(AttemptOutcome.SUCCEEDED);
            assertThat(logs.resolve(task + ".1.out")).hasContent("written");
        } finally {
            mount("umount", "-l", logs.toString());
        }
    }

    private static boolean mount(String... words) {
        try {
            return new ProcessBuilder(words).redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The task copies 30 MB and then sleeps until the agent has measured it. */
    @Test
    void bytesReadAndWrittenByATaskAreMeasured() throws IOException, InterruptedException {
        Ended ended = run(script(folder, ++task, "head -c 30000000 /dev/zero > copy; sleep 3"));
        assertThat(ended.usage().readBytes()).isBetween(30_000_000L, 40_000_000L);
        assertThat(ended.usage().writtenBytes()).isBetween(30_000_000L, 40_000_000L);
    }

    @Test
    void aTaskWithoutGpusSeesNoGpu() throws IOException, InterruptedException {
        run(script(folder, ++task, "echo \"[$CUDA_VISIBLE_DEVICES]\""));
        assertThat(folder.resolve(task + ".1.out")).hasContent("[]");
    }

    @Test
    void setupRunsFirstAndTheContainerCommandWrapsTheProgram() throws IOException, InterruptedException {
        Work work = new Work(
                "t",
                List.of("/bin/sh", "-c", "echo $A $B \"$0\"", "a  b"),
                List.of("A=1", "export A"),
                List.of("env", "B=2"),
                Map.of());
        run(Jobs.start(folder, ++task, work, Needs.cores(1), List.of(), List.of()));
        assertThat(folder.resolve(task + ".1.out")).hasContent("1 2 a  b");
    }

    @Test
    void aSetupLineThatFailsEndsTheAttempt() throws InterruptedException {
        Work work = new Work("t", List.of("/bin/sh", "-c", "echo ran"), List.of("sh -c 'exit 9'"), List.of(), Map.of());
        Ended ended = run(Jobs.start(folder, ++task, work, Needs.cores(1), List.of(), List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.FAILED);
        assertThat(ended.exitStatus()).isEqualTo(9);
        assertThat(folder.resolve(task + ".1.out")).isEmptyFile();
    }

    @Test
    void setupMaySourceAScriptThatWouldFailUnderStrictOptions() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("activate"), "false\necho \"$NOT_SET\" > /dev/null\nexport ACTIVE=yes\n");
        Work work = new Work(
                "t",
                List.of("bash", "-euo", "pipefail", "-c", "echo $ACTIVE; type -t helper || true"),
                List.of("source ./activate", "[[ -n $PATH ]]"),
                List.of(),
                Map.of());
        Ended ended = run(Jobs.start(folder, ++task, work, Needs.cores(1), List.of(), List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        assertThat(folder.resolve(task + ".1.out")).hasContent("yes");
    }

    @Test
    void theFailingSetupLineIsReported() throws InterruptedException {
        Work work = new Work("t", List.of("true"), List.of("no_module load bwa"), List.of(), Map.of());
        Ended ended = run(Jobs.start(folder, ++task, work, Needs.cores(1), List.of(), List.of()));
        assertThat(ended.exitStatus()).isEqualTo(127);
        assertThat(ended.reason()).isEqualTo("exit status 127: the line 'no_module load bwa' of 'setup' failed");
        assertThat(folder.resolve(task + ".1.err"))
                .content()
                .contains("sheaf: setup failed with status 127: no_module load bwa");
    }

    @Test
    void theFirstLineOfAScriptNamesItsInterpreter() throws IOException, InterruptedException {
        String script = "#!/usr/bin/env -S awk -f\nBEGIN { print 6 * 7 }\n";
        Ended ended = run(script(folder, ++task, script));
        assertThat(ended.reason()).isEmpty();
        assertThat(folder.resolve(task + ".1.out")).hasContent("42");
        assertThat(folder.resolve(task + ".1.script")).hasContent(script);
    }

    @Test
    void aProgramIsFoundInTheTasksOwnPath() throws IOException, InterruptedException {
        Path program = Files.writeString(folder.resolve("only-here"), "#!/bin/sh\necho found\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Work work = new Work("t", List.of("only-here"), List.of(), List.of(), Map.of("PATH", folder + ":/bin"));
        run(Jobs.start(folder, ++task, work, Needs.cores(1), List.of(), List.of()));
        assertThat(folder.resolve(task + ".1.out")).hasContent("found");
    }

    @Test
    void aMissingProgramIsReported() throws InterruptedException {
        Ended ended = run(Jobs.start(
                folder, ++task, Work.of("t", List.of("no-such-program")), Needs.cores(1), List.of(), List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.NOT_RUNNABLE);
        assertThat(ended.reason())
                .isEqualTo("the program 'no-such-program' was not found; load it in 'setup', or write its path");
    }

    @Test
    void aNonExecutableProgramIsReported() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("tool"), "#!/bin/sh\n");
        Ended ended =
                run(Jobs.start(folder, ++task, Work.of("t", List.of("./tool")), Needs.cores(1), List.of(), List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.NOT_RUNNABLE);
        assertThat(ended.reason()).startsWith("'./tool' is not executable");
    }

    @Test
    void aMissingFolderIsReported() throws InterruptedException {
        Ended ended = run(script(folder.resolve("absent"), ++task, "true"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.NOT_RUNNABLE);
        assertThat(ended.reason()).isEqualTo("the folder " + folder.resolve("absent") + " does not exist");
    }

    @Test
    void status127MeansThatACommandInTheScriptWasNotFound() throws InterruptedException {
        Ended ended = run(script(folder, ++task, "no-such-command --x"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.NOT_RUNNABLE);
        assertThat(ended.exitStatus()).isEqualTo(127);
        assertThat(ended.reason()).contains("'/bin/sh -c no-such-command --x' was not found");
        assertThat(ended.lastLines()).singleElement().asString().contains("no-such-command");
    }

    @Test
    void aFailureShowsTheLastLinesOfStandardError() throws InterruptedException {
        Ended ended = run(script(folder, ++task, "seq 100 >&2; exit 3"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.FAILED);
        assertThat(ended.exitStatus()).isEqualTo(3);
        assertThat(ended.reason()).isEqualTo("exit status 3");
        assertThat(ended.lastLines()).hasSize(10).startsWith("91").endsWith("100");
    }

    @Test
    void aSignalNotSentByTheAgentIsAFailure() throws InterruptedException {
        Ended ended = run(script(folder, ++task, "kill -9 $$"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.FAILED);
        assertThat(ended.exitStatus()).isEqualTo(137);
        assertThat(ended.reason()).contains("the node may be out of memory");
    }

    @Test
    void aTaskWithAnInvalidVariableNameIsNotRun() throws InterruptedException {
        Work work = new Work("t", List.of("/bin/true"), List.of(), List.of(), Map.of("a=b", "c"));
        Ended ended = run(Jobs.start(folder, ++task, work, Needs.cores(1), List.of(), List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.NOT_RUNNABLE);
        assertThat(run(script(folder, ++task, "true")).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
    }

    @Test
    void aTaskThatNeedsMoreThanTheNodeHasIsRefused() throws InterruptedException {
        Ended ended = run(script(folder, ++task, Needs.cores(5), "true"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.NOT_RUNNABLE);
        assertThat(ended.reason()).isEqualTo("it needs 5 cores, this node has 4");
    }

    @Test
    void concurrentTasksNeverExceedTheCores() throws IOException, InterruptedException {
        // Creating the folder fails if it exists: two tasks of three cores never overlap on four cores.
        int first = task + 1;
        for (int i = 0; i < 4; i++) {
            node.send(script(folder, ++task, Needs.cores(3), "mkdir lock && sleep 0.05 && rmdir lock"));
        }
        for (int i = first; i <= task; i++) {
            assertThat(node.manager().ended(attempt(i)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        }
    }

    @Test
    void aKnownAttemptIsNotStartedTwice() throws IOException, InterruptedException {
        Start start = script(folder, ++task, "echo ran >> marks");
        node.send(start);
        node.send(start);
        Ended ended = node.manager().ended(start.attempt());
        node.send(start);
        node.acknowledge(ended.attempt());
        node.send(start);
        run(script(folder, ++task, "true"));
        assertThat(Files.readAllLines(folder.resolve("marks"))).containsExactly("ran");
    }
}
