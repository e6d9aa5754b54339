package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Explanations of runs, with figures computed by hand. */
class ExplainCommandTest {
    @TempDir
    Path folder = Path.of("");

    private String workflow = "";
    private String log = "";

    /**
     * Two nodes. A job has both from 0 to 1000 s (it requests 2000 s); another job of one node and 600 s is submitted
     * at 500 s. The workflow, a (10 min) before b (5 min), is submitted at 100 s.
     */
    @BeforeEach
    void writeFiles() throws IOException {
        workflow = PairOnTwoNodes.workflow(folder);
        log = PairOnTwoNodes.log(folder, "500 -1 600 1 -1 -1 1 600 -1 1 2 1 -1 1 -1 -1 -1");
    }

    private Run explain(String strategy, String... more) {
        String[] args = {
            "explain", workflow, "--trace", log, "--policy", "conservative", "--start", "100s", "--strategy", strategy
        };
        String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return Run.of(all);
    }

    @Test
    void anUnknownRunOrWorkflowIsReported() {
        Run run = Run.of("explain", folder.resolve("first").toString());
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains("first: no such run or workflow").hasLineCount(1);
    }

    /**
     * The job of 15 minutes requests 17. Its estimated start is 2000 s, 1900 s (31.7 min) after the submission, and its
     * estimated end 2800 s (46.7 min) after it, or 2920 s (48.7 min) with all its walltime. The first job ends early,
     * at 1000 s: the job starts after 900 s, 1000 s (16.7 min) early, and ends after 1800 s.
     */
    @Test
    void aRunWithOneJobIsExplained() {
        Run run = explain("onejob");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out().substring(run.out().indexOf('\n') + 1)).isEqualTo("""

                        1. after 0 s: the node count that ends earliest
                              option      nodes  walltime  queue wait  makespan
                           *  levels 0-1      1  17.0 min    31.7 min  46.7 min
                           job  tasks       nodes  walltime  submitted  estimated start     start        difference  run time  end
                             1  levels 0-1      1  17.0 min        0 s         31.7 min  15.0 min  16.7 min earlier  15.0 min  done
                           estimated makespan 46.7 min; actual 30.0 min (16.7 min earlier)

                        makespan          30.0 min; first estimate 46.7 min (16.7 min earlier)
                        start estimates   1 of 1 jobs compared: 1 started earlier, 0 as estimated, 0 later; mean error 16.7 min
                        node-hours        0.3 allocated, 0.3 used
                        """);
    }

    /**
     * Task a is expected after 1900 s and starts after 900 s. Task b is submitted after 1500 s and starts at once, as
     * expected.
     */
    @Test
    void decisionsWithoutOptionsListTheirOrders() {
        Run run = explain("onejobpertask", "--json");
        assertThat(run.out().replaceAll("\\s+", "")).isEqualTo("""
                        {"workflow":"pair","strategy":"onejobpertask","makespanSeconds":1800,"waitSeconds":900,"perceivedWaitSeconds":900,
                        "nodeHoursUsed":0.2500,"nodeHoursHeld":0.2500,"nodeHoursIdle":0.0000,"jobsCompared":2,
                        "meanStartDifferenceSeconds":500.000,"decisions":[
                        {"atSeconds":0,"chosen":"","options":[],"orders":[{"order":"submit","job":1,"nodes":1,"walltimeSeconds":660,
                        "expectedStartSeconds":1900,"tasks":"task a","startSeconds":900,"endSeconds":1500,"ended":"done"}]},
                        {"atSeconds":1500,"chosen":"","options":[],"orders":[{"order":"submit","job":2,"nodes":1,"walltimeSeconds":360,
                        "expectedStartSeconds":1500,"tasks":"task b","startSeconds":1500,"endSeconds":1800,"ended":"done"}]}]}""".replaceAll("\\s+", ""));
    }

    /** Of 14 options, the table has the first 8 and the chosen one, which is the last. */
    @Test
    void longListsOfOptionsAreShortened() throws IOException {
        StringBuilder chain = new StringBuilder("name: chain\ntasks:\n  t0: {time: 10m}\n");
        for (int i = 1; i < 14; i++) {
            chain.append("  t" + i + ": {time: 10m, after: t" + (i - 1) + "}\n");
        }
        workflow = Files.writeString(folder.resolve("chain.yaml"), chain).toString();
        Run run = explain("zhang");
        assertThat(run.out()).contains("*  levels 0-13", "and 5 more options (--json prints all)");
        assertThat(explain("zhang")).isEqualTo(run);
    }
}
