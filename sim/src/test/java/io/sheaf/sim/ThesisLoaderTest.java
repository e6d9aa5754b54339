package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.sim.TraceRules.Estimates;
import io.sheaf.testing.Shared;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that jobs are read from a log as by the loader of the thesis. */
class ThesisLoaderTest {
    private static final TraceRules RULES =
            TraceRules.forNodes(4).with(Conventions.THESIS.cancelled()).with(Conventions.THESIS.loader());

    private static final String LOG = """
            1 100 -1 50 3 -1 -1 2 120 -1 1 7 1 -1 -1 -1 -1 -1
            2 110 -1 70 2 -1 -1 9 60  -1 1 7 1 -1 -1 -1 -1 -1
            3 120 -1 0  1 -1 -1 -1 59 -1 1 7 1 -1 -1 -1 -1 -1
            4 130 -1 -1 1 -1 -1 1 600 -1 5 7 1 -1 -1 -1 -1 -1
            """;

    /**
     * Job 1 has the two processors that it requested, a second less, and 60·(1 + 2) + 5 s; job 2 the whole cluster, its
     * request raised to the run time of 70 s: 60·(1 + 1) + 5 s; job 3, of run time 0, keeps it; job 4 runs for its
     * request, less a second.
     */
    @Test
    void requestsAndTimesAreThoseOfTheThesis() {
        JobLog jobs = RULES.apply(log(LOG)).jobs();
        assertThat(shown(jobs))
                .containsExactly(
                        "1@0 2x49000/185000", "2@10000 4x69000/125000", "3@20000 1x0/65000", "4@30000 1x599000/665000");
        assertThat(shown(RULES.with(Estimates.ACCURATE).apply(log(LOG)).jobs()))
                .startsWith("1@0 2x49000/65000", "2@10000 4x69000/125000");
    }

    /** The period begins 25 s after the first submission; the job that is submitted 5 s later has the time 5 s. */
    @Test
    void thePeriodBeginsAtZero() {
        Trace trace = TraceRules.forNodes(4)
                .with(TraceRules.Times.FROM_PERIOD)
                .with(TraceRules.Cancelled.FULL)
                .withPeriod(25_000, Long.MAX_VALUE)
                .apply(log(LOG));
        assertThat(shown(trace.jobs())).containsExactly("4@5000 1x600000/600000");
        assertThat(trace.logTime(5_000)).isEqualTo(130_000);
    }

    @ParameterizedTest
    @CsvSource({"accurate,ACCURATE", "real,REQUESTED"})
    void kthJobsEqualThoseOfTheThesisSimulator(String mode, Estimates estimates) {
        var log = SwfReader.strict().read(Source.of(Shared.path("data/workloads/KTH-SP2-1996-2.1-cln.swf.gz")));
        JobLog jobs = TraceRules.forNodes(100)
                .with(Conventions.THESIS.cancelled())
                .with(Conventions.THESIS.loader())
                .with(estimates)
                .apply(log)
                .jobs();
        List<String> lines = SharedFiles.lines("reference/thesis/kth_full_cbf_" + mode + ".csv.gz");
        List<String> published = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] f = line.split(",");
            long run = Math.max(0, Long.parseLong(f[3]) - 1);
            published.add(
                    f[0] + "@" + 1000 * Long.parseLong(f[1]) + " " + f[2] + "x" + 1000 * run + "/" + f[4] + "000");
        }
        assertThat(shown(jobs)).isEqualTo(published);
    }

    private static SwfLog log(String text) {
        return SwfReader.strict().read(Source.of("log", text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static List<String> shown(JobLog jobs) {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            rows.add(jobs.id(i) + "@" + jobs.submit(i) + " " + jobs.nodes(i) + "x" + jobs.run(i) + "/"
                    + jobs.requested(i));
        }
        return rows;
    }
}
