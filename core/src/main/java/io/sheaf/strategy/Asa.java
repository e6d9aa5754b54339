package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * ASA (Souza, Ghoshal, Ramakrishnan, Pelckmans and Tordsson, "ASA – The adaptive scheduling algorithm", 3.2 and 4.5): each
 * {@linkplain Stages stage} is a job of just the nodes that it needs, submitted ahead of time by the wait that is expected of it.
 *
 * <h2>Decision</h2>
 * While a stage runs, stage y is submitted at t − a: t is when stage y − 1 is expected to end, a how long y is expected to wait. If the waits
 * are long, several stages are queued (Fig. 4 of the paper). A stage is expected to start when it was said to when it was submitted, but not
 * before the stage before it ends. Where all before it is done, it is submitted at once.
 *
 * <p><b>ASA</b> makes each job depend on the one of the stage before, so it cannot start too early. <b>ASA-Naive</b> does without: a job that
 * starts when none of its tasks can run is cancelled and submitted again, or with {@code hold=true} kept idle until they can; it
 * asks for as much more time as it was submitted ahead.
 *
 * <h2>What the paper leaves open</h2>
 * <ul>
 *   <li>When a cancelled job is submitted again: ahead by the wait that it has just had, and if it is too late for that, when all
 *       before it is done. At once, as the paper may mean it, could go on for ever on a cluster with free nodes.
 *   <li>What becomes of an expired job: what is queued is withdrawn, and the rest of the stage submitted again.
 * </ul>
 *
 * <p>How waits are learnt is not decided here: {@link StageWaits}.
 */
final class Asa implements Strategy {
    /** When a stage that was submitted is expected to be needed, the one before being over, and to start. */
    private record Expected(long needed, long start) {
        static final Expected NOTHING = new Expected(Long.MIN_VALUE, Long.MIN_VALUE);
    }

    /**
     * What to remember, by the first level of a stage.
     *
     * @param stages what is expected of those that were submitted
     * @param misses how long a stage that started too early had waited
     */
    private record Plan(int expiries, Map<Integer, Expected> stages, Map<Integer, Long> misses) implements Memo {
        static final Plan NEW = new Plan(0, Map.of(), Map.of());

        Plan submitted(int level, Expected expected) {
            return new Plan(expiries, with(stages, level, expected), misses);
        }

        Plan tooEarly(int level, long waited) {
            return new Plan(expiries, stages, with(misses, level, waited));
        }

        private static <T> Map<Integer, T> with(Map<Integer, T> map, int level, T value) {
            Map<Integer, T> changed = new TreeMap<>(map);
            changed.put(level, value);
            return Collections.unmodifiableMap(changed);
        }

        /** {@code expiries|level:needed:start …|level:waited …}. */
        @Override
        public String text() {
            StringJoiner submitted = new StringJoiner(" ");
            stages.forEach((level, e) -> submitted.add(level + ":" + e.needed + ":" + e.start));
            StringJoiner missed = new StringJoiner(" ");
            misses.forEach((level, waited) -> missed.add(level + ":" + waited));
            return expiries + "|" + submitted + "|" + missed;
        }

        static Plan read(String text) {
            String[] parts = text.split("\\|", -1);
            Map<Integer, Expected> stages = new TreeMap<>();
            for (String[] f : fields(parts[1])) {
                stages.put(Integer.valueOf(f[0]), new Expected(Long.parseLong(f[1]), Long.parseLong(f[2])));
            }
            Map<Integer, Long> misses = new TreeMap<>();
            for (String[] f : fields(parts[2])) {
                misses.put(Integer.valueOf(f[0]), Long.valueOf(f[1]));
            }
            return new Plan(Integer.parseInt(parts[0]), stages, misses);
        }

        private static List<String[]> fields(String part) {
            return part.isEmpty()
                    ? List.of()
                    : Arrays.stream(part.split(" ")).map(one -> one.split(":")).toList();
        }
    }

    private final RunTimes times;
    private final Profile profile;
    private final Stages stages;
    private final StageWaits waits;
    private final String name;
    private final boolean naive;
    private final boolean hold;

    private Asa(
            String name, RunTimes times, Profile profile, int cores, StageWaits waits, boolean naive, boolean hold) {
        this.times = times;
        this.profile = profile;
        stages = new Stages(times, cores);
        this.waits = waits;
        this.name = name;
        this.naive = naive;
        this.hold = hold;
    }

    static Asa withDependencies(String name, RunTimes times, Profile profile, int cores, StageWaits waits) {
        return new Asa(name, times, profile, cores, waits, false, false);
    }

    static Asa naive(String name, RunTimes times, Profile profile, int cores, StageWaits waits, boolean hold) {
        return new Asa(name, times, profile, cores, waits, true, hold);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Memo memo(String text) {
        return text.isEmpty() ? Memo.NONE : Plan.read(text);
    }

    @Override
    public Decision decide(View view, Memo memo, Estimator estimator, Considered considered) {
        Plan plan = memo instanceof Plan p ? p : Plan.NEW;
        List<Order> withdrawals = new ArrayList<>();
        if (view.expiries() > plan.expiries) {
            plan = new Plan(view.expiries(), Map.of(), plan.misses);
            withdrawals = Succession.withdrawals(view);
        } else if (naive && !hold) {
            plan = withdrawEarly(view, plan, withdrawals);
        }
        if (!withdrawals.isEmpty()) {
            considered.chosen("withdraw what cannot do anything now");
            return new Decision(withdrawals, Decision.NEVER, plan);
        }
        return next(view, plan, new Sizing(times, view, estimator, profile, TieRule.SMALLEST), considered);
    }

    /** Withdraws what started before anything that it could run was ready. */
    private static Plan withdrawEarly(View view, Plan before, List<Order> withdrawals) {
        Plan plan = before;
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
            if (p.isRunning() && !Succession.canWork(view, p)) {
                withdrawals.add(new Order.Withdraw(p.token()));
                plan = plan.tooEarly(p.claim().firstLevel(), p.startedAt() - p.submittedAt());
            }
        }
        return plan;
    }

    /** Looks for the first stage that has no job, and submits it if its time has come. */
    private Decision next(View view, Plan plan, Sizing sizing, Considered considered) {
        int level = view.firstUnfinishedLevel();
        boolean ongoing = false;
        long end = Long.MIN_VALUE;
        Placeholder before = null;
        for (Placeholder p = claiming(view, level); p != null; p = claiming(view, level)) {
            before = p;
            ongoing |= p.isRunning();
            end = Math.max(view.now(), start(p, plan, end) + run(p));
            level = unfinished(view, p.claim().lastLevel() + 1);
        }
        boolean waiting = before != null && !ongoing;
        if (level >= view.workflow().levels() || waiting || view.placeholders() >= view.cap()) {
            return Decision.nothing(plan);
        }
        int last = stages.last(view, level);
        int nodes = stages.nodes(view, level);
        long run = sizing.run(nodes, level, last);
        long wait = waits.millis(sizing.queue(), nodes, run);
        long due = due(view, plan, level, before, end, wait);
        if (due > view.now()) {
            return new Decision(List.of(), due, plan);
        }
        long ahead = before == null ? 0 : end - view.now();
        LevelJob stage = new LevelJob(level, last, nodes, run, hold ? ahead : 0, wait);
        note(considered, stage, ahead);
        Request request = Request.of(nodes, profile.request(stage.asked()));
        Order submit = new Order.Submit(
                before == null || naive ? request : request.after(before.token()), Claim.levels(level, last));
        Plan submitted = plan.submitted(level, new Expected(end, Math.max(end, view.now() + wait)));
        // Asked again at once: the stage behind this one may be due, too.
        return new Decision(List.of(submit), view.now(), submitted);
    }

    /** When to submit a stage: ahead of the end of the one before by its wait. */
    private static long due(View view, Plan plan, int level, @Nullable Placeholder before, long end, long wait) {
        if (before == null) {
            return view.now();
        }
        Long missed = plan.misses.get(level);
        if (missed == null) {
            return end - wait;
        }
        return end - missed > view.now() ? end - missed : Decision.NEVER;
    }

    /** When a job can begin to work, as far as is known: it has started, and the one before it is over. */
    private static long start(Placeholder p, Plan plan, long endBefore) {
        Expected expected = plan.stages.getOrDefault(p.claim().firstLevel(), Expected.NOTHING);
        long begin = p.isRunning() ? Math.max(p.startedAt(), expected.needed) : expected.start;
        return Math.max(endBefore, begin);
    }

    private long run(Placeholder p) {
        return times.millis(
                p.claim().firstLevel(), p.claim().lastLevel(), p.request().units());
    }

    /** The first level from one on that is not done: what starts early may get ahead of what is before it. */
    private static int unfinished(View view, int from) {
        int level = from;
        while (level < view.workflow().levels() && view.unfinished(level) == 0) {
            level++;
        }
        return level;
    }

    /** The job in the system that is to run a level; null if there is none. */
    private static @Nullable Placeholder claiming(View view, int level) {
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
            boolean live = p.isQueued() || p.isRunning();
            if (live && p.claim().firstLevel() <= level && level <= p.claim().lastLevel()) {
                return p;
            }
        }
        return null;
    }

    private void note(Considered considered, LevelJob stage, long untilNeeded) {
        if (considered.isWanted()) {
            considered.option(stage.what(), stage.nodes(), profile.request(stage.asked()), stage.queueWait(), -1);
            considered.chosen(stage.what() + ": needed in " + untilNeeded / 1000 + " s");
        }
    }
}
