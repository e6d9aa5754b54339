package io.sheaf.app.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.replay.Unpacked.Job;
import io.sheaf.app.simulate.LoadedTrace;
import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.formats.Source;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.sim.JobOutcome;
import io.sheaf.sim.Replay;
import io.sheaf.sim.ReplayResult;
import io.sheaf.sim.Trace;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.model.Presets;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of a replay loads no other files and contains the jobs of the replay. */
class ReplayPageTest {
    private static final int NODES = 100;

    private record ReplayedPage(Trace trace, ReplayResult replayed, String page) {
        static ReplayedPage of(SwfLog log, TraceRules rules, Policy policy) throws IOException {
            Trace trace = rules.apply(log);
            ReplayResult replayed = Replay.run(trace.jobs(), new BatchEngine(policy, rules.nodes()));
            StringWriter out = new StringWriter();
            LoadedTrace loaded = new LoadedTrace(
                    "some/folder/<b>&\"log\".swf", log, OptionalLong.empty(), Map.of("& only", 1L), null);
            ReplaySummary summary = ReplaySummary.of(loaded, trace, replayed, rules.nodes(), 0);
            new ReplayPage(loaded, "easy {{jobs}}", rules.nodes(), summary, trace, replayed).write(out);
            return new ReplayedPage(trace, replayed, out.toString());
        }

        static ReplayedPage ofModel(Policy policy) throws IOException {
            return of(Presets.model("kth-like").generate(3, 1500), TraceRules.forNodes(NODES), policy);
        }
    }

    @Test
    void thePageLoadsNoResources() throws IOException {
        String page = ReplayedPage.ofModel(Policy.easy()).page();
        String code = page.replaceFirst("(?s)<script type=\"application/octet-stream\".*?</script>", "");
        assertThat(code)
                .doesNotContain("http:", "https:", "//cdn", "src=", "href=", "<link", "@import", "url(")
                .doesNotContain("fetch(", "XMLHttpRequest", "WebSocket", "import(", "eval(");
        assertThat(code.replace("easy {{jobs}}", "")).as("template variables").doesNotContain("{{", "}}", "${project");
        assertThat(page).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
        assertThat(page.length()).isLessThan(100_000);
    }

    @Test
    void textFromInputIsEscaped() throws IOException {
        String page = ReplayedPage.ofModel(Policy.easy()).page();
        assertThat(page)
                .contains("<h1>&lt;b&gt;&amp;&quot;log&quot;.swf</h1>", "<li>1 &amp; only</li>")
                .contains("<p>easy {{jobs}}, 100 nodes</p>")
                .doesNotContain("<b>", "some/folder");
    }

    @Test
    void thePolicyAllowsOnlyItsOwnStyleAndScript() throws IOException, NoSuchAlgorithmException {
        String page = ReplayedPage.ofModel(Policy.easy()).page();
        assertThat(page)
                .contains("content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src '"
                        + hash(between(page, "<style>", "</style>")) + "'; script-src '"
                        + hash(between(page, "\n<script>", "</script>")) + "'\"")
                .doesNotContain("unsafe-", " style=\"")
                .doesNotContainPattern(" on[a-z]+=");
    }

    private static String between(String page, String open, String close) {
        int from = page.indexOf(open) + open.length();
        return page.substring(from, page.indexOf(close, from));
    }

    private static String hash(String text) throws NoSuchAlgorithmException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }

    @Test
    void theEmbeddedJobsMatchTheReplay() throws IOException {
        for (Policy policy : List.of(
                Policy.easy(), Policy.conservative(), Policy.easy().withPlacement(Policy.NodeSelection.CONTIGUOUS))) {
            ReplayedPage r = ReplayedPage.ofModel(policy);
            assertThat(Unpacked.unit(r.page())).isEqualTo(1000);
            checkJobs(r, 1000);
        }
    }

    @Test
    void fractionsOfSecondsAndCancelledJobsAreEmbedded() throws IOException {
        // The second job is cancelled after 1.5 s behind the first; the third has no length.
        String log = """
                1 5.25 0 10 3 -1 -1 3 20 -1 1 1 1 -1 1 -1 -1 -1
                9 6 1.5 -1 2 -1 -1 2 20 -1 5 1 1 -1 1 -1 -1 -1
                3 7 0 0 1 -1 -1 1 20 -1 1 1 1 -1 1 -1 -1 -1
                """;
        SwfLog read = SwfReader.strict().read(Source.of("log", log.getBytes(StandardCharsets.UTF_8)));
        ReplayedPage r =
                ReplayedPage.of(read, TraceRules.forNodes(3).with(TraceRules.Cancelled.WITHDRAW), Policy.fcfs());
        assertThat(Unpacked.unit(r.page())).isEqualTo(1);
        checkJobs(r, 1);
        assertThat(Unpacked.jobs(r.page()))
                .containsExactly(
                        new Job(1, 5250, 0, 10000, 20000, 3, 0, List.of(0L, 3L)),
                        new Job(9, 6000, 1500, 0, 20000, 2, 2, List.of()),
                        new Job(3, 7000, 8250, 0, 20000, 1, 0, List.of(0L, 1L)));
    }

    private static void checkJobs(ReplayedPage r, long unit) {
        ReplayResult replayed = r.replayed();
        List<Job> jobs = Unpacked.jobs(r.page());
        assertThat(jobs).hasSize(replayed.log().size());
        for (int j = 0; j < jobs.size(); j++) {
            Job job = jobs.get(j);
            assertThat(job.id()).isEqualTo(replayed.log().id(j));
            assertThat(job.submit() * unit)
                    .isEqualTo(r.trace().logTime(replayed.log().submit(j)));
            assertThat(job.nodes()).isEqualTo(replayed.log().nodes(j));
            assertThat(job.requested() * unit).isEqualTo(replayed.log().requested(j));
            if (replayed.outcome(j) == JobOutcome.COMPLETED) {
                assertThat((job.submit() + job.waited()) * unit)
                        .isEqualTo(r.trace().logTime(replayed.start(j)));
                assertThat(job.run() * unit).isEqualTo(replayed.end(j) - replayed.start(j));
                assertThat(nodeCount(job)).isEqualTo(job.nodes());
            }
        }
    }

    private static long nodeCount(Job job) {
        long sum = 0;
        for (int i = 1; i < job.ranges().size(); i += 2) {
            sum += job.ranges().get(i);
        }
        return sum;
    }

    @Test
    void contiguousPlacementShowsTheNodesOfTheScheduler() throws IOException {
        Policy policy = Policy.conservative().withPlacement(Policy.NodeSelection.CONTIGUOUS);
        ReplayedPage r = ReplayedPage.ofModel(policy);
        List<Job> jobs = Unpacked.jobs(r.page());
        assertNodesRunOneJobAtATime(jobs);
        for (int j = 0; j < jobs.size(); j++) {
            assertThat(jobs.get(j).ranges())
                    .containsExactly(
                            (long) r.replayed().firstNode(j), jobs.get(j).nodes());
        }
        assertThat(r.page()).contains("Node numbers are the scheduler").doesNotContain("assigned for this chart");
    }

    @Test
    void assignedNodesRunOneJobAtATime() throws IOException {
        ReplayedPage r = ReplayedPage.ofModel(Policy.conservative());
        List<Job> jobs = Unpacked.jobs(r.page());
        assertNodesRunOneJobAtATime(jobs);
        assertThat(jobs.stream().filter(job -> job.ranges().size() > 2).count())
                .as("jobs with more than one bar")
                .isLessThan(jobs.size() / 3);
        assertThat(r.page()).contains("assigned for this chart");
    }

    private static void assertNodesRunOneJobAtATime(List<Job> jobs) {
        List<List<Job>> onNode = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            onNode.add(new ArrayList<>());
        }
        for (Job job : jobs) {
            for (int i = 0; i < job.ranges().size(); i += 2) {
                for (long n = 0; n < job.ranges().get(i + 1); n++) {
                    onNode.get((int) (job.ranges().get(i) + n)).add(job);
                }
            }
        }
        for (List<Job> jobsOfNode : onNode) {
            jobsOfNode.sort(Comparator.comparingLong(job -> job.submit() + job.waited()));
            for (int i = 1; i < jobsOfNode.size(); i++) {
                Job before = jobsOfNode.get(i - 1);
                assertThat(before.submit() + before.waited() + before.run())
                        .isLessThanOrEqualTo(
                                jobsOfNode.get(i).submit() + jobsOfNode.get(i).waited());
            }
        }
    }

    @Test
    void theSameReplayGivesTheSameBytes() throws IOException {
        assertThat(ReplayedPage.ofModel(Policy.easy()).page())
                .isEqualTo(ReplayedPage.ofModel(Policy.easy()).page());
    }

    @Test
    void theTableCountsEveryJobOnce() throws IOException {
        ReplayedPage r = ReplayedPage.ofModel(Policy.easy());
        Matcher cells = Pattern.compile("title=\"(\\d+) jobs\"").matcher(r.page());
        int sum = 0;
        while (cells.find()) {
            sum += Integer.parseInt(cells.group(1));
        }
        assertThat(sum).isEqualTo(r.trace().jobs().size());
    }
}
