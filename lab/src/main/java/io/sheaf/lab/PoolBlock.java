package io.sheaf.lab;

import io.sheaf.planner.Elements;
import io.sheaf.planner.Policies;
import io.sheaf.planner.RankedDag;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.campaign.Workers;
import io.sheaf.sim.pool.Arrival;
import io.sheaf.sim.pool.PoolRun;
import io.sheaf.sim.pool.PoolSimulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Classes of random graphs, each in every setting, under every policy. */
final class PoolBlock implements Block {
    private final List<Integer> classes;
    private final List<PoolSetting> settings;
    private final List<String> policies;
    private final List<Double> speeds;
    private final List<Double> weights;
    /** Graphs, and how long each of them takes alone: made when they are needed for the first time. */
    private final Map<List<Object>, RankedDag[]> dags = new ConcurrentHashMap<>();

    private final Map<List<Object>, long[]> alone = new ConcurrentHashMap<>();

    PoolBlock(
            List<Integer> classes,
            List<PoolSetting> settings,
            List<String> policies,
            List<Double> speeds,
            List<Double> weights) {
        this.classes = classes;
        this.settings = settings;
        this.policies = policies;
        this.speeds = speeds;
        this.weights = weights;
    }

    @Override
    public List<String> names() {
        return classes.stream().map(PoolTable::name).toList();
    }

    @Override
    public int repeats() {
        return settings.size();
    }

    @Override
    public long seed() {
        return 0;
    }

    @Override
    public String identity() {
        return classes + settings.toString() + speeds + weights;
    }

    @Override
    public void run(int threads, int[] items, Sink sink) {
        Workers.run(
                threads,
                items.length,
                () -> number -> {
                    int item = items[number];
                    int graphs = classes.get(item / settings.size());
                    sink.ran(item, rows(graphs, settings.get(item % settings.size())));
                },
                () -> {});
    }

    private List<String> rows(int number, PoolSetting setting) {
        PoolSimulation.Setting simulated = setting.simulated(speeds, weights);
        RankedDag[] graphs = dags(number, setting);
        long[] aloneMillis = alone(number, setting, simulated);
        List<Arrival> arrivals = arrivals(number, setting, graphs);
        PoolTable table = new PoolTable(setting, graphs, aloneMillis, simulated.speeds());
        List<String> rows = new ArrayList<>();
        for (String policy : policies) {
            String outcome;
            try {
                PoolRun run = PoolSimulation.run(arrivals, simulated, Policies.named(policy, setting.seed()));
                outcome = table.outcome(run);
            } catch (RuntimeException e) {
                // The others go on.
                outcome = PoolTable.broken(String.valueOf(e));
            }
            rows.add(PoolTable.parameters(number, setting, policy) + "," + outcome);
        }
        return rows;
    }

    private double slowness(PoolSetting setting) {
        return Elements.slowness(setting.simulated(speeds, weights).speeds().stream()
                .mapToDouble(Double::doubleValue)
                .toArray());
    }

    private RankedDag[] dags(int number, PoolSetting setting) {
        double slowness = slowness(setting);
        return dags.computeIfAbsent(
                List.of(number, setting.seed(), slowness, setting.share()),
                key -> PoolDags.of(number, setting.seed(), slowness, setting.share()));
    }

    /** The turnaround of each graph that has all elements for itself, in the order of HEFT. */
    private long[] alone(int number, PoolSetting setting, PoolSimulation.Setting simulated) {
        return alone.computeIfAbsent(
                List.of(number, setting.seed(), setting.elements(), setting.share(), setting.transfer()), key -> {
                    RankedDag[] graphs = dags(number, setting);
                    long[] millis = new long[graphs.length];
                    for (int i = 0; i < graphs.length; i++) {
                        millis[i] = PoolSimulation.run(
                                        List.of(new Arrival(graphs[i], 0, 0)), simulated, Policies.named("rank-hf", 0))
                                .turnaround(0);
                    }
                    return millis;
                });
    }

    /** The same instants for any number of elements and graphs and for all policies; jobs by themselves spread evenly until the next graph. */
    private List<Arrival> arrivals(int number, PoolSetting setting, RankedDag[] graphs) {
        RandomStream random =
                new RandomStream(setting.seed()).split("arrivals").split(number).split(setting.interval());
        long[] at = setting.intervals().arrivals(PoolDags.PER_CLASS + 1, setting.interval(), random);
        RandomStream jobs = new RandomStream(setting.seed()).split("jobs").split(number);
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < setting.dags(); i++) {
            int owner = setting.owners() == 0 ? i : i % setting.owners();
            arrivals.add(new Arrival(graphs[i], at[i], owner));
            for (int j = 1; j <= setting.independentJobs(); j++) {
                long behind = (at[i + 1] - at[i]) * j / (setting.independentJobs() + 1);
                long millis = graphs[i].millis(jobs.nextInt(graphs[i].size()));
                RankedDag job = RankedDag.job(millis, slowness(setting), setting.share());
                arrivals.add(new Arrival(job, at[i] + behind, owner));
            }
        }
        return arrivals;
    }
}
