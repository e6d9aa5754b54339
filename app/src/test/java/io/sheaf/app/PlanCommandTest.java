package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.RecordedSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans with figures computed by hand, and invalid options. */
class PlanCommandTest {
    @TempDir
    Path folder = Path.of("");

    private String workflow = "";
    private String log = "";

    /**
     * Two nodes, both allocated from 0 to 1000 s by a job that requested 2000 s; another job is submitted later and is
     * not known yet. The workflow is a (10 min) before b (5 min).
     */
    @BeforeEach
    void writeFiles() throws IOException {
        workflow = PairOnTwoNodes.workflow(folder);
        log = PairOnTwoNodes.log(folder, "500 -1 600 2 -1 -1 2 9000 -1 1 2 1 -1 1 -1 -1 -1");
    }

    /**
     * At 100 s, a job would start at the end of the 2000 s that the running job requested: in 1900 s. OneJob requests
     * 990 s, rounded up to 17 minutes, and ends after 2800 s, as it estimates. Task a alone requests 11 minutes; b is
     * submitted when a is done and starts at once: 2800 s again, which OneJobPerTask does not estimate.
     */
    @Test
    void thePlanMatchesAHandComputedExample() {
        Run run = plan("--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceAll("\\s+", "")).isEqualTo("""
                {"workflow":"pair","tasks":2,"tasksWithoutTime":0,"strategies":[
                {"strategy":"onejob","expectedMakespanSeconds":2800,"estimatedMakespanSeconds":2800,"jobs":[
                {"nodes":1,"walltimeSeconds":1020,"firstLevel":0,"lastLevel":1,"tasks":2,"expectedWaitSeconds":1900}]},
                {"strategy":"onejobpertask","expectedMakespanSeconds":2800,"jobs":[
                {"nodes":1,"walltimeSeconds":660,"firstLevel":0,"lastLevel":0,"tasks":1,"task":"a","expectedWaitSeconds":1900}]}]}
                """.replaceAll("\\s+", ""));
    }

    @Test
    void printsATable() {
        assertThat(plan().out()).isEqualTo(workflow + " on " + log + """
                , easy, 2 nodes, after 100s

                strategy       nodes  walltime  tasks                estimated wait  makespan  own estimate
                onejob             1  17.0 min  levels 0-1, 2 tasks        31.7 min  46.7 min      46.7 min
                onejobpertask      1  11.0 min  task a                     31.7 min  46.7 min             -
                """);
    }

    /**
     * A job of at most 12 min has time for a or b, so OneJob submits one for each, the first with the maximum walltime.
     * The second starts when a is done: 2800 s as without a limit. OneJob's own estimate is that each of the two jobs
     * waits for 1900 s: 2 * 1900 + 900 = 4700 s.
     */
    @Test
    void jobsAreWithinTheWalltimeLimit() {
        Run run = plan("--json", "--max-time", "12m");
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceAll("\\s+", "")).contains("""
                {"strategy":"onejob","expectedMakespanSeconds":2800,"estimatedMakespanSeconds":4700,"jobs":[
                {"nodes":1,"walltimeSeconds":720,"firstLevel":0,"lastLevel":1,"tasks":2,"expectedWaitSeconds":1900}]}
                """.replaceAll("\\s+", ""));
        assertThat(plan("--max-time", "12m").out())
                .startsWith(workflow + " on " + log + ", easy, at most 12m, 2 nodes,");
    }

    @Test
    void aTaskAboveTheWalltimeLimitIsRefused() {
        Run run = plan("--json", "--max-time", "9m");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("sheaf: " + workflow + ":3:")
                .contains("task 'a' of workflow 'pair' needs 10m, a job may run for at most 9m")
                .hasLineCount(1);
        assertThat(plan("--json", "--pools", "x=1-1,time=9m+y=2-2,time=5m"))
                .as("no pool allows it")
                .isEqualTo(run);
    }

    /** One task has no run time, so the makespan is unknown, and the plan prints the reason. */
    @Test
    void aMakespanWithUnknownRunTimesIsNotShown() throws IOException {
        Files.writeString(Path.of(workflow), "tasks:\n  a: {time: 10m}\n  b: {after: a}\n");
        assertThat(plan().out())
                .containsPattern("onejob +1 +\\S+ h +levels 0-1, 2 tasks +31.7 min +- +-\n")
                .endsWith("makespan unknown: 1 of 2 tasks have no run time."
                        + " Give them 'time:', or run the workflow once; the first jobs measure run times\n");
        assertThat(plan("--json").out()).contains("\"tasksWithoutTime\" : 1").doesNotContain("MakespanSeconds");
    }

    @Test
    void planningForTheEmbeddedClusterIsRefused() {
        Run run = Run.of("plan", workflow, "--on", "local");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("'sheaf run --dry-run' shows its plan");
    }

    /**
     * Both nodes of Slurm are allocated for 2000 s more, and a queued job of 10 minutes will use one of them. The pilot
     * jobs fit beside it.
     */
    @Test
    void startsOnSlurmAreEstimated() throws IOException {
        RecordedSlurm slurm = slurm();
        Run run = Run.line(
                folder,
                slurm.environment(),
                "plan " + workflow + " --on slurm --strategies onejob,onejobpertask --json");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out().replaceAll("\\s+", ""))
                .containsPattern("\"onejob\",\"expectedMakespanSeconds\":(2[89][0-9]{2}\\.?[0-9]*,)")
                .containsPattern("\"walltimeSeconds\":720,[^}]*\"expectedWaitSeconds\":(19[0-9]{2}|2000)")
                .contains("\"script\":\"#!/bin/bash");
        Run one = Run.in(
                folder, slurm.environment(), "plan", workflow, "--on", "slurm", "--strategies", "onejob", "--no-json");
        assertThat(one.out())
                .containsPattern(
                        "onejob +1 +17.0 min +levels 0-1, 2 tasks +3[23]\\.[0-9] min +4[78]\\.[0-9] min +4[78]\\.[0-9] min\n")
                .contains("# A pilot job of Sheaf. Submitted by: sbatch --parsable");
    }

    @Test
    void unknownRunTimesOnSlurmGiveNoMakespan() throws IOException {
        Files.writeString(folder.resolve("untimed.yaml"), "tasks: {a: {cores: 1}, b: {after: a}}\n");
        Map<String, String> environment = new HashMap<>(slurm().environment());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        Run run = Run.line(
                folder,
                environment,
                "plan " + folder.resolve("untimed.yaml").toString() + " --on slurm --strategies onejob --no-json");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("makespan unknown: 2 of 2 tasks have no run time")
                .doesNotContain(" 0 s ");
        Files.writeString(folder.resolve("wide.yaml"), "tasks: {a: {cores: 64, time: 1m}}\n");
        Run wide =
                Run.in(folder, environment, "plan", folder.resolve("wide.yaml").toString(), "--on", "slurm");
        assertThat(wide.status()).isEqualTo(3);
        assertThat(wide.err()).contains("wide.yaml:1:9: task 'a' needs 64 cores on a node; the largest node has 1");
    }

    private RecordedSlurm slurm() throws IOException {
        long now = System.currentTimeMillis() / 1000;
        RecordedSlurm slurm = new RecordedSlurm(folder)
                .prints(
                        "squeue",
                        "1|1|RUNNING|9|main|2|2|NO|1:00:00|" + (now - 100) + "|" + (now + 2000)
                                + "|None|(null)|(null)||(null)|you|n[1-2]|N/A|(null)|normal|a\n"
                                + "2|2|PENDING|8|main|1|1|NO|10:00|N/A|N/A|Resources|(null)|(null)||(null)|you||N/A|(null)|normal|b\n")
                .does("sinfo", "case \"$*\" in *-N*) cat \"$0.nodes\";; *) cat \"$0.txt\";; esac");
        Files.writeString(folder.resolve("sinfo.nodes"), "n1|1|2000|allocated|main*\nn2|1|2000|allocated|main*\n");
        Files.writeString(
                folder.resolve("sinfo.txt"), "main*|up|infinite|allocated|1|NO|(null)|n[1-2]\n".replace('|', '\u001f'));
        return slurm;
    }

    @Test
    void withoutAQueueTheTasksToRunAreShown() {
        assertThat(Run.of("plan", workflow).out()).isEqualTo("no earlier run; all 2 tasks will run\n");
        assertThat(Run.of("plan", workflow, "--json").out().replaceAll("\\s+", ""))
                .isEqualTo("""
                {"workflow":"pair","tasks":2,"kept":0,"run":[
                {"task":"a","reasons":["ithasnotcompletedyet"]},{"task":"b","reasons":["ithasnotcompletedyet"]}]}
                """.replaceAll("\\s+", ""));
    }

    private Run plan(String... more) {
        List<String> line = new ArrayList<>(
                List.of("plan", workflow, "--trace", log, "--start", "100s", "--strategies", "onejob,onejobpertask"));
        line.addAll(more.length == 0 ? List.of("--no-json") : List.of(more));
        return Run.of(line.toArray(String[]::new));
    }

    @Test
    void invalidOptionsAreRefused() {
        assertThat(Run.of("plan", workflow, "--trace", log, "--model", "kth-like")
                        .status())
                .isEqualTo(2);
        assertThat(Run.of("plan", workflow, "--rerun", "c").err()).contains("there is no task 'c'");
        assertThat(Run.of("plan", workflow, "--check", "colour").err()).contains("Possible values: time, hash");
        assertThat(Run.of("plan", workflow, "--trace", log, "--strategies", "glum")
                        .err())
                .contains("Did you mean 'glume'?");
    }
}
