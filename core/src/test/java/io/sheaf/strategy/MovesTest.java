package io.sheaf.strategy;

import static io.sheaf.strategy.OnPaper.HOUR;
import static io.sheaf.strategy.OnPaper.MINUTE;
import static io.sheaf.strategy.OnPaper.job;
import static io.sheaf.strategy.OnPaper.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.strategy.Plan.State;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each move of {@code auto}, worked out by hand for the runs of {@link OnPaper}. */
class MovesTest {
    static ScoredPlan apply(Move move, Planning planning, Plan plan) {
        ScoredPlan before = planning.score(plan);
        ScoredPlan after = move.apply(before);
        if (after.orders().isEmpty()) {
            assertThat(after).isSameAs(before);
        }
        return after;
    }

    static Request submitted(ScoredPlan plan) {
        assertThat(plan.orders()).hasSize(1);
        return ((Order.Submit) plan.orders().get(0)).request();
    }

    /** One task of an hour: a node-minute costs 0.3 minutes. */
    @Nested
    class Drain {
        private final Planning planning = OnPaper.hours(1).planning();

        /**
         * The wide job takes the task: 60 + 0.3 · 3 · 60 = 114 minutes. Drained, the narrow one does: 60 + 0.3 · 60 =
         * 78. One of them must stay for the task.
         */
        @Test
        void aWideJobIsDrainedIfANarrowerOneTakesOver() {
            Plan plan = plan(job(1, State.BUSY, 3, 2 * HOUR, 0), job(2, State.BUSY, 1, 2 * HOUR, 0));
            ScoredPlan after = apply(new DrainMove(planning, HOUR), planning, plan);
            assertThat(after.orders()).isEqualTo(List.of(new Order.Drain(1)));
            assertThat(Math.round(after.cost())).isEqualTo(78 * MINUTE);
        }

        /**
         * The narrow job starts in 4 minutes: 64 are more than 1.05 · 60, although 64 + 0.3 · 60 = 82 is cheaper than
         * 114.
         */
        @Test
        void noOrderIfTheRunEndsMuchLater() {
            Plan plan = plan(job(1, State.BUSY, 3, 2 * HOUR, 0), job(2, State.QUEUED, 1, 2 * HOUR, 4 * MINUTE));
            assertThat(apply(new DrainMove(planning, HOUR), planning, plan).orders())
                    .isEmpty();
        }
    }

    /** One task of an hour: a node-minute costs 0.3 minutes. */
    @Nested
    class Cancel {
        private final Planning planning = OnPaper.hours(1).planning();

        private ScoredPlan apply(Plan plan) {
            return MovesTest.apply(new CancelMove(planning, HOUR), planning, plan);
        }

        /**
         * With both 60 + 0.3 · 3 · 60 = 114; without the wide job 62 + 0.3 · 60 = 80, and 62 is within 1.05 · 60. The
         * last job stays.
         */
        @Test
        void aQueuedJobThatCostsMoreThanItGainsIsCancelled() {
            ScoredPlan after =
                    apply(plan(job(1, State.QUEUED, 3, 2 * HOUR, 0), job(2, State.QUEUED, 1, 2 * HOUR, 2 * MINUTE)));
            assertThat(after.orders()).isEqualTo(List.of(new Order.Cancel(1)));
            assertThat(Math.round(after.cost())).isEqualTo(80 * MINUTE);
            assertThat(after.plan().queuedTokens()).containsExactly(2);
        }

        /**
         * Without the wide job the run would end after 64 minutes, more than 1.05 · 60. Without the narrow job nothing
         * changes, which is no gain.
         */
        @Test
        void noOrderIfTheRunEndsMuchLater() {
            Plan plan = plan(job(1, State.QUEUED, 3, 2 * HOUR, 0), job(2, State.QUEUED, 1, 2 * HOUR, 4 * MINUTE));
            assertThat(apply(plan).orders()).isEmpty();
        }

        /** An idle job that gets no task costs nothing, but is of no use. */
        @Test
        void anUnneededIdleJobIsCancelled() {
            Plan plan = plan(job(1, State.BUSY, 1, 2 * HOUR, 0), job(2, State.IDLE, 1, 2 * HOUR, 0));
            assertThat(apply(plan).orders()).isEqualTo(List.of(new Order.Cancel(2)));
        }

        /** Another job could run the task, too, but this one has just started, and its agents will get the task. */
        @Test
        void anIdleJobWhoseAgentsConnectIsKept() {
            OnPaper run = OnPaper.hours(1, 3).withConnectingJob();
            PilotJob connecting = run.view.jobs().get(0);
            Plan plan = plan(job(7, State.BUSY, 1, 2 * HOUR, 0), Plan.Job.of(connecting, 0));
            assertThat(plan.job(1).state()).isEqualTo(State.IDLE);
            CancelMove cancel = new CancelMove(run.planning(), HOUR);
            assertThat(MovesTest.apply(cancel, run.planning(), plan).orders()).isEmpty();
        }
    }

    /** One task of an hour: a job needs 60 minutes and a tenth more. */
    @Nested
    class Shorten {
        private List<Order> orders(long walltime) {
            Planning planning = OnPaper.hours(1).planning();
            Plan plan = plan(job(1, State.QUEUED, 1, walltime, HOUR));
            return apply(new ShortenMove(planning), planning, plan).orders();
        }

        /** 74 minutes less a tenth are 66.6, more than 66; 73 less a tenth are 65.7. */
        @Test
        void aJobIsShortenedByATenthOrMore() {
            assertThat(orders(74 * MINUTE)).isEqualTo(List.of(new Order.Shorten(1, 66 * MINUTE)));
            assertThat(orders(73 * MINUTE)).isEmpty();
        }
    }

    /** Three tasks of an hour: a node-minute costs 0.1 minutes. One node takes 180 minutes for all, two 120, three 60. */
    @Nested
    class AddJob {
        private ScoredPlan add(OnPaper run, Plan plan) {
            return add(run, plan, false);
        }

        private ScoredPlan add(OnPaper run, Plan plan, boolean gaps) {
            Planning planning = run.planning();
            Shapes shapes = Shapes.forAll(
                    run.view, run.times.range(0, 0), planning.rollout(), new Queue(run.view, run, Profile.OWN), false);
            return apply(new AddJobMove(planning, shapes, gaps), planning, plan);
        }

        /** Three nodes that start at once: 60 + 0.1 · 180 = 78 minutes; fewer end after more than 1.05 · 60. */
        @Test
        void theShapeWithTheGreatestGainIsSubmitted() {
            ScoredPlan after = add(OnPaper.hours(3), plan());
            assertThat(submitted(after)).isEqualTo(Request.of(3, 66 * MINUTE));
            assertThat(Math.round(after.cost())).isEqualTo(78 * MINUTE);
        }

        /** Three nodes run for 66 minutes: further nodes would get no task. */
        @Test
        void noJobIsAddedWhereTheJobsSuffice() {
            assertThat(add(OnPaper.hours(3).withJob(), plan(job(1, State.BUSY, 3, 66 * MINUTE, 0)))
                            .orders())
                    .isEmpty();
        }

        /** One task of t on three running nodes costs t + 0.3 · 3 t; on a node that takes over, t + 0.3 t. The difference is 0.6 s for a task of 1 s and 1.2 s for one of 2 s. */
        @Test
        void aNarrowJobTakesOverIfThatSavesMoreThanASecond() {
            Plan plan = plan(job(1, State.BUSY, 3, MINUTE, 0));
            assertThat(add(OnPaper.tasks(1_000).withJob(), plan).orders()).isEmpty();
            assertThat(submitted(add(OnPaper.tasks(2_000).withJob(), plan)).units())
                    .isEqualTo(1);
        }

        /**
         * One node is queued and starts at once by the present estimate: alone 180 + 0.1 · 180 = 198. Two nodes more
         * would end all after 60 minutes at 78. With them in the queue the first job is estimated in 10 hours, and they
         * run all tasks in 120 + 0.1 · 240 = 144, which is still a gain.
         */
        @Test
        void queuedJobsAreEstimatedAgainWithTheAddedJob() {
            OnPaper run = OnPaper.hours(3).queuedStarting(10 * HOUR);
            ScoredPlan after = add(run, plan(job(1, State.QUEUED, 1, 4 * HOUR, 0)));
            assertThat(submitted(after).units()).isEqualTo(2);
            assertThat(after.plan().job(0).start()).isEqualTo(10 * HOUR);
            assertThat(after.end()).isGreaterThan(HOUR);
        }
    }

    /**
     * Tasks of 60, 30, 30 and 30 minutes: a node-minute costs 0.3 / 2.5 minutes. One node ends them after 150 minutes. In a gap of 40 minutes three nodes run the short ones, and the run ends after 60.
     */
    @Test
    void aGapIsFilledWithTasksThatAreShorterThanTheLongest() {
        OnPaper run = OnPaper.tasks(HOUR, 30 * MINUTE, 30 * MINUTE, 30 * MINUTE).starting(10 * HOUR);
        Plan plan = plan(job(1, State.BUSY, 1, 4 * HOUR, 0));
        assertThat(new AddJob().add(run, plan, true).orders()).as("no gap").isEmpty();
        run.shortStartingAtOnce(40 * MINUTE);
        assertThat(new AddJob().add(run, plan).orders())
                .as("no job for the longest task")
                .isEmpty();
        ScoredPlan after = new AddJob().add(run, plan, true);
        assertThat(submitted(after)).isEqualTo(Request.of(3, 33 * MINUTE));
        assertThat(after.end()).isEqualTo(HOUR);
    }

    /** Three tasks of an hour: a node-minute costs 0.1 minutes. A queued job of 12 nodes starts in 30 minutes: 90 + 0.1 · 720 = 162. */
    @Nested
    class Replace {
        private final OnPaper run = OnPaper.hours(3);
        private final Planning planning = run.planning();
        private final Plan.Job wide = job(1, State.QUEUED, 12, 2 * HOUR, 30 * MINUTE);

        private ScoredPlan replace(Plan plan) {
            return apply(new ReplaceMove(planning, 0), planning, plan);
        }

        /** Three nodes end as early: 90 + 0.1 · 180 = 108. Two would end after 150 minutes. They need 60 minutes and a tenth more. */
        @Test
        void theReplacementHasTheFewestNodesThatEndAsEarly() {
            run.starting(30 * MINUTE);
            ScoredPlan after = replace(plan(wide));
            assertThat(submitted(after)).isEqualTo(Request.of(3, 66 * MINUTE));
            assertThat(after.plan().queuedTokens()).as("the wide job stays").containsExactly(1);
        }

        @Test
        void noReplacementForALaterStart() {
            run.starting(31 * MINUTE);
            assertThat(replace(plan(wide)).orders()).isEmpty();
        }

        /** Of 4 nodes, 3 are three quarters: with them 90 + 18 = 108 against 90 + 24 = 114. Of 3 nodes at most 2 would be left. */
        @Test
        void noReplacementIfTheJobIsHardlyWider() {
            run.starting(30 * MINUTE);
            assertThat(submitted(replace(plan(job(1, State.QUEUED, 4, 2 * HOUR, 30 * MINUTE))))
                            .units())
                    .isEqualTo(3);
            assertThat(replace(plan(job(1, State.QUEUED, 3, 2 * HOUR, 30 * MINUTE)))
                            .orders())
                    .isEmpty();
        }

        @Test
        void noReplacementWhileASubmissionIsUnanswered() {
            run.starting(30 * MINUTE);
            assertThat(replace(plan(wide, job(2, State.SUBMITTED, 6, HOUR, 30 * MINUTE)))
                            .orders())
                    .isEmpty();
        }

        /**
         * A job of three nodes is queued behind the wide job and starts in 40 minutes. Without the wide job it starts
         * in 30: 90 + 18 = 108.
         */
        @Test
        void theWideJobIsCancelledOnceTheNarrowerIsQueued() {
            Plan both = plan(wide, job(2, State.QUEUED, 3, 66 * MINUTE, 40 * MINUTE));
            run.queuedStarting(30 * MINUTE);
            ScoredPlan after = apply(new CancelReplacedMove(planning), planning, both);
            assertThat(after.orders()).isEqualTo(List.of(new Order.Cancel(1)));
            assertThat(after.plan().job(1).start()).isEqualTo(30 * MINUTE);
            assertThat(Math.round(after.cost())).isEqualTo(108 * MINUTE);
            run.queuedStarting(31 * MINUTE);
            assertThat(apply(new CancelReplacedMove(planning), planning, both).orders())
                    .isEmpty();
        }
    }

    /** Three tasks of at most an hour, which are expected to take two thirds of it: a scout has one node, and 40 minutes and 5 seconds in whole minutes. */
    @Nested
    class Scout {
        private final OnPaper run = OnPaper.hoursAtMost(3).queuedStarting(2 * HOUR);
        private final Plan.Job queued = job(1, State.QUEUED, 3, 66 * MINUTE, 2 * HOUR);
        private final Plan.Job scout = job(2, State.QUEUED, 1, 41 * MINUTE, 2 * HOUR);

        private ScoredPlan scout(OnPaper from, Plan plan) {
            Planning planning = from.planning();
            return apply(new ScoutMove(planning), planning, plan);
        }

        @Test
        void aScoutIsSubmittedBesideALongQueuedJob() {
            assertThat(submitted(scout(run, plan(queued)))).isEqualTo(Request.of(1, 41 * MINUTE));
        }

        @Test
        void noScoutBesideAJobThatStartsSoon() {
            assertThat(scout(run.queuedStarting(MINUTE), plan(queued)).orders()).isEmpty();
        }

        @Test
        void atMostThreeScoutsAreSubmitted() {
            assertThat(scout(run, plan(queued, scout, scout)).orders()).hasSize(1);
            assertThat(scout(run, plan(queued, scout, scout, scout)).orders()).isEmpty();
        }

        @Test
        void noScoutWhereRunTimesAreExpectedTimes() {
            assertThat(scout(OnPaper.hours(3).queuedStarting(2 * HOUR), plan(queued))
                            .orders())
                    .isEmpty();
        }
    }

    /**
     * Eight tasks, and eight nodes queued that start after ten hours: end 11 h. One node now would be one of eight. Four jobs of one node run all in two hours; jobs of two nodes would wait.
     * Four is the greatest power of two below seven jobs.
     */
    @Test
    void narrowJobsAreSubmittedWhereWideJobsWait() {
        OnPaper run =
                OnPaper.hours(8).starting(10 * HOUR).queuedStarting(10 * HOUR).narrowStartingAtOnce(1);
        ScoredPlan waiting = run.planning().score(plan(job(1, State.QUEUED, 8, 66 * MINUTE, 10 * HOUR)));
        ScoredPlan split = new SplitMove(run.planning(), HOUR, 7, 0).apply(waiting);
        assertThat(split.end()).isEqualTo(2 * HOUR);
        assertThat(split.plan().submissions()).isEqualTo(4);
        assertThat(split.orders()).hasSize(4).allSatisfy(order -> assertThat(((Order.Submit) order).request())
                .isEqualTo(Request.of(1, Profile.OWN.request(2 * HOUR))));
        assertThat(new SplitMove(run.planning(), HOUR, 1, 8).apply(waiting)).isSameAs(waiting);
    }

    /** Narrow jobs that wait as well gain nothing, and no more of them are submitted than may be queued. */
    @Test
    void narrowJobsAreNotSubmittedWithoutGainOrPlace() {
        OnPaper run = OnPaper.hours(8).starting(10 * HOUR).queuedStarting(10 * HOUR);
        ScoredPlan waiting = run.planning().score(plan(job(1, State.QUEUED, 8, 66 * MINUTE, 10 * HOUR)));
        assertThat(new SplitMove(run.planning(), HOUR, 7, 8).apply(waiting)).isSameAs(waiting);
        run.starting(2 * HOUR);
        assertThat(new SplitMove(run.planning(), HOUR, 7, 1).apply(waiting)).isSameAs(waiting);
        assertThat(new SplitMove(run.planning(), HOUR, 7, 2)
                        .apply(waiting)
                        .plan()
                        .submissions())
                .isEqualTo(2);
    }

    /** Three tasks, and three nodes queued that start after three hours: one node for an hour, then one for all three hours, then none. */
    @Test
    void hedgesAreSubmittedBesideAJobThatStartsLate() {
        OnPaper run = OnPaper.hours(3).queuedStarting(3 * HOUR).starting(5 * HOUR);
        Planning planning = run.planning();
        Plan.Job wide = job(1, State.QUEUED, 3, 66 * MINUTE, 3 * HOUR);
        Plan.Job first = job(2, State.QUEUED, 1, 66 * MINUTE, 3 * HOUR);
        Plan.Job second = job(3, State.QUEUED, 1, Profile.OWN.request(3 * HOUR), 3 * HOUR);
        HedgeMove hedge = new HedgeMove(planning, HOUR);
        assertThat(hedge.apply(planning.score(plan(wide))).orders())
                .containsExactly(planning.submit(Request.of(1, 66 * MINUTE)));
        assertThat(hedge.apply(planning.score(plan(wide, first))).orders())
                .containsExactly(planning.submit(Request.of(1, Profile.OWN.request(3 * HOUR))));
        assertThat(hedge.apply(planning.score(plan(wide, first, second))).orders())
                .isEmpty();
        Plan.Job soon = job(1, State.QUEUED, 3, 66 * MINUTE, 5 * MINUTE);
        assertThat(hedge.apply(planning.score(plan(soon))).orders()).isEmpty();
        Plan.Job runs = job(1, State.BUSY, 1, 66 * MINUTE, 0);
        assertThat(hedge.apply(planning.score(plan(runs, wide))).orders()).isEmpty();
        assertThat(hedge.apply(planning.score(plan())).orders()).isEmpty();
        // If it started now it would run one task, and the wide job the others until the same end: one node-hour more,
        // 6 minutes.
        run.starting(0);
        assertThat(hedge.apply(planning.score(plan(wide))).orders()).isEmpty();
    }

    /** Three tasks, and three nodes queued that start after three hours: the job that starts at once with the most node time is submitted. */
    @Test
    void gapsAreFilledWhileAllJobsStartLate() {
        OnPaper run = OnPaper.hours(3).queuedStarting(3 * HOUR).starting(5 * HOUR);
        Planning planning = run.planning();
        BackfillMove backfill = new BackfillMove(planning, new long[] {HOUR, HOUR, HOUR}, HOUR);
        Plan.Job wide = job(1, State.QUEUED, 3, 66 * MINUTE, 3 * HOUR);
        assertThat(apply(backfill, planning, plan(wide)).orders()).isEmpty();
        run.shortStartingAtOnce(66 * MINUTE);
        assertThat(submitted(apply(backfill, planning, plan(wide)))).isEqualTo(Request.of(3, 66 * MINUTE));
        run.shortStartingAtOnce(0).narrowStartingAtOnce(1);
        assertThat(submitted(apply(backfill, planning, plan(wide))))
                .isEqualTo(Request.of(1, Profile.OWN.request(3 * HOUR)));
        // After 80 minutes the run has ended anyway, which is less than half again as much as an hour.
        assertThat(apply(backfill, planning, plan(wide.startingAt(20 * MINUTE))).orders())
                .isEmpty();
        assertThat(apply(backfill, planning, plan()).orders()).isEmpty();
        // A node-hour more costs 6 minutes, and a twentieth of 4 hours are 12.
        run.narrowStartingAtOnce(0).starting(40 * MINUTE);
        assertThat(submitted(apply(backfill, planning, plan(wide)))).isEqualTo(Request.of(1, 66 * MINUTE));
        run.starting(50 * MINUTE);
        assertThat(apply(backfill, planning, plan(wide)).orders()).isEmpty();
    }

    /** Three tasks of an hour that start in 5 minutes end an hour later on three nodes, and three hours later on one. */
    @Test
    void latenessCountsFromTheStartOfAJobThatStartsSoon() {
        Planning planning = OnPaper.hours(3).planning();
        ScoredPlan wide = planning.score(plan(job(1, State.QUEUED, 3, 66 * MINUTE, 5 * MINUTE)));
        ScoredPlan narrow = planning.score(plan(job(1, State.QUEUED, 1, 4 * HOUR, 5 * MINUTE)));
        assertThat(BackfillMove.isLate(planning, wide, HOUR)).isFalse();
        assertThat(BackfillMove.isLate(planning, narrow, HOUR)).isTrue();
    }

    /** Of the tasks of a gap that is too short for the longest, three quarters fit. */
    @Test
    void gapsAreFilledWithShortTasks() {
        long[] runs = {20 * MINUTE, 20 * MINUTE, 20 * MINUTE, 10 * HOUR};
        OnPaper run = OnPaper.tasks(runs)
                .queuedStarting(30 * HOUR)
                .starting(30 * HOUR)
                .shortStartingAtOnce(22 * MINUTE);
        Plan.Job late = job(1, State.QUEUED, 1, 12 * HOUR, 30 * HOUR);
        ScoredPlan after = apply(new BackfillMove(run.planning(), runs, 10 * HOUR), run.planning(), plan(late));
        assertThat(submitted(after)).isEqualTo(Request.of(3, 22 * MINUTE));
    }

    /** Three tasks of 20 seconds: a node-second costs 0.1 seconds. */
    @Nested
    class ShortRun {
        private static final long SECOND = 1_000;
        private final OnPaper run = OnPaper.tasks(20 * SECOND, 20 * SECOND, 20 * SECOND);

        /** One node ends them after 60 seconds: 60 + 0.1 · 60 = 66. With two more they end after 20: 20 + 0.1 · 60 = 26, by more than a twentieth of 60 less. */
        @Test
        void aGainOfLessThanAMinuteCounts() {
            ScoredPlan after = new AddJob().add(run.withJob(), plan(job(1, State.BUSY, 1, MINUTE, 0)));
            assertThat(submitted(after)).isEqualTo(Request.of(2, MINUTE));
            assertThat(after.end()).isEqualTo(20 * SECOND);
        }

        /** Three nodes start in 5 minutes, which is not soon for a run of 20 seconds; in 10 seconds they do. */
        @Test
        void aJobThatStartsInMinutesIsHedged() {
            run.queuedStarting(5 * MINUTE).starting(5 * MINUTE);
            HedgeMove hedge = new HedgeMove(run.planning(), 20 * SECOND);
            Plan.Job wide = job(1, State.QUEUED, 3, MINUTE, 5 * MINUTE);
            assertThat(submitted(hedge.apply(run.planning().score(plan(wide))))).isEqualTo(Request.of(1, MINUTE));
            ScoredPlan soon = run.planning().score(plan(wide.startingAt(10 * SECOND)));
            assertThat(hedge.apply(soon)).isSameAs(soon);
        }
    }
}
