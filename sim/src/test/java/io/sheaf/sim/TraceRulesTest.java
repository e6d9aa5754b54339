package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.PoolMemory;
import io.sheaf.formats.Source;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.sim.TraceRules.Cancelled;
import io.sheaf.sim.TraceRules.Estimates;
import io.sheaf.testing.Shared;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceRulesTest {
    /** job, submit, wait, run, allocated and requested processors, requested time (s). */
    private static final String LOG = """
            1 100 0 50 4 -1 -1 4 60 -1 1 7 1 -1 -1 -1 -1 -1
            2 110 5 70 2 -1 -1 8 60 -1 1 7 1 -1 -1 -1 -1 -1
            4 130 9 -1 -1 -1 -1 2 600 -1 5 8 1 -1 -1 -1 -1 -1
            3 120 0 30 2 -1 -1 2 -1 -1 1 -1 1 -1 -1 -1 -1 -1
            5 130 9 30 -1 -1 -1 -1 60 -1 1 8 1 -1 -1 -1 -1 -1
            6 140 9 30 16 -1 -1 16 60 -1 1 8 1 -1 -1 -1 -1 -1
            7 150 9 0 2 -1 -1 2 60 -1 1 8 1 -1 -1 -1 -1 -1
            8 160 -1 -1 -1 -1 -1 2 60 -1 5 8 1 -1 -1 -1 -1 -1
            9 170 3 -1 -1 -1 -1 2 -1 -1 5 8 1 -1 -1 -1 -1 -1
            10 200 0 10 1 -1 -1 1 10 -1 1 8 1 -1 -1 -1 -1 -1
            """;

    private static SwfLog log(String text) {
        return SwfReader.lenient(p -> {}).read(Source.of("log", text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String shown(JobLog jobs) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            rows.add(jobs.id(i) + "@" + jobs.submit(i) + " " + jobs.nodes(i) + "x" + jobs.run(i) + "/"
                    + jobs.requested(i)
                    + (jobs.patience(i) == JobLog.PATIENT ? "" : " until " + jobs.patience(i)));
        }
        return String.join(", ", rows);
    }

    /**
     * Requested memory takes precedence over used memory. Both are in kilobytes per processor; a node has two
     * processors here.
     */
    @Test
    void memoryIsReadFromTheLog() {
        SwfLog log = log("""
                1 0 0 50 4 -1 -1 4 60 2048 1 7 1 -1 -1 -1 -1 -1
                2 1 0 50 2 -1 512 2 60 -1 1 7 1 -1 -1 -1 -1 -1
                3 2 0 50 2 -1 512 2 60 1024 1 7 1 -1 -1 -1 -1 -1
                4 3 0 50 2 -1 -1 2 60 -1 1 7 1 -1 -1 -1 -1 -1
                """);
        JobLog jobs = TraceRules.forNodes(8).withProcsPerNode(2).apply(log).jobs();
        assertThat(IntStream.range(0, 4).mapToLong(jobs::memory)).containsExactly(4L << 20, 1L << 20, 2L << 20, 0L);
        JobLog without = TraceRules.forNodes(16).apply(log(LOG)).jobs();
        assertThat(without.memory(0)).isZero();
    }

    /**
     * Four cores share 4 MiB. Job 1 has one core and 3 MiB until 50 s, so job 2 (one core, 2 MiB) waits for it although three cores are free, and job 3
     * (three cores, without memory) starts at once.
     */
    @Test
    void jobsWaitForMemoryInAReplay() {
        JobLog jobs = TraceRules.forNodes(4).apply(log("""
                1 0 0 50 1 -1 -1 1 60 3072 1 7 1 -1 -1 -1 -1 -1
                2 1 0 50 1 -1 -1 1 60 2048 1 7 1 -1 -1 -1 -1 -1
                3 2 0 50 3 -1 -1 3 60 -1 1 7 1 -1 -1 -1 -1 -1
                """)).jobs();
        for (Policy policy : List.of(Policy.easy(), Policy.conservative())) {
            Policy counting = policy.withMemory(PoolMemory.shared(4 << 20));
            assertThat(WaitForecaster.replay(jobs, counting, 4, BatchEngine.NEVER))
                    .containsExactly(0, 50_000, 2_000);
            assertThat(WaitForecaster.replay(jobs, policy, 4, BatchEngine.NEVER))
                    .containsExactly(0, 1_000, 50_000);
        }
    }

    @Test
    void byDefaultJobsThatNeverRanAreDropped() {
        Trace trace = TraceRules.forNodes(8).apply(log(LOG));
        assertThat(shown(trace.jobs()))
                .isEqualTo("1@0 4x50000/60000, 2@10000 2x70000/70000, 3@20000 2x30000/30000, 10@100000 1x10000/10000");
        assertThat(trace.counts())
                .isEqualTo(Map.of(
                        TraceRule.NO_PROCESSORS, 1L,
                        TraceRule.TOO_LARGE, 1L,
                        TraceRule.NEVER_RAN, 4L,
                        TraceRule.REQUEST_MISSING, 1L,
                        TraceRule.REQUEST_RAISED, 1L,
                        TraceRule.REORDERED, 1L));
        assertThat(trace.logTime(trace.jobs().submit(3))).isEqualTo(200_000);
        assertThat(trace.jobs().user(0)).isEqualTo(7);
        assertThat(trace.jobs().user(2)).as("unknown").isZero();
    }

    @Test
    void fullRunsJobsOfUnknownRunTimeForTheirRequest() {
        Trace trace = TraceRules.forNodes(8).with(Cancelled.FULL).apply(log(LOG));
        assertThat(shown(trace.jobs()))
                .contains("4@30000 2x600000/600000", "7@50000 2x0/60000", "8@60000 2x60000/60000");
        assertThat(trace.count(TraceRule.RUN_IN_FULL)).isEqualTo(2);
        assertThat(trace.count(TraceRule.NO_TIMES)).isEqualTo(1);
    }

    @Test
    void cancelledJobsStayQueuedForTheRecordedWait() {
        Trace trace = TraceRules.forNodes(8).with(Cancelled.WITHDRAW).apply(log(LOG));
        assertThat(shown(trace.jobs())).contains("4@30000 2x600000/600000 until 9000", "7@50000 2x0/60000");
        assertThat(trace.count(TraceRule.CANCELLED)).isEqualTo(1);
        assertThat(trace.count(TraceRule.NEVER_RAN)).as("no wait on record").isEqualTo(1);
        assertThat(trace.count(TraceRule.NO_TIMES)).isEqualTo(1);
    }

    @Test
    void aCancelledJobLeavesTheQueueInAReplay() {
        // Four nodes. Job 1 uses all of them for 100 s. Job 2 is cancelled after 9 s; job 3, with a limit of 200 s,
        // starts.
        SwfLog log = log("""
                1 0 0 100 4 -1 -1 4 100 -1 1 7 1 -1 -1 -1 -1 -1
                2 1 9 -1 -1 -1 -1 2 600 -1 5 8 1 -1 -1 -1 -1 -1
                3 2 200 -1 -1 -1 -1 4 50 -1 5 8 1 -1 -1 -1 -1 -1
                """);
        ReplayResult replayed = Replay.run(
                TraceRules.forNodes(4).with(Cancelled.WITHDRAW).apply(log).jobs(), new BatchEngine(Policy.easy(), 4));
        assertThat(replayed.outcome(1)).isEqualTo(JobOutcome.CANCELLED);
        assertThat(replayed.start(2)).isEqualTo(100_000);
        assertThat(replayed.end(2)).isEqualTo(150_000);
    }

    @Test
    void accurateEstimatesRequestTheRunTime() {
        Trace trace = TraceRules.forNodes(8).with(Estimates.ACCURATE).apply(log(LOG));
        assertThat(shown(trace.jobs())).startsWith("1@0 4x50000/50000, 2@10000 2x70000/70000");
        assertThat(trace.count(TraceRule.REQUEST_RAISED)).isZero();
    }

    @Test
    void scalingLoadDividesTheTimesBetweenSubmissions() {
        Trace trace = TraceRules.forNodes(8).withScaleLoad(4).withWarmup(20_000).apply(log(LOG));
        assertThat(shown(trace.jobs())).contains("1@0 ", "2@2500 ", "3@5000 ", "10@25000 ");
        assertThat(trace.measureFrom()).isEqualTo(5_000);
        Trace plain = TraceRules.forNodes(8).apply(log(LOG));
        assertThat(offeredLoad(trace, 8)).isCloseTo(4 * offeredLoad(plain, 8), within(1e-12));
    }

    @Test
    void aPeriodIsCutOutOfTheLog() {
        // From 110 s, that is 10 s after the first submission, up to but not including 200 s.
        Trace trace = TraceRules.forNodes(8)
                .withPeriod(10_000, 90_000)
                .withWarmup(5_000)
                .apply(log(LOG));
        assertThat(shown(trace.jobs())).isEqualTo("2@0 2x70000/70000, 3@10000 2x30000/30000");
        assertThat(trace.count(TraceRule.OUTSIDE_PERIOD)).isEqualTo(2);
        assertThat(trace.origin()).isEqualTo(110_000);
        assertThat(trace.measureFrom()).isEqualTo(5_000);
    }

    @Test
    void timesOfTheLogCanBeKept() {
        Trace trace = TraceRules.forNodes(8)
                .with(TraceRules.Times.AS_LOGGED)
                .withWarmup(5_000)
                .apply(log(LOG));
        assertThat(trace.jobs().submit(0)).isEqualTo(100_000);
        assertThat(trace.logTime(100_000)).isEqualTo(100_000);
        assertThat(trace.measureFrom()).isEqualTo(105_000);
    }

    @Test
    void processorsCanBeGroupedIntoNodes() {
        Trace trace = TraceRules.forNodes(8).withProcsPerNode(3).apply(log(LOG));
        assertThat(shown(trace.jobs())).contains("1@0 2x", "6@40000 6x", "10@100000 1x");
        assertThat(trace.count(TraceRule.TOO_LARGE)).isZero();
    }

    @Test
    void malformedLinesAreCounted() {
        assertThat(TraceRules.forNodes(8).apply(log(LOG + "nonsense\n")).count(TraceRule.MALFORMED))
                .isEqualTo(1);
    }

    @Test
    void anEmptyLogGivesAnEmptyTrace() {
        Trace trace = TraceRules.forNodes(8).apply(log("; nothing\n"));
        assertThat(trace.jobs().size()).isZero();
        assertThat(offeredLoad(trace, 8)).isNaN();
    }

    @Test
    void impossibleRulesAreRefused() {
        assertThatThrownBy(() -> TraceRules.forNodes(8).withScaleLoad(0))
                .hasMessageContaining("cannot be scaled by 0.0");
        assertThatThrownBy(() -> TraceRules.forNodes(0)).hasMessageContaining("0 nodes");
        assertThatThrownBy(() -> TraceRules.forNodes(8).withPeriod(-1, 5)).hasMessageContaining("period");
    }

    @Test
    void rulesOnRealLogsHaveTheExpectedCounts() {
        SwfLog sdsc = SwfReader.strict().read(Source.of(Shared.path("data/workloads/SDSC-SP2-1998-4.2-cln.swf.gz")));
        Trace dropped = TraceRules.forNodes(128).apply(sdsc);
        assertThat(dropped.count(TraceRule.NEVER_RAN)).isEqualTo(5681);
        assertThat(dropped.jobs().size()).isEqualTo(59_715 - 5_681);
        assertThat(offeredLoad(dropped, 128) * 100).isCloseTo(83.4, within(0.05));
        Trace full = TraceRules.forNodes(128).with(Cancelled.FULL).apply(sdsc);
        assertThat(full.count(TraceRule.RUN_IN_FULL)).isEqualTo(5640);
        assertThat(full.count(TraceRule.NO_TIMES)).isEqualTo(31);
        assertThat(offeredLoad(full, 128) * 100).isCloseTo(141, within(0.5));
        Trace cancelled = TraceRules.forNodes(128).with(Cancelled.WITHDRAW).apply(sdsc);
        assertThat(cancelled.count(TraceRule.CANCELLED)).isEqualTo(5640);
        SwfLog kth = SwfReader.strict().read(Source.of(Shared.path("data/workloads/KTH-SP2-1996-2.1-cln.swf.gz")));
        Trace trace = TraceRules.forNodes(100).apply(kth);
        assertThat(trace.count(TraceRule.REQUEST_RAISED)).isEqualTo(475);
        assertThat(trace.count(TraceRule.NO_PROCESSORS)).isEqualTo(1);
        assertThat(trace.origin()).isEqualTo(599_850_000);
    }

    /** Node time of the jobs over that of a cluster of this size, from first to last submission; NaN for one instant. */
    private static double offeredLoad(Trace trace, int nodes) {
        JobLog jobs = trace.jobs();
        double work = 0;
        for (int i = 0; i < jobs.size(); i++) {
            work += (double) jobs.nodes(i) * Math.min(jobs.run(i), jobs.requested(i));
        }
        long span = jobs.size() == 0 ? 0 : jobs.submit(jobs.size() - 1) - jobs.submit(0);
        return span == 0 ? Double.NaN : work / ((double) span * nodes);
    }
}
