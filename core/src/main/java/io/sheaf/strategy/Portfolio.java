package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Memo;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import java.util.ArrayList;
import java.util.List;

/**
 * A portfolio of strategies on a batch queue: simulates all of them from the present state of the run in several futures, and continues with the best.
 *
 * <h2>Idea</h2>
 * Casanova, Wong, Pottier and Ferreira da Silva, "On the Feasibility of Simulation-driven Portfolio Scheduling for Cyberinfrastructure Runtime
 * Systems" (JSSPP 2022), choose the algorithm while running, by simulating all of them. They have clusters without a queue, and know what will happen except for an error. Here
 * background jobs arrive and end at unknown times. So each strategy is simulated in several futures, the same for all ({@link Lookahead}), by the manager that also runs it for real.
 *
 * <h2>Decision</h2>
 * One strategy is in force, at first {@link Auto}. It decides; its orders and its memo are passed on. When the run begins, every hour, and some minutes after a pilot job
 * has started or ended, there is a {@link Contest}. Until that ends, which may take some decisions, the strategy in force continues. Another strategy comes into force if its mean end is
 * earlier by more than a margin and by more than the standard error of the difference.
 *
 * <h2>The cost of switching</h2>
 * When another strategy comes into force, queued jobs are cancelled and lose their place in the queue; its simulation includes that. Auto takes over queued jobs and cancels those that
 * it does not need. Running jobs go on in any case.
 *
 * <p>Where the run cannot be simulated, Auto stays in force.
 *
 * @param simulated the simulated strategies, in the order of the others; some are cheaper variants
 */
record Portfolio(String name, List<Strategy> strategies, List<Strategy> simulated, Options options)
        implements Strategy {
    private static final long MINUTE = 60_000;

    /** All distinct strategies; the first one is in force initially. */
    static final List<String> ALL = List.of(
            "auto",
            "onejob",
            "onejobpertask",
            "levelbylevel",
            "giant",
            "zhang",
            "hybrid",
            "glume",
            "perstage",
            "asa",
            "asa-naive");

    /** The minimum time between contests. */
    private static final long MIN_GAP = 10 * MINUTE;

    /**
     * The options.
     *
     * @param terms the limits of the simulations
     * @param every the maximum time between contests, in milliseconds
     */
    record Options(Contest.Terms terms, long every) {
        static final Options DEFAULT = new Options(new Contest.Terms(4, 40, 0.001, 0), 60 * MINUTE);
    }

    /**
     * The strategy in force and the last contest.
     *
     * @param name the strategy's name
     * @param at when the last contest was held
     * @param planned a hash of the running pilot jobs at that time
     * @param inner the strategy's memo
     */
    private record InForce(String name, long at, long planned, Memo inner) implements Memo {
        private static final int WORDS = 4;

        @Override
        public String text() {
            return name + " " + at + " " + planned + " " + inner.text();
        }
    }

    Portfolio {
        strategies = List.copyOf(strategies);
        simulated = List.copyOf(simulated);
    }

    @Override
    public boolean usesLearntStarts() {
        return strategies.stream().anyMatch(Strategy::usesLearntStarts);
    }

    @Override
    public Memo memo(String text) {
        if (text.isEmpty()) {
            return Memo.NONE;
        }
        String[] f = text.split(" ", InForce.WORDS);
        return new InForce(
                f[0], Long.parseLong(f[1]), Long.parseLong(f[2]), strategy(f[0]).memo(f[3]));
    }

    private Strategy strategy(String strategyName) {
        return strategies.stream()
                .filter(each -> each.name().equals(strategyName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("strategy " + strategyName + " is not one of " + name));
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        InForce before = memo instanceof InForce known
                ? known
                : new InForce(strategies.get(0).name(), Long.MIN_VALUE / 2, 0, Memo.NONE);
        Lookahead lookahead = view.lookahead();
        if (lookahead == null || !isDue(view, before)) {
            long nextContest = lookahead == null ? Decision.NEVER : before.at + options.every;
            return proceed(before, nextContest, view, estimator, sink);
        }
        Contest.Outcome outcome =
                lookahead.find(fork -> new Contest(fork, view.now(), contenders(view, before), options.terms));
        if (outcome == null) {
            return meanwhile(before, lookahead.pause(), view, estimator, sink);
        }
        Contender winner = outcome.winner();
        outcome.note(view, estimator, sink);
        boolean unchanged = winner.name().equals(before.name);
        // The contest may have run concurrently: the memo of the strategy in force is the newer one.
        InForce next =
                new InForce(winner.name(), view.now(), hashOfRunning(view), unchanged ? before.inner : winner.memo());
        if (!unchanged && !(strategy(next.name) instanceof Auto) && view.hasJob(PilotJob::isQueued)) {
            return new Decision(Contender.cancellations(view), view.now() + MINUTE, next);
        }
        return proceed(next, view.now() + options.every, view, estimator, DecisionSink.NOTHING);
    }

    private boolean isDue(View view, InForce before) {
        long since = view.now() - before.at;
        return since >= options.every || (since >= MIN_GAP && hashOfRunning(view) != before.planned);
    }

    /** The strategy in force decides, and again at an instant at the latest. */
    private Decision proceed(InForce now, long latest, View view, StartEstimator estimator, DecisionSink sink) {
        Decision inner = strategy(now.name).decide(view, now.inner, estimator, sink);
        InForce after = new InForce(now.name, now.at, now.planned, inner.memo());
        return new Decision(inner.orders(), Math.min(inner.wakeAt(), latest), after, inner.observations());
    }

    /** Decides while a contest runs. At the beginning of a run it waits for the result, because no job exists yet. */
    private Decision meanwhile(InForce now, long pause, View view, StartEstimator estimator, DecisionSink sink) {
        long next = view.now() + pause;
        return now.inner.equals(Memo.NONE) && view.pilotJobs() == 0
                ? new Decision(List.of(), next, now)
                : proceed(now, next, view, estimator, sink);
    }

    /** The strategies to compare, the one in force first. */
    private List<Contender> contenders(View view, InForce before) {
        boolean queued = view.hasJob(PilotJob::isQueued);
        List<Contender> all = new ArrayList<>();
        for (int i = 0; i < strategies.size(); i++) {
            boolean inForce = strategies.get(i).name().equals(before.name);
            boolean restart = queued && !inForce && !(strategies.get(i) instanceof Auto);
            Strategy strategy = simulated.get(i) instanceof Auto auto && auto.isHasty()
                    ? auto.forked(view.now())
                    : simulated.get(i);
            Contender each =
                    new Contender(strategies.get(i).name(), strategy, inForce ? before.inner : Memo.NONE, restart);
            all.add(inForce ? 0 : all.size(), each);
        }
        return all;
    }

    /** A hash of the running pilot jobs. */
    private static long hashOfRunning(View view) {
        long sum = 0;
        for (PilotJob p : view.jobs()) {
            sum = p.isRunning() ? sum * 31 + p.token() : sum;
        }
        return sum & Long.MAX_VALUE;
    }
}
