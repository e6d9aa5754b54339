package io.sheaf.runtime.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.DecisionRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.cluster.ClusterShape;
import io.sheaf.runtime.cluster.Shapes;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.runtime.run.VirtualRun;
import io.sheaf.testing.ManagerState;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run's history is read from its journal alone, at any moment of the run. */
class HistoryTest {
    private static final ClusterShape BUSY = Shapes.of(4, 1, "kth-like@600x", 3);

    @TempDir
    Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"auto", "glume", "onejob", "levelbylevel", "onejobpertask", "zhang"})
    void theHistoryOfAnEndedRunMatchesTheRun(String strategy) throws Exception {
        VirtualRun run = simulate(strategy, 0, List.of());
        History history = run.history(null, 0);
        assertThat(ManagerState.of(history.manager())).isEqualTo(ManagerState.of(run.manager()));
        RunRecord record = history.record(strategy, List.of(), 0);
        assertThat(record.completed()).isTrue();
        assertThat(record.attempts().stream().filter(AttemptRecord::done).map(AttemptRecord::task))
                .containsExactlyInAnyOrderElementsOf(tasks());
        assertThat(record.jobs()).isNotEmpty().allMatch(JobRecord::hasStarted).allMatch(JobRecord::hasEnded);
        assertThat(record.decisions().stream().mapToInt(d -> d.orders().size()).sum())
                .as("each job was ordered by a recorded decision")
                .isGreaterThanOrEqualTo(record.jobs().size());
        for (DecisionRecord decision : record.decisions()) {
            // Several jobs of one decision are estimated independently.
            if (decision.orders().size() == 1) {
                JobRecord job = job(record, decision.orders().get(0).token());
                // With conservative backfilling no job starts later than estimated, but for the turn that starts it.
                assertThat(job.started()).isLessThanOrEqualTo(job.expectedStart() + 1);
            }
        }
        for (AttemptRecord attempt : record.attempts()) {
            JobRecord job = job(record, attempt.token());
            assertThat(attempt.started()).isGreaterThanOrEqualTo(job.started());
            assertThat(attempt.ended()).isBetween(attempt.started(), job.ended());
        }
    }

    /** Tasks of dead agents are retried: every attempt is recorded, and one of each task has succeeded. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void lostAttemptsAreRecorded(long seed) throws Exception {
        VirtualRun run = new VirtualRun(folder, workflow(), "onejob", Shapes.of(4, 1), seed).withDeaths(3);
        run.execute();
        RunRecord record = run.history(null, 0).record("onejob", List.of(), 0);
        assertThat(record.attempts().stream().filter(AttemptRecord::done).map(AttemptRecord::task))
                .containsExactlyInAnyOrderElementsOf(tasks());
        assertThat(record.retries()).isEqualTo(run.manager().reruns());
    }

    /** 50 s of work on nodes of one core; ten minutes without a manager while tasks run add nothing to it. */
    @ParameterizedTest
    @ValueSource(ints = {20, 25, 30, 35})
    void timeWithoutAManagerIsNotUsedNodeTime(int crash) throws Exception {
        VirtualRun run = new VirtualRun(folder, workflow(), "onejob", Shapes.of(4, 1), 1)
                .crashingAt(List.of(crash))
                .withDowntime(600_000);
        run.execute();
        assertThat(run.restarts()).isEqualTo(1);
        RunRecord record = run.history(null, 0).record("onejob", List.of(), 0);
        assertThat(record.usedNodeMillis()).isBetween(50_000L, 50_000L + 8 * 5_000);
        for (JobRecord job : record.jobs()) {
            assertThat(job.ended() - job.started()).isLessThanOrEqualTo(job.walltime() + 120_000);
        }
    }

    /** A reader of a journal that is being written never sees a later state than the run's. */
    @Test
    void everyPrefixOfAJournalIsAValidHistory() throws Exception {
        VirtualRun run = simulate("glume", 0, List.of());
        Path file = folder.resolve("journal/000001.log");
        byte[] whole = Files.readAllBytes(file);
        int done = 0;
        for (int length = 0; length <= whole.length; length += 37) {
            Files.write(file, Arrays.copyOf(whole, length));
            History history = run.history(null, 0);
            RunStatus status = RunStatus.of(history.manager(), true, history.begunAt(), 0, history.expectations());
            assertThat(status.tasks(TaskState.DONE)).isGreaterThanOrEqualTo(done);
            done = status.tasks(TaskState.DONE);
            assertThat(status.size()).isEqualTo(tasks().size());
            RunRecord record =
                    history.record("glume", List.of(), history.manager().now() + 5);
            List<AttemptRecord> running =
                    record.attempts().stream().filter(AttemptRecord::runs).toList();
            assertThat(running).hasSize(status.tasks(TaskState.RUNNING)).allMatch(each -> each.ended() == record.end());
        }
        Files.write(file, whole);
        assertThat(run.history(null, 0).manager().isFinished()).isTrue();
    }

    /**
     * A follower that continues after any record receives each later record once, also across the file of a second
     * process.
     */
    @Test
    void aFollowerReceivesEachRecordOnce() throws Exception {
        VirtualRun run = simulate("glume", 0, List.of(25));
        assertThat(run.restarts()).isEqualTo(1);
        RecordedCalls all = new RecordedCalls();
        long records = run.history(all, 0).records();
        assertThat(all.lines).isNotEmpty();
        for (long known = 0; known <= records; known += 5) {
            RecordedCalls rest = new RecordedCalls();
            run.history(rest, known);
            assertThat(all.lines).endsWith(rest.lines.toArray(String[]::new));
        }
        RecordedCalls none = new RecordedCalls();
        run.history(none, records);
        assertThat(none.lines).isEmpty();
    }

    @Test
    void expectationsAreThoseOfTheLastDecisions() throws Exception {
        History history = simulate("glume", 0, List.of()).history(null, 0);
        RunRecord record = history.record("glume", List.of(), 0);
        for (JobRecord job : record.jobs()) {
            assertThat(history.expectations().start(job.token())).isEqualTo(job.expectedStart());
        }
        long last = record.decisions().stream()
                .mapToLong(DecisionRecord::expectedEnd)
                .filter(end -> end != JobRecord.NEVER)
                .reduce((a, b) -> b)
                .orElseThrow();
        assertThat(history.expectations().end()).isEqualTo(last);
    }

    private static JobRecord job(RunRecord record, long token) {
        return record.jobs().stream()
                .filter(job -> job.token() == token)
                .findFirst()
                .orElseThrow();
    }

    private VirtualRun simulate(String strategy, int deaths, List<Integer> crashes) throws Exception {
        VirtualRun run = new VirtualRun(folder, workflow(), strategy, BUSY, 1)
                .withDeaths(deaths)
                .crashingAt(crashes);
        run.execute();
        return run;
    }

    private static List<Integer> tasks() {
        return List.of(0, 1, 2, 3, 4, 5, 6, 7);
    }

    /** One task, six that depend on it, and one that depends on those. */
    private static Workflow workflow() {
        WorkflowBuilder builder = new WorkflowBuilder("ensemble");
        int first = task(builder, "prepare", 12);
        int last = task(builder, "mean", 2);
        for (int i = 0; i < 6; i++) {
            int member = task(builder, "member-" + i, 6);
            builder.edge(first, member).edge(member, last);
        }
        return builder.build();
    }

    private static int task(WorkflowBuilder builder, String id, int seconds) {
        int task = builder.task(id);
        builder.time(task, seconds * 1_000_000L);
        return task;
    }

    /** Records its calls. */
    private static final class RecordedCalls implements RunListener {
        final List<String> lines = new ArrayList<>();

        @Override
        public void happened(Event event, Manager manager) {
            lines.add(event.toString());
        }

        @Override
        public void ended(AttemptResult result) {
            lines.add(result.toString());
        }

        @Override
        public void decided(Decision decision, @Nullable Considerations considered, Manager manager) {
            lines.add(decision + " " + considered);
        }

        @Override
        public void message(String text) {}
    }
}
