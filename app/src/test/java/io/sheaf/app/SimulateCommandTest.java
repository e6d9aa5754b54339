package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.strategy.Strategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the simulate command on a run that was computed by hand, and its error messages. */
class SimulateCommandTest {
    @TempDir
    Path folder = Path.of("");

    private String workflow = "";
    private String log = "";

    /**
     * Two nodes. A job uses both from 0 to 1000 s (request 2000 s); a job of one node and 600 s is submitted at 500 s.
     * The workflow is task a (10 min) before task b (5 min), which can use only one node.
     */
    @BeforeEach
    void files() throws IOException {
        workflow = PairOnTwoNodes.workflow(folder);
        log = PairOnTwoNodes.log(folder, "500 -1 600 1 -1 -1 1 600 -1 1 2 1 -1 1 -1 -1 -1");
    }

    /**
     * Submitted at 100 s, the job of 900 s requests 990 s, rounded up to 17 minutes. Its estimated start is 2000 s, but
     * the first job ends at 1000 s: it waits 900 s, runs 900 s, and ends at 1900 s. The second job of the log has the
     * other node from 1000 s on either way: no other user waits longer.
     */
    @Test
    void resultsMatchAHandComputedRun() {
        Run run = Run.line("simulate " + workflow + " --trace " + log
                + " --policy conservative --start 100s --strategy onejob --json");
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceAll("\\s+", "")).isEqualTo("""
                        {"makespanSeconds":1800,"waitSeconds":900,"perceivedWaitSeconds":900,"nodeHoursUsed":0.2500,
                        "nodeHoursHeld":0.2500,"nodeHoursIdle":0.0000,"jobsSubmitted":1,"jobsExpired":0,"tasksRerun":0,
                        "backgroundMeanWaitDeltaSeconds":0.000,
                        "decisions":[{"atSeconds":0,"chosen":"the node count that ends earliest","taken":0,"expectedEndSeconds":2800,"options":[
                        {"what":"levels 0-1","nodes":1,"walltimeSeconds":1020,"waitSeconds":1900,"makespanSeconds":2800}],
                        "orders":[{"order":"submit","job":1,"nodes":1,"walltimeSeconds":1020,"expectedStartSeconds":1900,
                        "tasks":"levels 0-1","startSeconds":900,"endSeconds":1800,"ended":"done"}]}]}""".replaceAll("\\s+", ""));
    }

    @Test
    void tasksWithoutARunTimeAreReported() throws IOException {
        Files.writeString(Path.of(workflow), "tasks:\n  a: {time: 10m}\n  b: {after: a}\n");
        Run run = Run.line("simulate " + workflow + " --trace " + log + " --start 100s --strategy onejob");
        assertThat(run.status()).isZero();
        assertThat(run.err())
                .isEqualTo("sheaf: " + workflow + ": 1 of 2 tasks have no run time and are simulated with 0 s."
                        + " Give them 'time:', or simulate the 'record.json' of a run\n");
    }

    /** Without known run times one job runs both tasks; its walltime is longer than the 17 minutes of known times. */
    @Test
    void aJobForUnknownRunTimesHasALongerWalltime() {
        List<String> words = List.of(
                "simulate", workflow, "--trace", log, "--policy", "easy", "--start", "100s", "--strategy", "onejob");
        List<String> learnt = new ArrayList<>(words);
        learnt.addAll(List.of("--times", "learnt", "--json"));
        Run run = Run.of(learnt.toArray(String[]::new));
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("\"makespanSeconds\" : 1800", "\"jobsSubmitted\" : 1", "\"jobsExpired\" : 0")
                .containsPattern("\"walltimeSeconds\" : [2-9][0-9]{3},");
        List<String> wrong = new ArrayList<>(words);
        wrong.addAll(List.of("--times", "guessed"));
        Run refused = Run.of(wrong.toArray(String[]::new));
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("--times: unknown value 'guessed'; use given, learnt, none");
    }

    /**
     * A job of at most 12 min has time for a or b. The first one runs a from 1000 to 1600 s. Then 2 min remain, too
     * little for b, so the job ends; a second one of 5 min and a tenth, rounded up to 6 min, starts at once: 1800 s, as
     * without a limit.
     */
    @Test
    void jobsAreWithinTheWalltimeLimit() {
        Run run = simulate("--max-time", "12m");
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("\"makespanSeconds\" : 1800", "\"jobsSubmitted\" : 2", "\"jobsExpired\" : 0")
                .containsPattern(
                        "\"walltimeSeconds\" : 720,\\s+\"expectedStartSeconds\" : 1900,\\s+\"tasks\" : \"levels 0-1\"")
                .containsPattern(
                        "\"walltimeSeconds\" : 360,\\s+\"expectedStartSeconds\" : 1500,\\s+\"tasks\" : \"level 1\"");
    }

    @Test
    void aTaskAboveTheWalltimeLimitIsRefused() {
        Run run = simulate("--max-time", "9m");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("sheaf: " + workflow + ":3:")
                .contains("task 'a' of workflow 'pair' needs 10m, a job may run for at most 9m")
                .hasLineCount(1);
        assertThat(simulate("--pools", "x=1-1,time=9m+y=2-2,time=5m"))
                .as("no pool allows it")
                .isEqualTo(run);
    }

    /** Task a waits until 1000 s and ends at 1600 s; b is submitted then, starts at once and ends at 1900 s, too. */
    @Test
    void oneJobPerTaskMatchesAHandComputedRun() {
        Run run = Run.line("simulate " + workflow + " --trace " + log
                + " --policy easy --start 100s --strategy onejobpertask --json");
        assertThat(run.out()).contains("\"makespanSeconds\" : 1800", "\"jobsSubmitted\" : 2", "\"waitSeconds\" : 900");
    }

    /**
     * From 500 s on the log has only its second job, which is submitted at once. The workflow is submitted 50 s later
     * and finds a free node.
     */
    @Test
    void theStartCountsFromTheBeginningOfThePeriod() {
        Run run = simulate("--from", "500s", "--start", "50s");
        assertThat(run.out()).contains("\"makespanSeconds\" : 900,", "\"waitSeconds\" : 0,");
        Run before = simulate("--from", "450s", "--start", "0s");
        assertThat(before.out()).as("no background job yet").contains("\"makespanSeconds\" : 900,");
    }

    /**
     * With the thesis profile the first job ends after 999 s, so the workflow's job starts a second earlier, and it
     * requests 17 minutes and five seconds. An option on the command line overrides the profile.
     */
    @Test
    void aProfileSetsUnspecifiedOptions() {
        assertThat(simulate("--profile", "thesis").out())
                .contains("\"makespanSeconds\" : 1799,", "\"walltimeSeconds\" : 1025");
        String[] line = {"simulate", workflow, "--trace", log, "--start", "100s", "--profile", "thesis-contiguous"};
        assertThat(Run.of(line).out())
                .contains("log.swf, conservative, contiguous, 2 nodes, profile thesis-contiguous, after");
        String[] extended = Arrays.copyOf(line, line.length + 2);
        extended[line.length] = "--policy";
        extended[line.length + 1] = "easy";
        assertThat(Run.of(extended).out()).contains("log.swf, easy, contiguous, 2 nodes");
    }

    /** Each of the two nodes is a pool. */
    @Test
    void jobsNameTheirPoolAndWrongPoolsAreRefused() {
        Run run = simulate("--pools", "left=1-1+right=2-2,time=1h");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("\"pool\" : \"");
        assertThat(simulate("--pools", "left=1-3").err())
                .isEqualTo("sheaf: pool 'left' has nodes 1 to 3; the cluster has 1 to 2\n");
        assertThat(simulate("--pools", "left=1-1,price=x").status()).isEqualTo(3);
        assertThat(simulate("--pools", "left=1-2,time=1m").err()).contains("a job may run for at most 1m.");
    }

    /** The same seed gives the same run times of tasks, another seed gives others. */
    @Test
    void runTimesAreDrawnFromTheSeed() {
        Run run = simulate("--task-times", "spread:0.05", "--seed", "3");
        assertThat(run.out()).doesNotContain("\"makespanSeconds\" : 1800,");
        assertThat(simulate("--task-times", "spread:0.05", "--seed", "3")).isEqualTo(run);
        assertThat(simulate("--task-times", "spread:0.05", "--seed", "4")).isNotEqualTo(run);
        assertThat(simulate("--task-times", "wrong:0.3:0.1:5", "--seed", "3")).isNotEqualTo(run);
        assertThat(simulate("--task-times", "noise:0.05", "--seed", "3")).isEqualTo(run);
        assertThat(simulate("--task-times", "estimate-error:0.3:0.1:5", "--seed", "3"))
                .isEqualTo(simulate("--task-times", "wrong:0.3:0.1:5", "--seed", "3"));
        assertThat(simulate("--task-times", "wrong:0.3:0.1").status()).isEqualTo(3);
        assertThat(simulate("--task-times", "fast"))
                .isEqualTo(
                        new Run(
                                3,
                                "",
                                "sheaf: --task-times: unknown run times 'fast'; write exact, or e.g. noise:0.3 or estimate-error:0.3\n"));
    }

    /** Without retries one failure ends the run with status 1. Late and repeated reports only cost time. */
    @Test
    void faultsAreDrawnFromTheSeed() {
        Run failed = simulate("--faults", "task=0.99", "--seed", "1");
        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.err()).isEqualTo("sheaf: the workflow did not complete\n");
        Run late = simulate("--faults", "late=0.9,delay=5m,twice=0.5", "--seed", "2");
        assertThat(late.status()).isZero();
        assertThat(late.out()).doesNotContain("\"makespanSeconds\" : 1800,");
        assertThat(simulate("--faults", "late=0.9,delay=5m,twice=0.5", "--seed", "2"))
                .isEqualTo(late);
        assertThat(simulate("--faults", "tusk=0.1").err())
                .isEqualTo("sheaf: faults: 'tusk=0.1' is not NAME=VALUE with one of the names task, job, node, refuse,"
                        + " silent, late, delay, twice. Did you mean 'task'?\n");
    }

    private Run simulate(String... more) {
        List<String> line = new ArrayList<>(
                List.of("simulate", workflow, "--trace", log, "--start", "100s", "--strategy", "onejob", "--json"));
        for (int i = 0; i < more.length; i += 2) {
            int at = line.indexOf(more[i]);
            if (at >= 0) {
                line.set(at + 1, more[i + 1]);
            } else {
                line.addAll(List.of(more[i], more[i + 1]));
            }
        }
        return Run.of(line.toArray(String[]::new));
    }

    @Test
    void textOutputShowsTheMainResults() {
        Run run = Run.of("simulate", workflow, "--model", "kth-like", "--days", "3", "--strategy", "glume");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith("pair with glume on kth-like, seed 1")
                .contains("makespan ", "node-hours ", "background jobs ");
        assertThat(Run.of("simulate", workflow, "--model", "kth-like", "--days", "3", "--strategy", "glume"))
                .isEqualTo(run);
    }

    @Test
    void wrongArgumentsAreRefused() {
        assertThat(Run.of("simulate", workflow, "--model", "kth-like", "--strategy", "glum"))
                .isEqualTo(new Run(
                        3,
                        "",
                        "sheaf: unknown strategy 'glum'. Did you mean 'glume'? Possible values: "
                                + String.join(", ", Strategies.NAMES) + ".\n"));
        assertThat(Run.of("simulate", workflow, "--model", "kth-like", "--strategy", "zhang:globl=true")
                        .err())
                .startsWith("sheaf: strategy 'zhang' has no parameter 'globl'. Did you mean 'global'? It has: ");
        assertThat(Run.of("simulate", workflow).status()).isEqualTo(2);
        assertThat(Run.of("simulate", workflow, "--model", "kth-like", "--cap", "0")
                        .status())
                .isEqualTo(2);
    }
}
