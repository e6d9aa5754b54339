package io.sheaf.runtime.run;

import static io.sheaf.runtime.run.NotedLoop.agent;
import static io.sheaf.runtime.run.NotedLoop.chain;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.testing.ManagerState;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manager is restored from a journal that ends after any of its writes, or in the middle of one. */
class RecoveryTest {
    private static final Workflow WORKFLOW = chain("a", 2);

    @TempDir
    Path folder = Path.of("");

    /** A commit: the length of the journal, the state of the manager and the number of results. */
    private record Commit(long bytes, String manager, int results) {}

    private final List<Commit> commits = new ArrayList<>();

    /** A run from its beginning to its end: the pilot job is submitted, accepted and started, runs two tasks, is released and ends. */
    @BeforeEach
    void executeRun() throws IOException {
        try (NotedLoop run = new NotedLoop(folder.resolve("whole"), WORKFLOW)) {
            run.turn();
            commits.add(commit(run));
            run.reports(new Event.Accepted(run.clock, 1));
            commits.add(commit(run));
            run.reports(new Event.Started(run.clock, 1, false));
            commits.add(commit(run));
            run.receives(agent(), NotedLoop.hello());
            commits.add(commit(run));
            for (int task = 0; task < 2; task++) {
                run.receives(agent(), run.succeeded(task));
                commits.add(commit(run));
            }
            run.reports(new Event.Ended(run.clock, 1, Event.End.RELEASED));
            commits.add(commit(run));
            assertThat(run.loop.isFinished()).isTrue();
        }
    }

    private Commit commit(NotedLoop run) throws IOException {
        return new Commit(Files.size(log("whole")), ManagerState.of(run.manager()), run.loop.ended());
    }

    private Path log(String run) {
        return folder.resolve(run + "/journal/000001.log");
    }

    /** A successor of a process that ended when its journal had a given number of bytes. */
    private NotedLoop after(long bytes) throws IOException {
        String run = "cut-" + bytes;
        Files.createDirectories(log(run).getParent());
        Files.copy(log("whole"), log(run));
        try (FileChannel channel = FileChannel.open(log(run), StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
        return new NotedLoop(folder.resolve(run), WORKFLOW);
    }

    @Test
    void theManagerIsRestoredAsOfTheLastCommit() throws IOException {
        for (int i = 0; i < commits.size(); i++) {
            Commit last = commits.get(i);
            long next = i + 1 < commits.size() ? commits.get(i + 1).bytes() : last.bytes() + 1;
            assertThat(next).as("every turn is recorded").isGreaterThan(last.bytes());
            for (long bytes : new TreeSet<>(List.of(last.bytes(), (last.bytes() + next) / 2, next - 1))) {
                try (NotedLoop run = after(bytes)) {
                    Recovery recovery = run.restored.recovery();
                    assertThat(recovery.begunAt()).isEqualTo(1_000_000);
                    assertThat(recovery.results()).as("after %d bytes", bytes).hasSize(last.results());
                    assertThat(ManagerState.of(run.manager()))
                            .as("after %d bytes", bytes)
                            .isEqualTo(last.manager());
                }
            }
        }
    }

    @Test
    void beforeTheFirstCommitTheRunHasNotBegun() throws IOException {
        try (NotedLoop run = after(commits.get(0).bytes() - 1)) {
            assertThat(run.restored.recovery().isFresh()).isTrue();
            assertThat(run.turn()).contains("submit 1");
        }
    }

    /** The submission is recorded; it is unknown whether the cluster has received it. */
    @Test
    void aSubmissionWithoutAnAnswerIsRepeated() throws IOException {
        try (NotedLoop run = after(commits.get(0).bytes())) {
            assertThat(run.recorded).containsExactly("submit 1", "reconcile []");
        }
    }

    @Test
    void anAcceptedJobIsReconciledWithTheCluster() throws IOException {
        try (NotedLoop run = after(commits.get(1).bytes())) {
            assertThat(run.recorded).containsExactly("reconcile [1]");
        }
    }

    /** The first task runs according to the journal: the start is sent to its agent again, which is idempotent. */
    @Test
    void theStartOfARunningTaskIsRepeated() throws IOException {
        try (NotedLoop run = after(commits.get(3).bytes())) {
            assertThat(run.recorded).containsExactly("Start task 0", "reconcile [1]");
        }
    }

    @Test
    void aRecordedResultIsAcknowledgedAndCountsOnce() throws IOException {
        try (NotedLoop run = after(commits.get(4).bytes())) {
            assertThat(run.recorded).containsExactly("Start task 1", "reconcile [1]");
            assertThat(run.receives(agent(), run.succeeded(0))).containsExactly(NotedLoop.DURABLE, "Ack task 0");
            assertThat(run.loop.ended()).isEqualTo(1);
        }
    }

    @Test
    void theReleaseOfAJobIsRepeated() throws IOException {
        try (NotedLoop run = after(commits.get(5).bytes())) {
            assertThat(run.recorded).containsExactly("release 1", "reconcile [1]");
        }
    }
}
