package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests every strategy on queues that are small enough to work out by hand. Times are in minutes, nothing is added to
 * requests, backfilling is conservative, and background jobs use their whole requested time.
 */
class StrategiesByHandTest {
    private static final long MINUTE = 60_000;
    private static final Profile PLAIN = new Profile(false, 0, 0);

    /** A cluster of four nodes, two of them busy until 60. */
    private static SimulatedQueue halfBusy() {
        return queue(4, new long[][] {{0, 2, 60}});
    }

    /** The same, and at 30 a job for all four nodes and 60 s is submitted. */
    private static SimulatedQueue halfBusyThenFull() {
        return queue(4, new long[][] {{0, 2, 60}, {30, 4, 60}});
    }

    /** Four free nodes with limits on the nodes and minutes of a job. */
    private static SimulatedQueue limited(int max, long minutes, long[]... jobs) {
        return queue(4, jobs, new JobLimits(max, minutes * MINUTE));
    }

    /** Jobs of (submit, nodes, time). */
    private static SimulatedQueue queue(int nodes, long[][] jobs) {
        return queue(nodes, jobs, JobLimits.NONE);
    }

    private static SimulatedQueue queue(int nodes, long[][] jobs, JobLimits limits) {
        JobLog.Builder log = JobLog.builder();
        for (int i = 0; i < jobs.length; i++) {
            long time = jobs[i][2] * MINUTE;
            log.add(i, jobs[i][0] * MINUTE, time, time, (int) jobs[i][1], 0);
        }
        SimulatedQueue queue =
                new SimulatedQueue(log.build(), Policy.conservative().withLimits(limits), nodes);
        queue.advanceTo(0);
        return queue;
    }

    /** Tasks of 20 and 20, then one of 20, then some of a given time: on n = 2 and 4 nodes with four of 30 it takes 100 and 70. */
    private static Workflow bell(int wide, long time) {
        WorkflowBuilder builder = new WorkflowBuilder("bell");
        for (String id : new String[] {"a", "b", "c"}) {
            builder.time(builder.task(id), 20 * MINUTE * 1000);
        }
        builder.edge(0, 2).edge(1, 2);
        for (int i = 0; i < wide; i++) {
            int task = builder.task("w" + i);
            builder.time(task, time * MINUTE * 1000);
            builder.edge(2, task);
        }
        return builder.build();
    }

    private static Workflow bag(int tasks, long time) {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (int i = 0; i < tasks; i++) {
            builder.time(builder.task("t" + i), time * MINUTE * 1000);
        }
        return builder.build();
    }

    private static SimulatedRun run(String strategy, SimulatedQueue queue, Workflow workflow) {
        return run(strategy, queue, workflow, 1, 16);
    }

    private static SimulatedRun run(String strategy, SimulatedQueue queue, Workflow workflow, int cores, int cap) {
        SimulatedRun run = WorkflowSimulation.run(
                queue,
                workflow,
                Strategies.named(strategy, new RunTimes(workflow, PLAIN.planOrder(), cores), PLAIN),
                SimulationSetup.of(PLAIN, Resources.node(cores), cap).recording(true),
                DecisionSink.NOTHING);
        assertThat(run.completed()).isTrue();
        assertThat(run.jobsExpired()).isZero();
        return run;
    }

    private static void check(SimulatedRun run, long makespan, int jobs, long allocatedNodeMinutes) {
        assertThat(run.makespanMillis()).isEqualTo(makespan * MINUTE);
        assertThat(run.jobsSubmitted()).isEqualTo(jobs);
        assertThat(run.allocatedNodeMillis()).isEqualTo(allocatedNodeMinutes * MINUTE);
    }

    private static long start(SimulatedRun run, int job) {
        return run.pilotJobs().get(job).started() / MINUTE;
    }

    @Test
    void oneJobTakesTheNodesThatEndEarliest() {
        // Wait and run time on 1 node: 0 + 180; 2: 0 + 100; 3: 60 + 100; 4: 60 + 70 = 130. So two nodes.
        check(run("onejob", halfBusy(), bell(4, 30)), 100, 1, 200);
    }

    /**
     * At most 50 minutes. On four nodes the bell takes 70: a and b 0–20, c 20–40; no further task fits, and the rest
     * runs in a second job. With two nodes busy until 60, two nodes need two jobs without a wait, 100 in all; four need
     * two that wait 60 each, 190 in all. After the first job, at 40, four nodes start at 60 and end at 90, two would
     * need two jobs until 100.
     */
    @Test
    void oneJobIsSplitIfItExceedsTheWalltimeLimit() {
        SimulatedRun free = run("onejob", limited(4, 50), bell(4, 30));
        check(free, 70, 2, 4 * 70);
        assertThat(free.pilotJobs().get(0).walltime()).isEqualTo(50 * MINUTE);
        assertThat(free.pilotJobs().get(1).walltime()).isEqualTo(30 * MINUTE);
        check(run("onejob", limited(4, 50, new long[] {0, 2, 60}), bell(4, 30)), 90, 2, 2 * 40 + 4 * 30);
    }

    /** One node for 65 minutes: a, b and c, then two of the wide tasks, then the other two. LevelByLevel and ASA begin a job with the wide level, LevelByLevel one with c, too. */
    @Test
    void jobsOfAFixedWidthFollowOneAnother() {
        for (String strategy : List.of("onejob", "giant", "bigjob:cores=4", "perstage", "asa", "asa-naive")) {
            check(run(strategy, limited(1, 65), bell(4, 30)), 180, 3, 180);
        }
        check(run("levelbylevel", limited(1, 65), bell(4, 30)), 180, 4, 180);
        check(run("onejobpertask", limited(1, 65), bell(4, 30)), 70, 7, 180);
    }

    /**
     * One node for an hour. The wide level does not fit into one job, so it becomes two side by side, which start when c has ended at 60, and end at 120. GLUME requests c with a leeway of 40,
     * so its node is idle for 40; Zhang puts a, b and c into one job of 60.
     */
    @Test
    void aLevelThatIsTooLongIsSplitIntoParallelJobs() {
        check(run("glume", limited(1, 60), bell(4, 30)), 120, 4, 40 + 60 + 2 * 60);
        check(run("zhang", limited(1, 60), bell(4, 30)), 120, 3, 60 + 2 * 60);
        check(run("hybrid", limited(1, 60), bell(4, 30)), 120, 3, 60 + 2 * 60);
    }

    @Test
    void giantIsAsWideAsTheWorkflow() {
        // Four nodes at 60, for 70.
        check(run("giant", halfBusy(), bell(4, 30)), 130, 1, 280);
    }

    @Test
    void bigJobHasTheConfiguredCores() {
        check(run("bigjob", halfBusy(), bell(4, 30)), 130, 1, 280);
        // Three nodes at 60, for 20 + 20 + 2 · 30.
        check(run("bigjob:cores=3", halfBusy(), bell(4, 30)), 160, 1, 300);
        // Three cores are two nodes of two cores: free now; four cores take 70.
        check(run("bigjob:cores=3", halfBusy(), bell(4, 30), 2, 16), 70, 1, 140);
        // More cores than the cluster has: the whole cluster.
        check(run("bigjob:cores=112", halfBusy(), bell(4, 30)), 130, 1, 280);
    }

    @Test
    void oneJobPerTaskSubmitsAJobForEachTask() {
        // a, b 0–20; c 20–40; two wide tasks 40–70, the others when nodes become free, 60–90. The jobs
        // allocate just the work.
        check(run("onejobpertask", halfBusy(), bell(4, 30)), 90, 7, 180);
        check(run("individual", halfBusy(), bell(4, 30)), 90, 7, 180);
        // With two jobs at a time the others are submitted when the first are done: 70–100.
        check(run("onejobpertask", halfBusy(), bell(4, 30), 1, 2), 100, 7, 180);
    }

    @Test
    void levelByLevelSubmitsAJobForEachLevel() {
        // 2 nodes 0–20, 1 node 20–40. At 40: 2 nodes now take 60; 4 nodes wait 20 and take 30: 60–90.
        check(run("levelbylevel", halfBusy(), bell(4, 30)), 90, 3, 40 + 20 + 120);
        // The request for the wide level is behind the background job of 30: 4 nodes end at 150, 2 nodes at 180.
        check(run("levelbylevel", halfBusyThenFull(), bell(4, 30)), 150, 3, 180);
    }

    @Test
    void zhangTakesTheLevelsWithTheShortestRelativeWait() {
        // At 0, wait / run: level 0 0/20, levels 0-1 0/40, all 60/70. So 2 nodes 0–40. Then level 2 on 4 nodes: wait 60
        // is not more than
        // twice 30, and 60–90 is earlier than 2 nodes 40–100.
        check(run("zhang", halfBusy(), bell(4, 30)), 90, 2, 80 + 120);
        check(run("zhang:global=false,sizing=false,bsearch=false", halfBusy(), bell(4, 30)), 90, 2, 200);
    }

    @Test
    void zhangSwitchesToOneJobPerTask() {
        // As above, but wait 60 is more than twice 29: two wide tasks 40–69, two 60–89.
        check(run("zhang", halfBusy(), bell(4, 29)), 89, 5, 80 + 4 * 29);
    }

    @Test
    void hybridSkipsJobsThatWaitLongerThanTheyRun() {
        // All jobs are four nodes wide: level 0 waits 60 > 20, levels 0-1 60 > 40; all 60 ≤ 2 · 70. So 60–130.
        check(run("hybrid", halfBusy(), bell(4, 30)), 130, 1, 280);
        check(run("zhang:form=paper", halfBusy(), bell(4, 30)), 130, 1, 280);
    }

    @Test
    void hybridSplitsOffTheFirstLevels() {
        // One node busy until 45, then all for 10: three nodes are free for 45 now. All: 55/70. Level 0: 0/20; levels
        // 0-1: 0/40. So
        // three nodes 0–40, then the three wide tasks: wait 55, 15 beyond the predecessor's end; 55–85.
        SimulatedQueue queue = queue(4, new long[][] {{0, 1, 45}, {0, 4, 10}});
        check(run("hybrid", queue, bell(3, 30)), 85, 2, 120 + 90);
    }

    @Test
    void hybridSwitchesToOneJobPerTask() {
        // Four nodes wait 200, more than twice 70; one node is free: a, b, c 0–60, then four times 30.
        check(run("hybrid", queue(4, new long[][] {{0, 3, 200}}), bell(4, 30)), 180, 7, 180);
    }

    @Test
    void glumeTakesTheSplitThatEndsEarliest() {
        // One job: 100 (2 nodes). Level 0 first: the rest on 2 nodes would start at once and need a leeway of 20, more
        // than a tenth of
        // its 80. Levels 0-1 first: 0 + max(40, 60) + 30 = 90.
        check(run("glume", halfBusy(), bell(4, 30)), 90, 2, 80 + 120);
        // The split is not 20 % better than 100.
        check(run("glume:beat=0.2", halfBusy(), bell(4, 30)), 100, 1, 200);
    }

    @Test
    void glumeFallsBackToOneJobPerTask() {
        // Nothing is free before 100: 4 nodes × 10 would wait 100, more than twice 10.
        check(run("glume", queue(4, new long[][] {{0, 4, 100}}), bag(4, 10)), 110, 1, 40);
        check(run("glume:fallback=true", queue(4, new long[][] {{0, 4, 100}}), bag(4, 10)), 110, 4, 40);
        // Twice 50 is not exceeded.
        check(run("glume:fallback=true", queue(4, new long[][] {{0, 4, 100}}), bag(4, 50)), 150, 1, 200);
    }

    @Test
    void glumeSplitsALargeLevelIntoParallelJobs() {
        // Two nodes are free for 60, then none for 30. One job: 4 nodes 90–130; 2 nodes for 80 only at 90. Two jobs of
        // 2 nodes × 40:
        // one starts now, and both have ended by 90 + 40. Four jobs of one node would start no earlier.
        long[][] background = {{0, 2, 60}, {0, 4, 30}};
        check(run("glume", queue(4, background), bag(4, 40)), 130, 1, 160);
        SimulatedRun cut = run("glume:split=vertical", queue(4, background), bag(4, 40));
        check(cut, 130, 2, 160);
        assertThat(start(cut, 0)).isEqualTo(0);
        assertThat(start(cut, 1)).isEqualTo(90);
        // The wide job starts as early as narrow ones, so it is not split.
        check(run("glume:split=vertical", queue(4, new long[][] {{0, 4, 10}}), bag(4, 40)), 50, 1, 160);
    }

    @Test
    void glumeSplitsIndependentSubWorkflows() {
        // Two chains of 20 and 20, both tasks of a chain in one job.
        WorkflowBuilder chains = new WorkflowBuilder("chains");
        for (int i = 0; i < 4; i++) {
            chains.time(chains.task("t" + i), 20 * MINUTE * 1000);
        }
        Workflow workflow = chains.edge(0, 2).edge(1, 3).build();
        // One node is free for 60, then none for 60. One job: 2 nodes 120–160. Level 0 first on the free node, for 40:
        // level 1 behind it could
        // start at once and would need too much leeway. Cut in two: one chain now, and both have ended by 120 + 40.
        long[][] background = {{0, 1, 60}, {0, 2, 60}};
        check(run("glume", queue(2, background), workflow), 160, 1, 80);
        SimulatedRun cut = run("glume:split=vertical", queue(2, background), workflow);
        check(cut, 160, 2, 80);
        assertThat(start(cut, 0)).isEqualTo(0);
        assertThat(start(cut, 1)).isEqualTo(120);
        long first = cut.pilotJobs().get(0).token();
        assertThat(cut.attempts().stream().filter(a -> a.token() == first).map(a -> a.task()))
                .containsExactly(0, 2);
    }

    @Test
    void aJobDependencyReplacesLeeway() {
        // Six nodes, four of them busy until 30. Zhang: levels 0-1 on 2 nodes 0–40 (0/40 against 30/70 for all). Level
        // 2 on 4 nodes could
        // start at 30, ten too early: it requests 10 more and keeps 4 nodes idle until 40; 40–70.
        long[][] background = {{0, 4, 30}};
        check(run("zhang", queue(6, background), bell(4, 30)), 70, 2, 80 + 160);
        check(run("zhang:leeway=dependency", queue(6, background), bell(4, 30)), 70, 2, 80 + 120);
        // GLUME: ten is more than a tenth of 30, so level 0 goes first, 0–20, and the rest on 4 nodes 30–80.
        check(run("glume", queue(6, background), bell(4, 30)), 80, 2, 40 + 200);
        check(run("glume:leeway=dependency", queue(6, background), bell(4, 30)), 70, 2, 80 + 120);
    }

    @Test
    void autoAddsAPilotJobForTheWideLevel() {
        // Two nodes now, for 100. When they run: two more from 60 on, for the two wide tasks that would have to wait
        // until 70; 60–90. The
        // first two are not needed after 70. A node-minute counts 0.3 · 70 / 180: 90 + 23 is less than 100 + 23.
        check(run("auto", halfBusy(), bell(4, 30)), 90, 2, 140 + 60);
    }

    @Test
    void autoBackfillsBeforeTheLargePilotJob() {
        // One node is free, the others from 60 on. Three nodes 60–100 is best for all of it; then one node for 60, in
        // which three tasks are done
        // before; the others 60–80.
        SimulatedRun run = run("auto", queue(4, new long[][] {{0, 3, 60}}), bag(6, 20));
        check(run, 80, 2, 60 + 60);
        assertThat(start(run, 0)).isEqualTo(60);
        assertThat(start(run, 1)).isEqualTo(0);
        // The large job was shortened when fewer tasks were left than at its submission.
        assertThat(run.pilotJobs().get(0).walltime()).isEqualTo(20 * MINUTE);
    }

    @Test
    void autoReleasesNodesForALongTail() {
        // A task on four nodes for 30, then three of 100 one after the other. Four nodes for 330; at 30 one node is
        // requested as well, for all that is
        // left; the four end with the first of the three, and the one takes over.
        WorkflowBuilder builder = new WorkflowBuilder("tail");
        builder.time(builder.task("wide"), 30 * MINUTE * 1000).resources(0, new Resources(1, 0, 0, 4));
        for (int i = 1; i <= 3; i++) {
            builder.time(builder.task("t" + i), 100 * MINUTE * 1000).edge(i - 1, i);
        }
        check(run("auto", queue(5, new long[0][]), builder.build()), 330, 2, 4 * 130 + 300);
        check(run("auto:lambda=0", queue(5, new long[0][]), builder.build()), 330, 1, 4 * 330);
    }

    @Test
    void perStageSubmitsAStageAfterThePreviousOne() {
        // 2 nodes 0–20, 1 node 20–40, 4 nodes: behind the background job that arrived at 30 and runs 60–120.
        check(run("perstage", halfBusyThenFull(), bell(4, 30)), 150, 3, 180);
        // With two cores at most: the wide tasks on 2 nodes, which are free from 120 on; for 60.
        check(run("perstage:cores=2", halfBusyThenFull(), bell(4, 30)), 180, 3, 180);
    }

    @Test
    void aStageIsASequenceOfLevelsOfEqualWidth() {
        // Nine steps on 4 nodes or 1, as in the paper's Montage: 4 4 | 1 1 | 4 | 1 1 1 1. All nodes are free: no wait.
        WorkflowBuilder montage = new WorkflowBuilder("montage");
        int[] nodes = {4, 4, 1, 1, 4, 1, 1, 1, 1};
        for (int i = 0; i < nodes.length; i++) {
            int task = montage.task("s" + i);
            montage.time(task, 10 * MINUTE * 1000).resources(task, new Resources(1, 0, 0, nodes[i]));
            if (i > 0) {
                montage.edge(i - 1, i);
            }
        }
        check(run("perstage", queue(4, new long[0][]), montage.build()), 90, 4, 80 + 20 + 40 + 40);
    }

    @Test
    void asaSubmitsAheadByTheExpectedWait() {
        // At 0 all jobs are requested: 1 node from 20 on, 4 nodes × 30 from 60 on, before the background job arrives.
        SimulatedRun run = run("asa", halfBusyThenFull(), bell(4, 30));
        check(run, 90, 3, 180);
        assertThat(run.perceivedWaitMillis()).isEqualTo(20 * MINUTE);
        // Waits of 15: stage 2 at 20 − 15, stage 3 at 40 − 15, five before the background job. Waits of 5: at 35,
        // behind it.
        check(run("asa:estimate=15m", halfBusyThenFull(), bell(4, 30)), 90, 3, 180);
        check(run("asa:estimate=5m", halfBusyThenFull(), bell(4, 30)), 150, 3, 180);
    }

    @Test
    void asaNaiveCancelsJobsThatStartTooEarly() {
        // All is free. Stage 2 is requested at 5, starts at once, is cancelled; it waited 0, so it is requested again
        // at 20. Stage 3 in the same way at 25 and 40.
        check(run("asa-naive:estimate=15m", queue(8, new long[0][]), bell(4, 30)), 70, 5, 180);
        // With hold: 1 node 5–40 and 4 nodes 25–70.
        check(run("asa-naive:estimate=15m,hold=true", queue(8, new long[0][]), bell(4, 30)), 70, 3, 40 + 35 + 180);
        // With dependencies nothing starts too early.
        check(run("asa:estimate=15m", queue(8, new long[0][]), bell(4, 30)), 70, 3, 180);
    }
}
