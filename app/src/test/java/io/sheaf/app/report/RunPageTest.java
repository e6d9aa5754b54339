package io.sheaf.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.sheaf.batch.Policy;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.BackgroundRecorder;
import io.sheaf.sim.BackgroundReports;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of a run loads no other files and contains the data of the record. */
class RunPageTest {
    private static final int NODES = 4;
    private static final int CORES = 2;
    private static final long START = 50_000;

    /** Three levels of tasks of one and two cores, some of them on two nodes at once, for four nodes of two cores. */
    private static Workflow workflow() {
        WorkflowBuilder builder = new WorkflowBuilder("<b>&\"three\"");
        for (int i = 0; i < 24; i++) {
            int task = builder.task("t<" + i + ">");
            builder.time(task, (60 + 37 * i % 400) * 1_000_000L);
            builder.category(task, "kind" + i % 3);
            builder.resources(task, new Resources(1 + i % 2, 0, 0, i % 7 == 3 ? 2 : 1));
            if (i >= 8) {
                builder.edge(i - 8, task);
            }
        }
        return builder.build();
    }

    private record SimulatedPage(RunRecord run, BackgroundLoad load, String page) {
        static SimulatedPage of(String strategy) throws IOException {
            Workflow workflow = workflow();
            JobLog log = JobLog.builder()
                    .add(1, 0, 100_000, 100_000, 3, 1)
                    .add(2, 60_000, 300_000, 400_000, 2, 1)
                    .add(3, 600_000, 300_000, 400_000, 4, 1)
                    .build();
            SimulatedQueue queue = new SimulatedQueue(log, Policy.easy(), NODES);
            queue.advanceTo(START - 1);
            BackgroundRecorder recorder = new BackgroundRecorder(queue, START, new BackgroundReports() {});
            DecisionLog decisions = new DecisionLog();
            var run = WorkflowSimulation.run(
                    queue,
                    START,
                    workflow,
                    Strategies.named(strategy, new RunTimes(workflow, Profile.OWN.planOrder(), CORES), Profile.OWN),
                    SimulationSetup.of(Profile.OWN, Resources.node(CORES), 4)
                            .taking(TaskTimes.spread(0.4, 1))
                            .recording(true),
                    decisions,
                    recorder,
                    null);
            RunRecord record = run.record(workflow, strategy, NODES, CORES, decisions.decisions());
            BackgroundLoad load = recorder.until(queue.now());
            StringWriter out = new StringWriter();
            new RunPage(record, "here & now", load, Map.of("more", "<3>")).write(out);
            return new SimulatedPage(record, load, out.toString());
        }
    }

    @Test
    void thePageLoadsNoResourcesAndEscapesText() throws IOException {
        String page = SimulatedPage.of("levelbylevel").page();
        String code = page.replaceAll("(?s)<script type=\"application/octet-stream\".*?</script>", "");
        assertThat(code)
                .doesNotContain("http:", "https:", "src=", "href=", "<link", "@import", "url(")
                .doesNotContain("fetch(", "XMLHttpRequest", "WebSocket", "import(", "eval(", " style=\"", "unsafe-")
                .doesNotContain("{{", "}}")
                .doesNotContain("<b>&", "<3>");
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains(
                        "<h1>&lt;b&gt;&amp;&quot;three&quot;</h1>",
                        "levelbylevel on here &amp; now",
                        "<dd>&lt;3&gt;</dd>")
                .endsWith("</html>\n");
        assertThat(SimulatedPage.of("levelbylevel").page()).isEqualTo(page);
    }

    @Test
    void aRacePageShowsAllRunsOnOneScale() throws IOException {
        RunRecord quick = SimulatedPage.of("glume").run();
        RunRecord slow = SimulatedPage.of("onejobpertask").run();
        assertThat(slow.makespanMillis()).isGreaterThan(quick.makespanMillis());
        StringWriter out = new StringWriter();
        new RacePage("here & now", List.of(quick, slow)).write(out);
        String page = out.toString();
        assertThat(page)
                .contains("<h2>glume</h2>", "<h2>onejobpertask</h2>", "here &amp; now", "t&lt;23&gt;")
                .contains("submits groups of levels with the lowest estimated makespan; makespan ")
                .doesNotContain("{{", "t<23>", "http:", "https:", "src=", " style=\"")
                .endsWith("</html>\n");
        // The slower run fills the width, the other a share of it.
        Matcher ends = Pattern.compile("x1=\"([0-9.]+)\"[^>]*class=\"end\"").matcher(page);
        assertThat(ends.find()).isTrue();
        double first = Double.parseDouble(ends.group(1));
        assertThat(ends.find()).isTrue();
        double width = Double.parseDouble(ends.group(1));
        assertThat(first / width).isCloseTo((double) quick.makespanMillis() / slow.makespanMillis(), offset(0.001));
    }

    @Test
    void theEmbeddedJobsAndTasksMatchTheRecord() throws IOException {
        for (String strategy : List.of("levelbylevel", "onejobpertask", "glume")) {
            SimulatedPage simulated = SimulatedPage.of(strategy);
            RunRecord run = simulated.run();
            Data jobs = new Data(simulated.page(), "pilot-jobs");
            assertThat(jobs.count).isEqualTo(run.jobs().size());
            for (JobRecord job : run.jobs()) {
                long ended = job.ended() - job.submitted();
                long waited = job.hasStarted() ? job.started() - job.submitted() : ended;
                assertThat(jobs.next(8))
                        .containsExactly(
                                job.token(),
                                job.nodes(),
                                job.walltime(),
                                job.submitted() - START,
                                waited,
                                ended - waited,
                                job.hasStarted() ? 1 : 0,
                                1 + job.expectedStart() - job.submitted());
                jobs.next(2);
            }
            checkAttempts(simulated);
        }
    }

    /** Each attempt has rows of its job, one for each of its cores, and no row has two attempts at a time. */
    private static void checkAttempts(SimulatedPage simulated) {
        RunRecord run = simulated.run();
        long[] top = new long[run.jobs().size()];
        Data jobs = new Data(simulated.page(), "pilot-jobs");
        for (int j = 0; j < top.length; j++) {
            top[j] = jobs.next(10)[8];
        }
        Data attempts = new Data(simulated.page(), "attempts");
        assertThat(attempts.count).isEqualTo(run.attempts().size());
        List<long[]> bars = new ArrayList<>();
        List<AttemptRecord> found = new ArrayList<>();
        long at = START;
        for (int i = 0; i < attempts.count; i++) {
            long[] row = attempts.next(6);
            at += row[2];
            long start = at;
            JobRecord job = run.jobs().get((int) row[0]);
            found.addAll(run.attempts().stream()
                    .filter(a -> a.token() == job.token() && a.task() == row[1] && a.started() == start)
                    .filter(a -> a.ended() == start + row[3] && a.done() == (row[4] == 1))
                    .toList());
            Resources requested = run.workflow().resources((int) row[1]);
            long lanes = 0;
            for (int block = 0; block < row[5]; block++) {
                long[] rows = attempts.next(2);
                lanes += rows[1];
                assertThat(rows[0]).isGreaterThanOrEqualTo(top[(int) row[0]]);
                assertThat(rows[0] + rows[1]).isLessThanOrEqualTo(top[(int) row[0]] + (long) job.nodes() * CORES);
                bars.add(new long[] {rows[0], rows[0] + rows[1], start, start + row[3]});
            }
            assertThat(lanes).isEqualTo((long) requested.cores() * requested.nodes());
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(run.attempts());
        for (int a = 0; a < bars.size(); a++) {
            for (int b = 0; b < a; b++) {
                long[] x = bars.get(a);
                long[] y = bars.get(b);
                boolean overlap = x[0] < y[1] && y[0] < x[1] && x[2] < y[3] && y[2] < x[3];
                assertThat(overlap).isFalse();
            }
        }
    }

    /**
     * Background jobs use three nodes from before the start to 100 s, two from then to 400 s, and all four later; jobs
     * are queued in between.
     */
    @Test
    void theEmbeddedLoadIsThatOfTheBackgroundJobs() throws IOException {
        SimulatedPage simulated = SimulatedPage.of("onejob");
        Data load = new Data(simulated.page(), "load");
        assertThat(load.count).isEqualTo(simulated.load().points().size()).isGreaterThan(4);
        assertThat(simulated.load().points().get(0)).isEqualTo(new BackgroundLoad.Point(START, 3, 0));
        assertThat(simulated.load().points().get(1)).isEqualTo(new BackgroundLoad.Point(60_000, 3, 1));
        long before = START;
        for (BackgroundLoad.Point point : simulated.load().points()) {
            assertThat(load.next(3)).containsExactly(point.at() - before, point.busy(), point.queued());
            before = point.at();
        }
    }

    @Test
    void everyDecisionIsListedWithItsJobs() throws IOException {
        SimulatedPage simulated = SimulatedPage.of("glume");
        assertThat(simulated.run().decisions()).isNotEmpty();
        assertThat(simulated.page().split("<li id=\"decision", -1))
                .hasSize(simulated.run().decisions().size() + 1);
        for (JobRecord job : simulated.run().jobs()) {
            assertThat(simulated.page())
                    .contains(
                            "<tr data-job=\"" + job.token() + "\">",
                            "Job " + job.token() + " for " + job.claim() + ": ");
        }
        assertThat(simulated.page()).contains("✓ ", "Estimated makespan ");
        assertThat(names(simulated.page(), "names")).hasSize(24).startsWith("t<0>");
        assertThat(names(simulated.page(), "categories")).contains("kind0", "kind1", "kind2");
    }

    @Test
    void loadChartsAreHiddenWithoutALoad() throws IOException {
        SimulatedPage simulated = SimulatedPage.of("onejob");
        StringWriter out = new StringWriter();
        new RunPage(simulated.run(), "a cluster", BackgroundLoad.UNKNOWN, Map.of()).write(out);
        assertThat(out.toString()).contains("<div id=\"background\" hidden>");
        assertThat(simulated.page()).contains("<div id=\"background\">");
    }

    private static List<String> names(String page, String id) {
        return List.of(new String(Data.element(page, id), StandardCharsets.UTF_8).split("\0", -1));
    }

    /** The numbers of a data element, decoded as the script of the page decodes them. */
    private static final class Data {
        final int count;
        private final byte[] bytes;
        private int at;

        Data(String page, String id) {
            count = Integer.parseInt(find(page, id).group(1));
            bytes = element(page, id);
        }

        static Matcher find(String page, String id) {
            Matcher found = Pattern.compile("id=\"" + id + "\" data-count=\"(\\d+)\">([A-Za-z0-9+/=]*)</script>")
                    .matcher(page);
            assertThat(found.find()).as(id).isTrue();
            return found;
        }

        static byte[] element(String page, String id) {
            return Base64.getDecoder().decode(find(page, id).group(2));
        }

        long[] next(int numbers) {
            long[] values = new long[numbers];
            for (int i = 0; i < numbers; i++) {
                for (int shift = 0; ; shift += 7) {
                    byte b = bytes[at++];
                    values[i] |= (long) (b & 127) << shift;
                    if (b >= 0) {
                        break;
                    }
                }
            }
            return values;
        }
    }
}
