package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.WaitObservation;
import io.sheaf.strategy.AsaPlan.Expected;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ASA (Souza, Ghoshal, Ramakrishnan, Pelckmans and Tordsson, "ASA – The adaptive scheduling algorithm", 3.2 and 4.5): each {@linkplain Stages stage}
 * is a job of the nodes that it needs, submitted ahead of time by its expected queue wait.
 *
 * <h2>Decision</h2>
 * While a stage runs, stage y is submitted at t − a: t is the expected end of stage y − 1, a the expected queue wait of y. If waits are long, several
 * stages are queued (Fig. 4 of the paper). The expected start of a queued stage is the one estimated at its submission, but not before the previous
 * stage ends. If all earlier stages are done, a stage is submitted at once.
 *
 * <p><b>ASA</b> makes each job depend on that of the previous stage, so it cannot start too early. <b>ASA-Naive</b> has no dependencies: it cancels
 * and resubmits a job that starts when none of its tasks can run, or with {@code hold=true} keeps it idle until they can. It extends the request by
 * the time that the job was submitted ahead.
 *
 * <h2>What the paper leaves open</h2>
 *
 * <ul>
 *   <li>When to resubmit a cancelled job: ahead by its last queue wait, or, if that is past, when all earlier stages are done. Resubmitting at
 *       once could repeat forever on a cluster with free nodes.
 *   <li>Whether a stage may be submitted while the previous one is queued. The text has "during the execution of an ongoing stage", and so does
 *       this class. But in the paper's Table 1 ASA saves more wait than the workflow runs for (Statistics on 320 cores: 18,008 s become 7,471 s, of
 *       3,968 s of execution), which requires earlier submissions. With {@code ahead=queued} a stage is submitted as soon as it or a later one is
 *       due, even while the previous one is queued.
 *   <li>Expired jobs: queued jobs are cancelled, and the rest of the stage is submitted again.
 *   <li>Limits of walltimes: a stage becomes as many levels as fit into a job. A level that does not fit becomes several jobs one after another ({@link SequentialJobs}); nothing is
 *       submitted ahead of its last one.
 * </ul>
 *
 * <h2>Learning</h2>
 * {@link StageWaits} estimates the queue wait of a stage. If it is {@linkplain io.sheaf.predict.AsaLearner sampled}, it is sampled once per stage,
 * when the stage is the next to be submitted. When a stage starts, its queue wait is a {@linkplain WaitObservation lesson}, also for the first stage. A job
 * that starts as soon as its dependency has ended gives no lesson, because the dependency hides the wait in the queue. (The paper observes that
 * dependencies make ASA "deviate towards non-optimal estimations".)
 *
 * @param naive whether jobs have no dependencies
 * @param hold whether ASA-Naive keeps a job that starts too early
 * @param fromQueue whether stages are also submitted ahead while the previous one is queued, and for the sake of later ones
 */
record Asa(
        String name,
        RunTimes times,
        Profile profile,
        Stages stages,
        StageWaits waits,
        boolean naive,
        boolean hold,
        boolean fromQueue)
        implements Strategy {
    /** If a job starts within this time after its dependency ended, the dependency may have delayed it. */
    private static final long AT_ONCE = 10_000;

    @Override
    public Memo memo(String text) {
        return text.isEmpty() ? Memo.NONE : AsaPlan.read(text);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        List<WaitObservation> observations = new ArrayList<>();
        AsaPlan plan = learn(view, memo instanceof AsaPlan p ? p : AsaPlan.NEW, observations);
        return decide(view, plan, estimator, sink).learning(observations);
    }

    /** Records the starts and ends of submitted stages. */
    private static AsaPlan learn(View view, AsaPlan before, List<WaitObservation> observations) {
        AsaPlan plan = before;
        for (PilotJob p : view.jobs()) {
            int level = p.claim().firstLevel();
            Expected expected = plan.stages().getOrDefault(level, Expected.NOTHING);
            if (expected.learnt()) {
                continue;
            }
            long after = p.request().afterToken();
            if (after != Request.NONE && expected.freed() == AsaPlan.NOT_YET && view.find(after) == null) {
                expected = expected.freedAt(view.now());
                plan = plan.expecting(level, expected);
            }
            if (p.isRunning()) {
                boolean heldBack = after != Request.NONE
                        && (expected.freed() == AsaPlan.NOT_YET || p.startedAt() - expected.freed() <= AT_ONCE);
                if (!heldBack) {
                    long waited = p.startedAt() - p.submittedAt();
                    Request request = p.request();
                    observations.add(
                            new WaitObservation(request.units(), request.walltime(), expected.queueWait(), waited));
                }
                plan = plan.expecting(level, expected.isLearnt());
            }
        }
        return plan;
    }

    private Decision decide(View view, AsaPlan before, StartEstimator estimator, DecisionSink sink) {
        AsaPlan plan = before;
        List<Order> cancellations = new ArrayList<>();
        if (view.expiries() > plan.expiries()) {
            plan = plan.expired(view.expiries());
            cancellations = JobChain.cancellations(view);
        } else if (naive && !hold) {
            plan = cancelEarly(view, plan, cancellations);
        }
        if (!cancellations.isEmpty()) {
            sink.chosen("cancel jobs that have no runnable task");
            return new Decision(cancellations, Decision.NEVER, plan);
        }
        return next(
                view, plan, new Sizing(times, view, estimator, profile, TieRule.SMALLEST, Sizing.Waits.OVERLAP), sink);
    }

    /** Cancels jobs that started before any of their tasks was ready. */
    private static AsaPlan cancelEarly(View view, AsaPlan before, List<Order> cancellations) {
        AsaPlan plan = before;
        for (PilotJob p : view.jobs()) {
            if (p.isRunning() && !JobChain.canWork(view, p)) {
                cancellations.add(new Order.Cancel(p.token()));
                plan = plan.tooEarly(p.claim().firstLevel(), p.startedAt() - p.submittedAt());
            }
        }
        return plan;
    }

    /** Finds the first stage without a job and submits it if it is due. */
    private Decision next(View view, AsaPlan plan, Sizing sizing, DecisionSink sink) {
        if (SequentialJobs.isAnyCut(view)) {
            return SequentialJobs.meanwhile(view, plan);
        }
        int level = view.firstUnfinishedLevel();
        boolean ongoing = false;
        long end = Long.MIN_VALUE;
        PilotJob before = null;
        for (PilotJob p = claiming(view, level); p != null; p = claiming(view, level)) {
            before = p;
            ongoing |= p.isRunning();
            end = Math.max(view.now(), start(p, plan, end) + run(p));
            level = unfinished(view, p.claim().lastLevel() + 1);
        }
        boolean waiting = before != null && !ongoing && !fromQueue;
        if (level >= view.workflow().levels() || waiting || view.pilotJobs() >= view.cap()) {
            return Decision.nothing(plan);
        }
        LevelJob stage = stage(view, plan, sizing, level);
        AsaPlan known = drawn(plan, stage, sizing);
        long due = due(view, plan, level, before, end, stage.queueWait());
        if (fromQueue && before != null) {
            long start = Math.max(end, view.now() + stage.queueWait());
            long ended = start + stage.run();
            for (int later = stage.lastLevel() + 1; later < view.workflow().levels() && due > view.now(); ) {
                LevelJob next = stage(view, known, sizing, later);
                known = drawn(known, next, sizing);
                due = Math.min(due, ended - next.queueWait());
                ended = Math.max(ended, view.now() + next.queueWait()) + next.run();
                later = next.lastLevel() + 1;
            }
        }
        if (due > view.now()) {
            return new Decision(List.of(), due, known);
        }
        return submit(known, stage, sizing, before, end, sink);
    }

    private Decision submit(
            AsaPlan plan, LevelJob stage, Sizing sizing, @Nullable PilotJob before, long end, DecisionSink sink) {
        View view = sizing.view;
        long ahead = before == null ? 0 : end - view.now();
        long wait = stage.queueWait();
        LevelJob job =
                new LevelJob(stage.firstLevel(), stage.lastLevel(), stage.nodes(), stage.run(), hold ? ahead : 0, wait);
        note(sink, job, ahead);
        Request request = Request.of(stage.nodes(), profile.request(job.runWithLeeway(), view.walltime(stage.nodes())));
        Claim claim = Claim.levels(stage.firstLevel(), stage.lastLevel());
        Order submit = new Order.Submit(
                before == null || naive ? request : request.after(before.token()),
                sizing.fits(stage) ? claim : claim.onlyWhatFits());
        AsaPlan submitted =
                plan.submitted(stage.firstLevel(), Expected.of(end, Math.max(end, view.now() + wait), wait));
        // Decide again at once: the next stage may be due, too.
        return new Decision(List.of(submit), view.now(), submitted);
    }

    /** The stage that begins at a level, with its expected queue wait. */
    private LevelJob stage(View view, AsaPlan plan, Sizing sizing, int level) {
        int last = stages.last(view, level);
        int nodes = stages.nodes(view, level);
        long run = sizing.run(nodes, level, last);
        while (last > level && run > sizing.longestRun(level, last, nodes)) {
            last--;
            run = sizing.run(nodes, level, last);
        }
        Long drawn = plan.drawn().get(level);
        long wait = drawn != null
                ? drawn
                : waits.millis(sizing.queue, nodes, Math.min(run, sizing.longestRun(level, last, nodes)), level);
        return new LevelJob(level, last, nodes, run, 0, wait);
    }

    /** Keeps the sampled wait of a stage. */
    private AsaPlan drawn(AsaPlan plan, LevelJob stage, Sizing sizing) {
        return waits.isDrawn(sizing.queue) ? plan.withDrawn(stage.firstLevel(), stage.queueWait()) : plan;
    }

    /** When to submit a stage: its wait before the expected end of the previous one. */
    private static long due(View view, AsaPlan plan, int level, @Nullable PilotJob before, long end, long wait) {
        if (before == null) {
            return view.now();
        }
        Long missed = plan.misses().get(level);
        if (missed == null) {
            return end - wait;
        }
        return end - missed > view.now() ? end - missed : Decision.NEVER;
    }

    /** The expected instant at which a job can run tasks: it has started, and the previous one has ended. */
    private static long start(PilotJob p, AsaPlan plan, long endBefore) {
        Expected expected = plan.stages().getOrDefault(p.claim().firstLevel(), Expected.NOTHING);
        long begin = p.isRunning() ? Math.max(p.startedAt(), expected.needed()) : expected.start();
        return Math.max(endBefore, begin);
    }

    private long run(PilotJob p) {
        // A job of another strategy need not be able to run all that it claims.
        if (p.claim().isOpenEnded()
                || p.request().units()
                        < times.range(p.claim().firstLevel(), p.claim().lastLevel())
                                .minNodes()) {
            return p.request().walltime();
        }
        return times.millis(
                p.claim().firstLevel(), p.claim().lastLevel(), p.request().units());
    }

    /** The first unfinished level from this one on: jobs that start early may overtake earlier levels. */
    private static int unfinished(View view, int from) {
        int level = from;
        while (level < view.workflow().levels() && view.unfinished(level) == 0) {
            level++;
        }
        return level;
    }

    /** The job in the batch system that claims a level; null if there is none. */
    private static @Nullable PilotJob claiming(View view, int level) {
        return view.jobs().stream()
                .filter(p -> (p.isQueued() || p.isRunning()) && p.claim().hasLevel(level))
                .findFirst()
                .orElse(null);
    }

    private void note(DecisionSink sink, LevelJob stage, long untilNeeded) {
        if (sink.isRecording()) {
            sink.option(stage.label(), stage.nodes(), profile.request(stage.runWithLeeway()), stage.queueWait(), -1);
            sink.chosen(stage.label() + ": needed in " + untilNeeded / 1000 + " s");
        }
    }
}
