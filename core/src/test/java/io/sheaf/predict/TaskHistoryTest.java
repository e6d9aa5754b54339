package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TaskHistoryTest {
    private static TaskRecord attempt(String category, int cores, long bytes, long millis) {
        return new TaskRecord(category, cores, bytes, millis, TaskRecord.UNKNOWN, false);
    }

    private static TaskHistory.PredictedTime expected(TaskHistory history, int cores, long bytes) {
        return Objects.requireNonNull(history.expected("align", cores, bytes, 0.9));
    }

    @Test
    void quantilesAreThoseOfTheLatestAttempts() {
        TaskHistory history = new TaskHistory();
        assertThat(history.expected("align", 1, -1, 0.9)).isNull();
        history.learn(attempt("align", 1, -1, 100));
        assertThat(expected(history, 1, -1)).isEqualTo(new TaskHistory.PredictedTime(100, 200, 1, false));
        for (int i = 2; i <= 19; i++) {
            history.learn(attempt("align", 1, -1, 100L * i));
        }
        // 19 attempts of 100 to 1,900: the tenth, and by rank ⌈0.9 · 20⌉ the 18th.
        assertThat(expected(history, 1, -1)).isEqualTo(new TaskHistory.PredictedTime(1_000, 1_800, 19, false));
        for (int i = 0; i < 300; i++) {
            history.learn(attempt("align", 1, -1, 5));
        }
        assertThat(expected(history, 1, -1)).isEqualTo(new TaskHistory.PredictedTime(5, 5, 200, false));
    }

    @Test
    void failuresDoNotCountAndOtherCoreCountsOnlyAsAFallback() {
        TaskHistory history = new TaskHistory();
        history.learn(new TaskRecord("align", 4, -1, 7, -1, true));
        assertThat(history.expected("align", 4, -1, 0.9)).isNull();
        history.learn(attempt("align", 1, -1, 1_000));
        assertThat(expected(history, 4, -1).median()).isEqualTo(1_000);
        for (int i = 0; i < 3; i++) {
            history.learn(attempt("align", 4, -1, 300));
        }
        assertThat(expected(history, 4, -1).median()).isEqualTo(300);
    }

    @Test
    void inputSizesAreUsedOnlyWhereTheyHelp() {
        TaskHistory grows = new TaskHistory();
        TaskHistory same = new TaskHistory();
        RandomStream random = new RandomStream(3);
        for (int i = 0; i < 40; i++) {
            long bytes = 10L * random.between(100, 100_000);
            grows.learn(attempt("align", 1, bytes, bytes / 10));
            same.learn(attempt("align", 1, bytes, random.between(900, 1_100)));
        }
        assertThat(expected(grows, 1, 2_000_000)).isEqualTo(new TaskHistory.PredictedTime(200_000, 200_000, 40, true));
        assertThat(expected(grows, 1, -1).bySize()).isFalse();
        assertThat(expected(same, 1, 2_000_000).bySize()).isFalse();
        assertThat(expected(same, 1, 2_000_000).median()).isBetween(900L, 1_100L);
    }

    @Test
    void aRunTimeUpdateFollowsAChangeByAQuarter() {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        for (int i = 0; i < 4; i++) {
            builder.category(builder.task("t" + i), i < 3 ? "align" : "merge");
        }
        builder.time(2, 9_000_000);
        Workflow workflow = builder.build();
        ExpectedRunTimes times = new ExpectedRunTimes(
                new TaskHistory(), ExpectedRunTimes.HistoryRule.DEFAULT, ExpectedRunTimes::category);
        assertThat(times.moved(workflow, task -> -1)).as("without history").isNull();
        times.learn(attempt("align", 1, -1, 1_000));
        RunTimeUpdate first = times.moved(workflow, task -> -1);
        assertThat(first)
                .as("the time of task 2 is declared")
                .isEqualTo(new RunTimeUpdate(
                        new int[] {0, 1}, new long[] {1_000_000, 1_000_000}, new long[] {2_000_000, 2_000_000}));
        Workflow updated = Objects.requireNonNull(first).of(workflow);
        assertThat(new long[] {updated.timeMicros(0), updated.timeMicros(2), updated.timeMicros(3)})
                .containsExactly(1_000_000, 9_000_000, Workflow.UNKNOWN);
        times.learn(attempt("align", 1, -1, 1_100));
        assertThat(times.moved(updated, task -> -1))
                .as("1100 · 1.5 instead of 2000")
                .isNull();
        times.learn(attempt("align", 1, -1, 1_050));
        RunTimeUpdate tighter = times.moved(updated, task -> -1);
        assertThat(Objects.requireNonNull(tighter).bound(0))
                .as("1100 · 4/3 instead of 2000")
                .isEqualTo(1_467_000);
        for (int i = 0; i < 4; i++) {
            times.learn(attempt("align", 1, -1, 1_320));
        }
        assertThat(Objects.requireNonNull(times.moved(updated, task -> -1)).expected(0))
                .as("a quarter more than 1050")
                .isEqualTo(1_320_000);
    }

    /** Empty tasks take 2 or 5 ms; each update would contain all of them. */
    @Test
    void changesOfMillisecondsCauseNoUpdate() {
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.category(builder.task("t0"), "empty");
        Workflow workflow = builder.build();
        ExpectedRunTimes times = new ExpectedRunTimes(
                new TaskHistory(), ExpectedRunTimes.HistoryRule.DEFAULT, ExpectedRunTimes::category);
        times.learn(attempt("empty", 1, -1, 2));
        assertThat(times.moved(workflow, task -> -1)).as("the first time").isNotNull();
        for (int millis = 2; millis < 40; millis += 3) {
            times.learn(attempt("empty", 1, -1, millis));
            assertThat(times.moved(workflow, task -> -1)).isNull();
        }
    }

    @Test
    void declaredTimesAreUpdatedOnlyOnRequest() {
        TaskHistory history = new TaskHistory();
        history.learn(attempt("align", 1, -1, 100));
        WorkflowBuilder builder = new WorkflowBuilder("w");
        builder.category(builder.task("t0"), "align").time(0, 5_000);
        ExpectedRunTimes times =
                new ExpectedRunTimes(history, ExpectedRunTimes.HistoryRule.DEFAULT, ExpectedRunTimes::category);
        ExpectedRunTimes all =
                new ExpectedRunTimes(history, new ExpectedRunTimes.HistoryRule(true, 0.9), ExpectedRunTimes::category);
        assertThat(times.moved(builder.build(), task -> -1)).isNull();
        assertThat(Objects.requireNonNull(all.moved(builder.build(), task -> -1))
                        .size())
                .isEqualTo(1);
        builder.category(builder.task("t1"), "align");
        RunTimeUpdate grown = times.moved(builder.build(), task -> -1);
        assertThat(Objects.requireNonNull(grown).task(0)).isEqualTo(1);
    }
}
