package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.sim.ForecastEvaluation.EvaluationSettings;
import io.sheaf.sim.ForecastEvaluation.Sample;
import io.sheaf.sim.model.Presets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitForecasterTest {
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;

    private static JobLog model(int days) {
        return TraceRules.forNodes(100)
                .with(TraceRules.Times.FROM_PERIOD)
                .apply(Presets.model("kth-like").generateDays(0, days))
                .jobs();
    }

    /**
     * A user requests ten hours on both nodes and always uses one. The scheduler estimates ten hours, the forecast one.
     */
    @Test
    void theForecastCorrectsOverestimatedRunTimes() {
        JobLog.Builder log = JobLog.builder();
        for (int i = 0; i < 40; i++) {
            log.add(i, 2 * HOUR * i, HOUR, 10 * HOUR, 2, 7);
        }
        WaitForecast forecast =
                at(log.build(), 2, StartQuery.of(78 * HOUR, 0, 1, HOUR), new WaitForecaster.ForecastSettings(50, 1));
        assertThat(forecast.scheduler()).isEqualTo(10 * HOUR);
        assertThat(forecast.waits().median()).isEqualTo(HOUR);
        assertThat(forecast.waits().low90()).isLessThanOrEqualTo(HOUR);
        assertThat(forecast.waits().high90()).isGreaterThanOrEqualTo(HOUR);
    }

    /** Two logs agree up to an instant and differ afterwards: the forecasts at that instant are equal. */
    @Test
    void forecastsDoNotUseTheFuture() {
        JobLog log = model(30);
        long now = 20 * DAY;
        JobLog.Builder other = JobLog.builder();
        SimulatedQueue queue = new SimulatedQueue(log, Policy.easy(), 100);
        boolean[] ended = new boolean[log.size()];
        queue.advanceTo(now, new BackgroundReports() {
            @Override
            public void backgroundLeft(int job, long at, JobOutcome outcome) {
                ended[job] = true;
            }
        });
        for (int job = 0; job < log.size() && log.submit(job) <= now; job++) {
            // Jobs that still run or wait use their whole requested time instead.
            long run = ended[job] ? log.run(job) : log.requested(job);
            other.add(job, log.submit(job), run, log.requested(job), log.nodes(job), log.user(job));
        }
        for (int nodes : new int[] {1, 16, 64, 100}) {
            StartQuery query = StartQuery.of(now, 0, nodes, 4 * HOUR);
            WaitForecaster.ForecastSettings sampling = new WaitForecaster.ForecastSettings(30, 5);
            assertThat(at(other.build(), 100, query, sampling)).isEqualTo(at(log, 100, query, sampling));
        }
    }

    /**
     * An own job uses both nodes for ten hours. Background jobs use a tenth of their requests, own jobs all of them; a
     * further job waits for that.
     */
    @Test
    void ownJobsAreExpectedToUseTheirWholeWalltime() {
        JobLog.Builder log = JobLog.builder();
        for (int i = 0; i < 40; i++) {
            log.add(i, 2 * HOUR * i, HOUR, 10 * HOUR, 2, 7);
        }
        long now = 100 * HOUR;
        BatchEngine engine = new BatchEngine(Policy.easy(), 2);
        int own = engine.submit(now, Submission.of(2, 10 * HOUR));
        engine.pass(now, new int[1]);
        KnownQueue queue = new KnownQueue(engine, now, Map.of(1L, own), log.build(), 40, handle -> -1);
        WaitForecast forecast =
                WaitForecaster.in(queue, StartQuery.of(now, 0, 1, HOUR), new WaitForecaster.ForecastSettings(50, 1));
        assertThat(forecast.scheduler()).isEqualTo(10 * HOUR);
        assertThat(forecast.waits().median()).isEqualTo(10 * HOUR);
    }

    /**
     * A queue that is 600 times as fast has the scaled forecasts of the slow one, except for rounding to milliseconds.
     */
    @Test
    void aFastQueueIsEstimatedLikeASlowOne() {
        int speed = 600;
        JobLog log = model(30);
        JobLog.Builder fast = JobLog.builder();
        for (int i = 0; i < log.size(); i++) {
            fast.add(
                    i,
                    log.submit(i) / speed,
                    Math.max(1, log.run(i) / speed),
                    Math.max(1, log.requested(i) / speed),
                    log.nodes(i),
                    log.user(i));
        }
        WaitForecast slow =
                at(log, 100, StartQuery.of(20 * DAY, 0, 90, 4 * HOUR), new WaitForecaster.ForecastSettings(100, 3));
        WaitForecast quick = at(
                fast.build(),
                100,
                StartQuery.of(20 * DAY / speed, 0, 90, 4 * HOUR / speed),
                new WaitForecaster.ForecastSettings(100, 3, DAY / speed));
        assertThat(slow.scheduler()).isPositive();
        assertThat((double) quick.scheduler()).isCloseTo(slow.scheduler() / (double) speed, within(100.0));
        for (int i = 0; i < 5; i++) {
            double scaled = slow.waits().values()[i] / (double) speed;
            assertThat((double) quick.waits().values()[i])
                    .as("level " + i)
                    .isCloseTo(scaled, within((i == 2 ? 0.1 : 0.25) * scaled));
        }
    }

    /** The forecast in the queue of a log, at the instant of the query. */
    private static WaitForecast at(JobLog log, int nodes, StartQuery query, WaitForecaster.ForecastSettings sampling) {
        SimulatedQueue queue = new SimulatedQueue(log, Policy.easy(), nodes);
        queue.advanceTo(query.now());
        return WaitForecaster.in(queue.known(), query, sampling);
    }

    @Test
    void forecastsBeatTheSchedulerAndCoverTheirIntervals() {
        List<Sample> samples =
                ForecastEvaluation.run(model(60), Policy.easy(), 100, new EvaluationSettings(4, 60, 20, 0));
        ForecastFigures figures = ForecastFigures.of(samples, Sample::real);
        assertThat(figures.samples()).isGreaterThan(150);
        assertThat(figures.pinball()).isLessThan(figures.rawPinball()).isLessThan(figures.boundPinball());
        assertThat(figures.coverage90()).isBetween(0.8, 1.0);
        assertThat(samples).allSatisfy(each -> {
            assertThat(each.raw()).isPositive();
            assertThat(each.forecast().values()).isSorted();
        });
    }

    /**
     * Evaluated jobs had to wait; each week has at most the requested number of them; training jobs were submitted
     * before each week.
     */
    @Test
    void eachWeekHasTrainingJobsBeforeIt() {
        JobLog.Builder log = JobLog.builder();
        for (int i = 0; i < 1_000; i++) {
            log.add(i, i * DAY / 10, HOUR, HOUR, 1, 1);
        }
        long[] startOf = new long[1_000];
        for (int i = 0; i < startOf.length; i++) {
            startOf[i] = i * DAY / 10 + (i % 5 == 0 ? HOUR : 0);
        }
        EvaluationJobs jobs = new EvaluationJobs(log.build(), startOf, DAY);
        // Weeks begin at 46.45 d and at 92.9 d: jobs 465 to 534 and 929 to 998, each fifth of which waits.
        assertThat(jobs.judged(2, 10, 0).cardinality()).isEqualTo(20);
        assertThat(jobs.judged(2, 100, 0).stream()).hasSize(28).allSatisfy(job -> assertThat(job % 5)
                .isZero());
        // 28 days have 56 of them, too few: 93 are before the first week, 100 are selected before the second.
        assertThat(jobs.practice(2).stream().filter(job -> job < 465)).hasSize(93);
        assertThat(jobs.practice(2).stream().max()).hasValue(925);
        assertThat(jobs.practice(1).cardinality()).isEqualTo(100);
    }

    /** Of two samples one is in both intervals, the other in none. Pinball at 0.05 … 0.95 of a wait of 10 with quantiles of 8: 2 × 0.5 on average. */
    @Test
    void figuresMatchAHandComputation() {
        Quantiles narrow = new Quantiles(9_000, 10_000, 11_000, 12_000, 13_000);
        List<Sample> samples = new ArrayList<>();
        samples.add(new Sample(0, 1, 20_000, narrow, Quantiles.always(8_000), 10_000));
        samples.add(new Sample(1, 1, 20_000, narrow, Quantiles.always(10_000), 20_000));
        ForecastFigures figures = ForecastFigures.of(samples, Sample::real);
        assertThat(figures.coverage90()).isEqualTo(0.5);
        assertThat(figures.coverage50()).isEqualTo(0.5);
        assertThat(figures.meanWidth90()).isEqualTo(4);
        assertThat(figures.medianError()).isEqualTo(5);
        assertThat(figures.rawMedianError()).isEqualTo(5);
        assertThat(figures.boundPinball()).isCloseTo((2 * 0.5 + 10 * 0.5) / 2, within(1e-9));
        assertThat(figures.rawPinball()).isCloseTo(10 * 0.5 / 2, within(1e-9));
        assertThat(figures.medianErrorRatio()).isEqualTo(1);
    }

    @Test
    void historyLearnsOnlyFromStartedJobs() {
        JobLog log = model(30);
        EstimateHistory history = new EstimateHistory(log, Policy.easy(), 100, 25 * DAY);
        assertThat(history.factors(0).factor(8)).isEqualTo(1);
        assertThat(history.factors(25 * DAY).factor(8)).isBetween(0.01, 1.0);
    }

    /** Two nodes; each job uses both for three minutes, and one arrives each minute: they wait 0, 2 and 4 minutes. */
    @Test
    void jobsSubmittedAtRegularIntervalsQueueUp() {
        List<Long> waits = new ArrayList<>();
        SubmittedJobs.run(
                new SimulatedQueue(JobLog.builder().build(), Policy.easy(), 2),
                1_000,
                3,
                60_000,
                new SubmittedJobs.JobShape(2, 300_000, 180_000),
                new SubmittedJobs.Watcher() {
                    @Override
                    public void submitted(int job) {}

                    @Override
                    public void started(int job, long waited) {
                        waits.add(waited);
                    }
                });
        assertThat(waits).containsExactly(0L, 120_000L, 240_000L);
    }
}
