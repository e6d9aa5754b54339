package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that can be followed on paper, and the refusals. */
class SimulateCommandTest {
    @TempDir
    Path folder = Path.of("");

    private String workflow = "";
    private String log = "";

    /**
     * Two nodes. A job takes both from 0 to 1000 s (request 2000 s); another of one node and 600 s comes at 500 s. The workflow is a
     * (10 min) before b (5 min): one node is all it can use.
     */
    @BeforeEach
    void files() throws IOException {
        workflow = Files.writeString(folder.resolve("w.yaml"), """
                        name: pair
                        tasks:
                          a: {time: 10m}
                          b: {time: 5m, after: a}
                        """).toString();
        log = Files.writeString(folder.resolve("log.swf"), """
                        ; MaxNodes: 2
                        1 0   -1 1000 2 -1 -1 2 2000 -1 1 1 1 -1 1 -1 -1 -1
                        2 500 -1 600  1 -1 -1 1 600  -1 1 2 1 -1 1 -1 -1 -1
                        """).toString();
    }

    /**
     * Submitted at 100 s, the job of 900 s asks for 990 s, rounded up to 17 minutes. It is promised 2000 s, but the first job ends at 1000 s: it waits 900 s, runs 900 s,
     * and ends at 1900 s. The second job of the log has the other node from 1000 s on either way: it costs nobody anything.
     */
    @Test
    void aRunThatCanBeFollowedOnPaper() {
        Run run = Run.of(
                "simulate",
                workflow,
                "--trace",
                log,
                "--policy",
                "conservative",
                "--start",
                "100s",
                "--strategy",
                "onejob",
                "--json");
        assertThat(run.err()).isEmpty();
        assertThat(run.out().replaceAll("\\s+", "")).isEqualTo("""
                        {"makespanSeconds":1800,"waitSeconds":900,"perceivedWaitSeconds":900,"nodeHoursUsed":0.2500,
                        "nodeHoursHeld":0.2500,"nodeHoursIdle":0.0000,"jobsSubmitted":1,"jobsExpired":0,"tasksRerun":0,
                        "backgroundMeanWaitDeltaSeconds":0.000,
                        "decisions":[{"atSeconds":0,"chosen":"the node count that ends earliest","options":[
                        {"what":"levels 0-1","nodes":1,"walltimeSeconds":1020,"waitSeconds":1900,"makespanSeconds":2800}]}]}""".replaceAll("\\s+", ""));
    }

    /** Task a waits until 1000 s and ends at 1600 s; b is submitted then, starts at once and ends at 1900 s, too. */
    @Test
    void oneJobPerTaskOnPaper() {
        Run run = Run.of(
                "simulate",
                workflow,
                "--trace",
                log,
                "--policy",
                "easy",
                "--start",
                "100s",
                "--strategy",
                "onejobpertask",
                "--json");
        assertThat(run.out()).contains("\"makespanSeconds\" : 1800", "\"jobsSubmitted\" : 2", "\"waitSeconds\" : 900");
    }

    @Test
    void tellsPeopleInAFewLines() {
        Run run = Run.of("simulate", workflow, "--model", "kth-like", "--days", "3", "--strategy", "glume");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith("pair with glume on kth-like, seed 1")
                .contains("makespan ", "node-hours ", "cost to others ");
        assertThat(Run.of("simulate", workflow, "--model", "kth-like", "--days", "3", "--strategy", "glume"))
                .isEqualTo(run);
    }

    @Test
    void refusesWhatItCannotDo() {
        assertThat(Run.of("simulate", workflow, "--model", "kth-like", "--strategy", "glum"))
                .isEqualTo(new Run(
                        3,
                        "",
                        "sheaf: there is no strategy 'glum'. Did you mean 'glume'? There are: onejob, onejobpertask, levelbylevel, giant,"
                                + " individual, zhang, hybrid, glume, bigjob, perstage, asa, asa-naive.\n"));
        assertThat(Run.of("simulate", workflow, "--model", "kth-like", "--strategy", "zhang:globl=true")
                        .err())
                .isEqualTo(
                        "sheaf: strategy 'zhang' has no parameter 'globl'. Did you mean 'global'? It has: form, global, sizing, bsearch, leeway.\n");
        assertThat(Run.of("simulate", workflow).status()).isEqualTo(2);
        assertThat(Run.of("simulate", workflow, "--model", "kth-like", "--cap", "0")
                        .status())
                .isEqualTo(2);
    }
}
