package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Comparisons with results computed by hand, and invalid options. */
class CompareCommandTest {
    private static final Pattern MAKESPAN = Pattern.compile("\"meanMakespanSeconds\" : ([0-9.]+)");

    @TempDir
    Path folder = Path.of("");

    private String workflow = "";
    private String log = "";

    /** Two nodes, both allocated from 0 to 1000 s. Task a (10 min) of the workflow comes before b (5 min). */
    @BeforeEach
    void writeFiles() throws IOException {
        workflow = PairOnTwoNodes.workflow(folder);
        log = PairOnTwoNodes.log(folder, "9000 -1 600 1 -1 -1 1 600 -1 1 2 1 -1 1 -1 -1 -1");
    }

    private Run compare(String... more) {
        List<String> line = new ArrayList<>(List.of("compare", workflow, "--trace", log));
        line.addAll(List.of(more));
        return Run.of(line.toArray(String[]::new));
    }

    @Test
    void tasksWithoutRunTimesAreReported() throws IOException {
        Files.writeString(Path.of(workflow), "tasks:\n  a: {time: 10m}\n  b: {after: a}\n");
        Run run = compare("--start", "100s", "--for", "0s", "--strategies", "onejob");
        assertThat(run.err()).contains("1 of 2 tasks have no run time and are simulated with 0 s.");
    }

    /**
     * Starts at 100 s and 700 s. All strategies wait until 1000 s and then run for 900 s: makespans of 1800 and 1200 s,
     * 1500 s on average, which is also the minimum. No strategy wins. A quarter of a node-hour is used.
     */
    @Test
    void figuresMatchAHandComputedExample() {
        Run run = compare(
                "--start", "100s", "--every", "10m", "--for", "15m", "--strategies", "onejob,onejobpertask", "--json");
        assertThat(run.err()).isEmpty();
        String row = "\"meanMakespanSeconds\":1500.000,\"meanImprovementPercent\":0.0000,"
                + "\"meanDegradationFromBestPercent\":0.0000,\"wins\":0,\"losses\":0,\"nodeHoursHeld\":0.2500,"
                + "\"nodeHoursUsed\":0.2500,\"runs\":2,\"failed\":0}";
        assertThat(run.out().replaceAll("\\s+", ""))
                .isEqualTo("{\"baseline\":\"zhang\",\"starts\":2,\"workflows\":[{\"workflow\":\"pair\",\"file\":\""
                        + workflow + "\",\"tasks\":2,\"meanLowerBoundSeconds\":1500.000,\"strategies\":["
                        + "{\"strategy\":\"onejob\"," + row + ",{\"strategy\":\"onejobpertask\"," + row
                        + ",{\"strategy\":\"zhang\"," + row + "]}]}");
    }

    /**
     * A job of at most 12 min has time for a or b. Both nodes are free from 1000 s on, so b follows in a second job
     * without a gap: 900 s, as without a limit.
     */
    @Test
    void autoChainsJobsWithinTheWalltimeLimit() {
        Run run = compare(
                "--start",
                "100s",
                "--every",
                "10m",
                "--for",
                "15m",
                "--strategies",
                "auto",
                "--baseline",
                "auto",
                "--max-time",
                "12m",
                "--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("\"meanMakespanSeconds\" : 1500.000").contains("\"failed\" : 0");
    }

    /**
     * Two tasks of 10 min and two free nodes: 600 s side by side, 1200 s one after the other. With one job at a time,
     * one job per task takes 1200 s, and one job for both 600 s. With one node, all take 1200 s. The limits do not
     * apply to jobs of the log, which have two nodes.
     */
    @Test
    void userLimitsApplyOnlyToTheWorkflowsJobs() throws IOException {
        Path twins = folder.resolve("twins.yaml");
        Files.writeString(twins, "tasks:\n  a: {run: 'true', time: 10m}\n  b: {run: 'true', time: 10m}\n");
        workflow = twins.toString();
        assertThat(makespans()).containsExactly("600.000", "600.000", "600.000");
        assertThat(makespans("--max-user-jobs", "1")).containsExactly("600.000", "1200.000", "600.000");
        assertThat(makespans("--max-user-nodes", "1")).containsExactly("1200.000", "1200.000", "1200.000");
        Run wide = compare("--max-user-nodes", "0");
        assertThat(wide.err()).contains("--max-user-nodes: must be at least 1, is 0");
        Files.writeString(twins, "tasks:\n  a: {run: 'true', time: 10m, nodes: 2}\n");
        assertThat(compare("--max-user-nodes", "1").err()).contains("needs 2 nodes, a job may have at most 1");
    }

    /**
     * Two tasks of 10 min, for which jobs request 11 min. 24 node-minutes are enough for both tasks side by side; with
     * 18, two nodes could run for 9 min.
     */
    @Test
    void userNodeHoursApplyOnlyToTheWorkflowsJobs() throws IOException {
        Path twins = folder.resolve("twins.yaml");
        Files.writeString(twins, "tasks:\n  a: {run: 'true', time: 10m}\n  b: {run: 'true', time: 10m}\n");
        workflow = twins.toString();
        assertThat(makespans("--max-user-node-hours", "0.4")).containsExactly("600.000", "600.000", "600.000");
        assertThat(makespans("--max-user-node-hours", "0.3")).containsExactly("1200.000", "1200.000", "1200.000");
        assertThat(compare("--max-user-node-hours", "0").err())
                .contains("--max-user-node-hours: must be from a node-minute to a billion, is 0");
        Files.writeString(twins, "tasks:\n  a: {run: 'true', time: 10m, nodes: 2}\n");
        assertThat(compare("--max-user-node-hours", "0.3").err())
                .contains("task 'a' of workflow", "needs 10m, a job of 2 nodes may run for at most 9m");
    }

    /** The makespans of onejob, onejobpertask and auto after 2000 s. */
    private List<String> makespans(String... more) {
        List<String> line = new ArrayList<>(List.of("--start", "2000s", "--every", "10m", "--for", "10m", "--json"));
        line.addAll(List.of("--strategies", "onejob,onejobpertask,auto", "--baseline", "auto"));
        line.addAll(List.of(more));
        Run run = compare(line.toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        return MAKESPAN.matcher(run.out()).results().map(each -> each.group(1)).toList();
    }

    @Test
    void aTaskAboveTheWalltimeLimitIsRefused() {
        Run run = compare("--max-time", "9m");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err())
                .contains("task 'a' of workflow 'pair' needs 10m, a job may run for at most 9m")
                .hasLineCount(1);
        assertThat(compare("--pools", "x=1-1,time=9m+y=2-2,time=5m").err())
                .as("no pool allows it")
                .isEqualTo(run.err());
        assertThat(compare("--max-time", "0").err()).contains("--max-time: must be greater than 0");
        assertThat(compare("--max-nodes", "0").err()).contains("--max-nodes: must be at least 1, is 0");
    }

    /**
     * Eight tasks of an hour on two nodes. They are free at 1000 s, so with known times the tasks take 900 s and four
     * hours: 15300 s. Without known times, the first job is too short and cuts tasks off; auto sees the end of the first
     * task and, without learning, only that tasks were cut off.
     */
    @Test
    void unknownTimesLengthenRunsAndLearningShortensThem() throws IOException {
        Files.writeString(
                Path.of(workflow), "vars: {i: 1..8}\ntasks:\n  part: {foreach: {n: i}, run: 'true # {n}', time: 1h}\n");
        String[] words = {"--start", "100s", "--for", "0s", "--strategies", "auto", "--baseline", "auto", "--json"};
        Run given = compare(with(words, "--times", "given"));
        assertThat(given).isEqualTo(compare(words));
        assertThat(makespan(given)).isEqualTo(15_300);
        double learnt = makespan(compare(with(words, "--times", "learnt")));
        double none = makespan(compare(with(words, "--times", "none")));
        assertThat(learnt).isGreaterThan(15_300).isLessThan(none);
        Run wrong = compare("--times", "guessed");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("--times: unknown value 'guessed'; use given, learnt, none");
    }

    private static String[] with(String[] words, String... more) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
    }

    private static double makespan(Run run) {
        Matcher matcher = MAKESPAN.matcher(run.out());
        assertThat(matcher.find()).as(run.err()).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    @Test
    void resultsDoNotDependOnTheNumberOfThreads() {
        List<String> outputs = new ArrayList<>();
        for (String threads : List.of("1", "2", "5")) {
            Run run = Run.line("compare " + workflow + " " + workflow
                    + " --model kth-like --every 8h --for 2d --task-times spread:0.2 --threads " + threads + " --json");
            assertThat(run.status()).as(run.err()).isZero();
            outputs.add(run.out());
        }
        assertThat(outputs).hasSize(3).containsOnly(outputs.get(0));
        assertThat(outputs.get(0)).contains("\"starts\" : 7");
    }

    @Test
    void printsATable() {
        Run run = compare(
                "--start",
                "100s",
                "--every",
                "1h",
                "--for",
                "1h",
                "--strategies",
                "glume,zhang:global=false,bsearch=false");
        assertThat(run.out())
                .startsWith(
                        log + ", easy, 2 nodes; 2 start times, the first after 100s, then every 1h; baseline zhang\n\n"
                                + workflow + ", 2 tasks\nstrategy ")
                .contains("\nglume ", "\nzhang:global=false,bsearch=false ", "\nzhang ", "\nlower bound ", "0 of 2");
    }

    @Test
    void warnsIfTheLogEndsBeforeTheLastStart() {
        assertThat(compare("--start", "1d", "--for", "0s", "--strategies", "onejob")
                        .err())
                .isEqualTo(
                        "sheaf: " + log
                                + ": the log ends before the last start time; later starts see an emptier cluster than in reality\n");
    }

    @Test
    void invalidOptionsAreRefused() {
        assertThat(compare("--strategies", "glume,,zhang").err())
                .isEqualTo("sheaf: --strategies: 'glume,,zhang' has an empty entry; use e.g. glume,zhang or all\n");
        assertThat(compare("--strategies", "glume", "--baseline", "zang").err()).contains("Did you mean 'zhang'?");
        assertThat(compare("--every", "0s").status()).isEqualTo(3);
        assertThat(compare("--threads", "0").status()).isEqualTo(2);
        assertThat(Run.of("compare", workflow).status()).isEqualTo(2);
        assertThat(Run.of("compare", "--model", "kth-like").status()).isEqualTo(2);
    }
}
