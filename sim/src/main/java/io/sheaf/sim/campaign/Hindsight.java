package io.sheaf.sim.campaign;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.report.JobRecord;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.strategy.LevelRange;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * A reference with the true future known: the plan with the shortest makespan that a local search finds, each plan simulated exactly.
 *
 * <p>A plan is a list of pilot jobs with submission times, nodes and walltimes; their nodes run any task that is ready and fits. The search begins with the jobs
 * of the strategies of the same item and with single jobs for the whole workflow. Then it changes the best plan at random: it adds, removes or moves a job, or changes
 * its nodes or walltime. Of two equal makespans the one with less node time is better. The number of simulations is limited.
 *
 * <p>The result is never worse than the best strategy of the item, whose run is returned if no plan is better. It is not a bound: a better plan may exist.
 */
public final class Hindsight {
    private static final String NAME = "hindsight";

    private static final int EVALUATIONS = 200;

    /** The maximum number of jobs in a plan that is changed. */
    private static final int MAX_JOBS = 12;

    /** The node counts of single jobs grow by this factor. */
    private static final double STEP = 1.5;

    /** Factors of a changed walltime. */
    private static final double[] FACTORS = {0.25, 0.5, 0.8, 0.9, 1.1, 1.25, 2, 4};

    private static final long MINUTE = 60_000;

    /**
     * A job of a plan; times in milliseconds.
     *
     * @param delay from the start of the run to its submission
     */
    private record PlannedJob(long delay, int nodes, long walltime) {}

    private final LevelRange all;
    private final Profile profile;
    private final int nodes;
    private final Function<Strategy, SimulatedRun> simulation;
    private final Function<SimulatedRun, Long> makespan;
    private final RandomStream random;
    private final Strategy fallback;
    private List<PlannedJob> plan = List.of();
    private SimulatedRun best;

    private Hindsight(
            RunTimes times,
            Profile profile,
            int nodes,
            Function<Strategy, SimulatedRun> simulation,
            Function<SimulatedRun, Long> makespan,
            SimulatedRun first) {
        this.profile = profile;
        this.nodes = nodes;
        this.simulation = simulation;
        this.makespan = makespan;
        all = times.range(0, times.workflow().levels() - 1);
        random = new RandomStream(first.start())
                .split(NAME)
                .split(times.workflow().name());
        fallback = Strategies.named("onejob", times, profile);
        best = first;
    }

    /** Whether a strategy's name with parameters means this reference. */
    public static boolean isNamed(String spec) {
        return spec.equals(NAME) || spec.startsWith(NAME + ":");
    }

    /** The maximum number of simulations in {@code hindsight:evaluations=200}. */
    static int evaluations(String spec) {
        if (spec.equals(NAME)) {
            return EVALUATIONS;
        }
        String key = NAME + ":evaluations=";
        try {
            int count = spec.startsWith(key) ? Integer.parseInt(spec.substring(key.length())) : 0;
            if (count > 0) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new InputException("'" + spec + "': write " + key + "N with a number of simulations from 1 on");
    }

    /**
     * Searches the best run of an item.
     *
     * @param nodes of the cluster
     * @param simulation runs a strategy from the start of the item
     * @param makespan of a completed run, in milliseconds
     * @param runs of the strategies, with their pilot jobs; at least one
     */
    static SimulatedRun search(
            RunTimes times,
            Profile profile,
            int nodes,
            Function<Strategy, SimulatedRun> simulation,
            Function<SimulatedRun, Long> makespan,
            List<SimulatedRun> runs,
            int evaluations) {
        Comparator<SimulatedRun> order = Comparator.comparing((SimulatedRun run) -> !run.completed())
                .thenComparing(makespan)
                .thenComparingLong(SimulatedRun::allocatedNodeMillis);
        SimulatedRun first = runs.stream().min(order).orElseThrow();
        Hindsight search = new Hindsight(times, profile, nodes, simulation, makespan, first);
        List<List<PlannedJob>> seeds = search.seeds(runs);
        for (int i = 0; i < evaluations; i++) {
            search.evaluate(i < seeds.size() ? seeds.get(i) : search.changed(), order);
        }
        return search.best;
    }

    private void evaluate(List<PlannedJob> candidate, Comparator<SimulatedRun> order) {
        SimulatedRun run = simulation.apply(new Script(candidate, fallback));
        if (order.compare(run, best) < 0) {
            best = run;
            plan = candidate;
        }
    }

    /** The jobs that started in each run, the best one first, then single jobs for the whole workflow. */
    @SuppressWarnings("ReferenceEquality")
    private List<List<PlannedJob>> seeds(List<SimulatedRun> runs) {
        List<List<PlannedJob>> seeds = new ArrayList<>();
        for (SimulatedRun run : runs) {
            List<PlannedJob> jobs = new ArrayList<>();
            for (JobRecord job : run.pilotJobs()) {
                if (job.hasStarted()) {
                    jobs.add(new PlannedJob(job.submitted() - run.start(), job.nodes(), job.walltime()));
                }
            }
            seeds.add(run == best ? 0 : seeds.size(), List.copyOf(jobs));
        }
        plan = seeds.get(0);
        for (int n = all.minNodes(); n <= maxNodes(); n = Math.max(n + 1, (int) (n * STEP))) {
            seeds.add(List.of(new PlannedJob(0, n, walltime(n))));
        }
        return seeds;
    }

    private int maxNodes() {
        return Math.max(all.minNodes(), Math.min(nodes, all.maxNodes()));
    }

    /** The walltime in which some nodes run the whole workflow. */
    private long walltime(int units) {
        return profile.request(all.millis(units));
    }

    /** The best plan with one or two random changes. */
    private List<PlannedJob> changed() {
        List<PlannedJob> jobs = new ArrayList<>(plan);
        int changes = 1 + random.nextInt(2);
        for (int i = 0; i < changes; i++) {
            change(jobs);
        }
        jobs.sort(Comparator.comparingLong(PlannedJob::delay));
        return List.copyOf(jobs);
    }

    private void change(List<PlannedJob> jobs) {
        int index = jobs.isEmpty() ? 0 : random.nextInt(jobs.size());
        int kind = jobs.isEmpty() ? 0 : random.nextInt(5);
        if (kind == 0 && jobs.size() < MAX_JOBS) {
            jobs.add(added());
        } else if (kind == 1 && jobs.size() > 1) {
            jobs.remove(index);
        } else if (kind == 2) {
            PlannedJob job = jobs.get(index);
            jobs.set(index, new PlannedJob(delay(job.delay), job.nodes, job.walltime));
        } else if (kind == 3) {
            PlannedJob job = jobs.get(index);
            long factored = (long) (job.walltime * FACTORS[random.nextInt(FACTORS.length)]);
            jobs.set(index, new PlannedJob(job.delay, job.nodes, minutes(factored)));
        } else if (!jobs.isEmpty()) {
            PlannedJob job = jobs.get(index);
            jobs.set(index, new PlannedJob(job.delay, units(job.nodes), job.walltime));
        }
    }

    private PlannedJob added() {
        int units =
                (int) Math.round(all.minNodes() * Math.pow((double) maxNodes() / all.minNodes(), random.nextDouble()));
        long part = walltime(units) >> random.nextInt(5);
        return new PlannedJob(random.chance(0.5) ? 0 : delay(0), units, minutes(part));
    }

    /** Any time within the best makespan, or a little earlier or later. */
    private long delay(long before) {
        long within = Math.max(1, makespan.apply(best));
        long drawn =
                random.chance(0.5) ? random.nextLong(within) : before + random.nextLong(within / 5 + 1) - within / 10;
        return Math.max(0, drawn);
    }

    private int units(int before) {
        double factor = random.uniform(0.5, 2);
        int changed = (int) Math.round(before * factor);
        changed = changed == before ? before + (random.chance(0.5) ? 1 : -1) : changed;
        return Math.max(all.minNodes(), Math.min(maxNodes(), changed));
    }

    private static long minutes(long walltime) {
        return Math.max(MINUTE, (walltime + MINUTE - 1) / MINUTE * MINUTE);
    }

    /**
     * Submits the jobs of a plan at their times; if tasks are left without any job, a single job for them.
     *
     * @param jobs in order of submission
     */
    private record Script(List<PlannedJob> jobs, Strategy fallback) implements Strategy {
        /** The state of a script: the start of the run, and how many jobs were submitted. */
        private record ScriptProgress(long start, int submitted) implements Memo {
            @Override
            public String text() {
                return start + " " + submitted;
            }
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            ScriptProgress before = memo instanceof ScriptProgress p ? p : new ScriptProgress(view.now(), 0);
            List<Order> orders = new ArrayList<>();
            int next = before.submitted;
            int room = view.cap() - view.pilotJobs();
            while (next < jobs.size() && orders.size() < room && before.start + jobs.get(next).delay <= view.now()) {
                PlannedJob job = jobs.get(next++);
                orders.add(new Order.Submit(
                        Request.of(job.nodes, job.walltime),
                        Claim.all(view).onlyWhatFits().choosingCores()));
            }
            ScriptProgress after = new ScriptProgress(before.start, next);
            if (!orders.isEmpty() || view.pilotJobs() > 0 || next < jobs.size()) {
                long wakeAt = next == jobs.size() || room == 0 ? Decision.NEVER : before.start + jobs.get(next).delay;
                return new Decision(orders, Math.max(wakeAt, view.now() + 1), after);
            }
            Decision rest = fallback.decide(view, Memo.NONE, estimator, sink);
            return new Decision(rest.orders(), rest.wakeAt(), after);
        }
    }
}
