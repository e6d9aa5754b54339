package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.FAILED;
import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Event.Accepted;
import io.sheaf.manager.Event.End;
import io.sheaf.manager.Event.Ended;
import io.sheaf.manager.Event.Grown;
import io.sheaf.manager.Event.Refused;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Effects of events on the manager, recorded as text. */
class ManagerTest {
    private final Notes out = new Notes();
    private final Script script = new Script();

    private static Workflow vee() {
        return Rig.vee();
    }

    private Manager manager(Workflow workflow, int cores, int cap) {
        return Rig.manager(workflow, script, cores, cap, Rules.DEFAULT);
    }

    private static Order submit(int nodes, long walltime, Claim claim) {
        return new Order.Submit(Request.of(nodes, walltime), claim);
    }

    @Test
    void runsAWorkflowInOnePilotJob() {
        script.lines.add(List.of(submit(2, 60_000, Claim.levels(0, 1))));
        Manager manager = manager(vee(), 1, 4);
        manager.settle(0, out);
        assertThat(out.take()).containsExactly("submit 1 2x60000");
        manager.on(new Accepted(0, 1), out);
        manager.on(new Started(100, 1), out);
        assertThat(out.take()).containsExactly("start t0 on 1.0", "start t1 on 1.1");
        manager.on(new TaskEnded(10_100, 1, 0, 1, SUCCEEDED), out);
        assertThat(out.take()).as("its child still waits for t1").isEmpty();
        manager.on(new TaskEnded(20_100, 1, 1, 1, SUCCEEDED), out);
        assertThat(out.take()).containsExactly("start t2 on 1.0");
        manager.on(new TaskEnded(25_100, 1, 2, 1, SUCCEEDED), out);
        assertThat(out.take()).as("no task is left").containsExactly("release 1");
        assertThat(manager.isFinished()).isTrue();
    }

    @Test
    void reportsMayBeDuplicateLateOrOutOfOrder() {
        script.lines.add(List.of(submit(1, 60_000, Claim.levels(0, 1))));
        Manager manager = manager(vee(), 1, 4);
        manager.settle(0, out);
        manager.on(new Started(5, 1), out);
        manager.on(new Accepted(5, 1), out);
        manager.on(new Started(6, 1), out);
        assertThat(out.take()).containsExactly("submit 1 1x60000", "start t0 on 1.0");
        manager.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED), out);
        manager.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED), out);
        manager.on(new TaskEnded(11, 1, 1, 7, SUCCEEDED), out);
        assertThat(out.take())
                .as("an end counts once, and only of the attempt that runs")
                .containsExactly("start t1 on 1.0");
        manager.on(new Ended(20, 1, End.LOST), out);
        manager.on(new Ended(21, 1, End.LOST), out);
        manager.on(new Started(22, 1), out);
        manager.on(new Started(22, 99), out);
        assertThat(out.take()).isEmpty();
        assertThat(manager.pilotJobs()).isZero();
        assertThat(manager.reruns()).isEqualTo(1);
        assertThat(manager.isReady(1)).isTrue();
    }

    @Test
    void tasksOfAnExpiredPilotJobAreRequeuedAndCounted() {
        script.lines.add(List.of(submit(2, 15_000, Claim.levels(0, 0))));
        script.lines.add(List.of());
        script.lines.add(List.of(submit(1, 60_000, Claim.levels(0, 1))));
        Manager manager = manager(vee(), 1, 4);
        manager.settle(0, out);
        manager.on(new Started(0, 1), out);
        manager.settle(0, out);
        manager.on(new TaskEnded(10_000, 1, 0, 1, SUCCEEDED), out);
        manager.on(new Ended(15_000, 1, End.EXPIRED), out);
        manager.settle(15_000, out);
        manager.on(new Started(16_000, 2), out);
        assertThat(out.take())
                .containsExactly(
                        "submit 1 2x15000",
                        "start t0 on 1.0",
                        "start t1 on 1.1",
                        "submit 2 1x60000",
                        "start t1 on 2.0 again");
        assertThat(List.of(manager.expiries(), manager.reruns())).containsExactly(1, 1);
    }

    @Test
    void bindsTasksLateToFreeCoresWhereTheyFit() {
        Claim fitting = new Claim(0, 1, TaskGroup.ALL, true, false, false);
        script.lines.add(List.of(submit(1, 15_000, fitting), submit(1, 60_000, fitting)));
        Manager manager = manager(vee(), 1, 4);
        manager.settle(0, out);
        manager.on(new Started(0, 1), out);
        manager.on(new Started(1_000, 2), out);
        // t0 takes 10 s of the 15; t1 would take 20 and waits for the second pilot job.
        assertThat(out.take()).contains("start t0 on 1.0", "start t1 on 2.0");
        manager.on(new TaskEnded(10_000, 1, 0, 1, SUCCEEDED), out);
        assertThat(out.take()).as("t2 is not ready").isEmpty();
        manager.on(new TaskEnded(21_000, 2, 1, 1, SUCCEEDED), out);
        assertThat(out.take()).as("the first pilot job has no time left for t2").containsExactly("start t2 on 2.0");
        manager.settle(21_000, out);
        assertThat(out.take()).as("its claimed tasks run elsewhere").containsExactly("release 1");
    }

    /** Both jobs have a free core when t2 is ready at 10 s: job 1, in which t0 ends, runs until 60 s, job 2 until 120 s. */
    @Test
    void aTaskOfUnknownTimeStartsWhereMostTimeIsLeft() {
        assertThat(startOfLast(vee())).isEqualTo("start t2 on 1.0");
        assertThat(startOfLast(vee().untimed())).isEqualTo("start t2 on 2.0");
        Workflow learnt = vee();
        assertThat(startOfLast(
                        learnt, new RunTimeUpdate(new int[] {2}, new long[] {5_000_000}, new long[] {9_000_000})))
                .isEqualTo("start t2 on 2.0");
    }

    private static String startOfLast(Workflow workflow, RunTimeUpdate... learnt) {
        Notes notes = new Notes();
        Script orders = new Script();
        Claim all = Claim.levels(0, 1).onlyWhatFits();
        orders.lines.add(List.of(submit(1, 60_000, all), submit(1, 120_000, all)));
        Manager manager = Rig.manager(workflow, orders, 1, 4, Rules.DEFAULT);
        manager.settle(0, notes);
        manager.on(new Started(0, 1, true), notes);
        manager.on(new Started(0, 2, true), notes);
        for (RunTimeUpdate times : learnt) {
            manager.on(new Event.Retimed(1_000, times), notes);
        }
        boolean firstIn1 = notes.take().contains("start t0 on 1.0");
        manager.on(new TaskEnded(5_000, 2, firstIn1 ? 1 : 0, 1, SUCCEEDED), notes);
        notes.take();
        manager.on(new TaskEnded(10_000, 1, firstIn1 ? 0 : 1, 1, SUCCEEDED), notes);
        return notes.take().get(0);
    }

    /**
     * Two tasks of 10 and 20 minutes, up to 15 and 20: 35 / 30 is a margin of 17 % in whole per cent. A strategy whose
     * jobs start only tasks that fit adds the margin itself.
     */
    @Test
    void theStrategySeesTheMarginOfLearnedTimes() {
        WorkflowBuilder builder = new WorkflowBuilder("two");
        builder.task("short");
        builder.task("long");
        Manager manager = manager(builder.build(), 1, 4);
        assertThat(manager.walltimeMargin()).isZero();
        long minute = 60_000_000;
        manager.on(
                new Event.Retimed(
                        0, new RunTimeUpdate(new int[] {0, 1}, new long[] {10 * minute, 20 * minute}, new long[] {
                            15 * minute, 20 * minute
                        })),
                out);
        assertThat(manager.walltimeMargin()).isEqualTo(17);
        Claim all = Claim.levels(0, 0);
        script.lines.add(List.of(submit(1, 1_800_000, all), submit(1, 1_800_000, all.onlyWhatFits())));
        manager.settle(0, out);
        assertThat(out.take()).containsExactly("submit 1 1x2100000", "submit 2 1x1800000");
        // Medians of 1 ms and times of up to a day are a margin of 86,400,000 times; it counts as 100 times.
        manager.on(
                new Event.Retimed(1, new RunTimeUpdate(new int[] {0, 1}, new long[] {1_000, 1_000}, new long[] {
                    1_440 * minute, 1_440 * minute
                })),
                out);
        assertThat(manager.walltimeMargin()).isEqualTo(10_000);
    }

    @Test
    void updatedRunTimesLengthenRequestedWalltimes() {
        Claim all = Claim.levels(0, 1);
        script.lines.add(List.of(submit(1, 60_000, all)));
        script.lines.add(List.of(submit(1, 60_000, all), submit(1, 60_000, Claim.task(2, 1))));
        script.lines.add(List.of(new Order.Shorten(2, 61_000), new Order.Shorten(3, 30_000)));
        Manager manager = manager(vee(), 1, 4);
        Decision first = manager.settle(0, out);
        // t0 10 s as before, but up to 20; t1 30 s, up to 70; t2 5 s: 45 s are expected, 95 s at most.
        RunTimeUpdate times = new RunTimeUpdate(
                new int[] {0, 1}, new long[] {10_000_000, 30_000_000}, new long[] {20_000_000, 70_000_000});
        manager.on(new Event.Retimed(1_000, times), out);
        Decision second = manager.settle(1_000, out);
        assertThat(manager.workflow().timeMicros(1)).isEqualTo(30_000_000);
        assertThat(out.take())
                .as("60 s · 95 / 45 in whole minutes, where the walltime is exactly as requested")
                .containsExactly("submit 1 1x60000", "submit 2 1x180000", "submit 3 1x60000");
        manager.on(new Event.Woken(2_000), out);
        Decision third = manager.settle(2_000, out);
        assertThat(out.take())
                .as("61 s with the margin are three minutes, as before")
                .containsExactly("shorten 3 30000");
        Manager replayed = manager(vee(), 1, 4);
        replayed.replay(0, first, out);
        replayed.on(new Event.Retimed(1_000, times), out);
        replayed.replay(1_000, second, out);
        replayed.on(new Event.Woken(2_000), out);
        replayed.replay(2_000, third, out);
        assertThat(replayed.checkpoint().create(List.of(), 1))
                .isEqualTo(manager.checkpoint().create(List.of(), 1));
        assertThat(replayed.checkpoint().times()).isEqualTo(manager.checkpoint().times());
    }

    @Test
    void aPilotJobRunsOnlyItsClaimedTasks() {
        Claim level = Claim.levels(0, 0);
        script.lines.add(List.of(
                submit(1, 60_000, level.only(TaskGroup.of(1))), submit(2, 60_000, level.only(TaskGroup.of(0)))));
        Manager manager = manager(vee(), 1, 4);
        manager.settle(0, out);
        manager.on(new Started(0, 1), out);
        manager.on(new Started(0, 2), out);
        assertThat(out.take()).contains("start t1 on 1.0", "start t0 on 2.0").hasSize(4);
        // The level has one more task now, which no job claims.
        manager.on(new Grown(1_000, Rig.more("t3")), out);
        manager.on(new TaskEnded(2_000, 2, 0, 1, Event.Outcome.SUCCEEDED), out);
        assertThat(out.take()).as("no task of its claim is left").containsExactly("release 2");
        manager.on(new Ended(3_000, 1, End.EXPIRED), out);
        assertThat(List.of(manager.expiries(), manager.nextReady(0), manager.nextReady(2)))
                .containsExactly(1, 1, 3);
    }

    @Test
    void theCapLimitsPilotJobsAndRefusedJobsDoNotCount() {
        Order one = submit(1, 60_000, Claim.levels(0, 1));
        script.lines.add(List.of(one, one, one));
        script.lines.add(List.of(one));
        Manager manager = manager(vee(), 1, 2);
        manager.settle(0, out);
        assertThat(out.take()).containsExactly("submit 1 1x60000", "submit 2 1x60000");
        manager.on(new Refused(0, 2, "too many"), out);
        manager.settle(0, out);
        assertThat(out.take()).as("the next submission waits").containsExactly("wake 10000");
        manager.on(new Event.Woken(10_000), out);
        manager.settle(10_000, out);
        assertThat(out.take()).containsExactly("submit 3 1x60000");
    }

    @Test
    void aDrainingPilotJobEndsWithItsRunningTasks() {
        script.lines.add(List.of(submit(2, 60_000, Claim.levels(0, 1)), submit(1, 60_000, Claim.levels(0, 1))));
        script.lines.add(List.of(new Order.Drain(2), new Order.Drain(1)));
        Manager manager = manager(vee(), 1, 4);
        manager.settle(0, out);
        manager.on(new Started(0, 1), out);
        manager.settle(0, out);
        assertThat(out.take()).contains("start t0 on 1.0", "start t1 on 1.1");
        assertThat(manager.pilotJob(1).isDraining())
                .as("a queued job does not drain")
                .isFalse();
        manager.on(new TaskEnded(10_000, 1, 0, 1, SUCCEEDED), out);
        manager.on(new TaskEnded(20_000, 1, 1, 1, SUCCEEDED), out);
        assertThat(out.take()).as("t2 is ready but does not start").containsExactly("release 1");
        manager.on(new Ended(20_000, 1, End.RELEASED), out);
        manager.on(new Started(21_000, 2), out);
        assertThat(out.take()).containsExactly("start t2 on 2.0");
        assertThat(manager.expiries()).isZero();
    }

    @Test
    void shortensAndCancelsQueuedPilotJobs() {
        script.lines.add(List.of(submit(1, 60_000, Claim.levels(0, 1))));
        script.lines.add(List.of(
                new Order.Shorten(1, 30_000), new Order.Shorten(1, 40_000), new Order.Cancel(1), new Order.Cancel(1)));
        Manager manager = manager(vee(), 1, 2);
        manager.settle(0, out);
        manager.on(new Event.Woken(5), out);
        manager.settle(5, out);
        assertThat(out.take()).containsExactly("submit 1 1x60000", "shorten 1 30000", "cancel 1");
    }

    @Test
    void tasksShareNodesAndWideTasksUseSeveralNodes() {
        WorkflowBuilder builder = new WorkflowBuilder("wide");
        builder.resources(builder.task("a"), new Resources(3, 0, 0, 1));
        builder.resources(builder.task("b"), new Resources(2, 0, 0, 2));
        builder.resources(builder.task("c"), new Resources(1, 0, 0, 1));
        script.lines.add(List.of(submit(2, 60_000, Claim.levels(0, 0))));
        Manager manager = manager(builder.build(), 4, 4);
        manager.settle(0, out);
        manager.on(new Started(0, 1), out);
        // a leaves one core on node 0, too few for b on both nodes; c starts on that core.
        assertThat(out.take()).containsExactly("submit 1 2x60000", "start t0 on 1.0", "start t2 on 1.0");
        manager.on(new TaskEnded(1, 1, 2, 1, SUCCEEDED), out);
        manager.on(new TaskEnded(2, 1, 0, 1, SUCCEEDED), out);
        assertThat(out.take()).containsExactly("start t1 on 1.0+1");
    }

    @Test
    void failedTasksAreRetriedUpToTheirLimit() {
        WorkflowBuilder builder = new WorkflowBuilder("fails");
        builder.retries(builder.task("a"), 1);
        script.lines.add(List.of(submit(1, 60_000, Claim.levels(0, 0))));
        Manager manager = manager(builder.build(), 1, 4);
        manager.settle(0, out);
        manager.on(new Started(0, 1), out);
        manager.on(new TaskEnded(1, 1, 0, 1, FAILED), out);
        assertThat(manager.isFinished()).isFalse();
        manager.on(new TaskEnded(2, 1, 0, 2, FAILED), out);
        assertThat(out.take())
                .containsExactly("submit 1 1x60000", "start t0 on 1.0", "start t0 on 1.0 again", "release 1");
        assertThat(manager.isFailed()).isTrue();
    }

    @Test
    void aWorkflowMayGrowWhileItRuns() {
        script.lines.add(List.of(submit(1, 60_000, Claim.levels(0, 9))));
        Workflow small = vee();
        Manager manager = manager(small, 1, 4);
        manager.settle(0, out);
        manager.on(new Started(0, 1), out);
        manager.on(new TaskEnded(10, 1, 0, 1, SUCCEEDED), out);
        manager.on(new Grown(20, Rig.more("t3").after(2, 0)), out);
        manager.on(new TaskEnded(30, 1, 1, 1, SUCCEEDED), out);
        manager.on(new TaskEnded(35, 1, 2, 1, SUCCEEDED), out);
        manager.on(new TaskEnded(40, 1, 3, 1, SUCCEEDED), out);
        assertThat(out.take())
                .containsExactly(
                        "submit 1 1x60000",
                        "start t0 on 1.0",
                        "start t1 on 1.0",
                        "start t2 on 1.0",
                        "start t3 on 1.0",
                        "release 1");
        assertThat(manager.isFinished()).isTrue();
    }

    /** Half of the mean time until preemption, if another pool is safe. */
    @Test
    void jobsOfAPreemptiblePoolAreShorterAfterMorePreemptions() {
        Pools pools = Pools.parse("safe=1-2+spot=3-4,time=6h,preempt=4h", 4);
        Manager manager = Rig.manager(vee(), script, 1, 4, Rules.DEFAULT.pools(pools));
        assertThat(manager.pools().pool(2).limits().walltime()).isEqualTo(2 * 3_600_000);
        manager.on(new Event.Preemptible(1, 2, 3_600_000), out);
        assertThat(manager.pools().pool(2).limits().walltime()).isEqualTo(1_800_000);
        assertThat(manager.fork().pools()).isEqualTo(manager.pools());
        manager.on(new Event.Preemptible(2, 2, 24 * 3_600_000), out);
        assertThat(manager.pools().pool(2).limits().walltime()).isEqualTo(6 * 3_600_000);
    }
}
