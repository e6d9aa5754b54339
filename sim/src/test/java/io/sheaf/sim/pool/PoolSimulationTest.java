package io.sheaf.sim.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.planner.DagPlanner;
import io.sheaf.planner.Elements;
import io.sheaf.planner.Executor.Transfer;
import io.sheaf.planner.Policies;
import io.sheaf.planner.RankedDag;
import io.sheaf.random.RandomStream;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests many workflows on few elements: invariants of every run, and that policies choose as the paper's pseudo-code.
 */
class PoolSimulationTest {
    private record Binding(DagPlanner of, int task, int element, long start, long end) {}

    /** A case that depends only on its number. */
    private record Case(List<Arrival> arrivals, PoolSimulation.PoolSetup setting) {}

    private static Case draw(int number, boolean fractions) {
        RandomStream random = new RandomStream(number).split("case");
        List<Double> speeds = new ArrayList<>();
        int elements = random.between(1, 6);
        boolean equal = random.chance(0.5);
        for (int i = 0; i < elements; i++) {
            speeds.add(equal ? 1 : random.between(1, 4) / 2.0);
        }
        double slowness = Elements.slowness(
                speeds.stream().mapToDouble(Double::doubleValue).toArray());
        List<Arrival> arrivals = new ArrayList<>();
        int workflows = random.between(1, 8);
        long[] at = Intervals.EXPONENTIAL.arrivals(workflows, random.nextInt(400), random);
        for (int i = 0; i < workflows; i++) {
            int share = fractions ? random.between(1, 10) * 100 : RankedDag.WHOLE;
            Recipe recipe = new Recipe(
                    random.between(6, 40),
                    0,
                    number * 100L + i,
                    Map.of("class", Integer.toString(random.between(1, 80))));
            RankedDag dag = random.chance(0.2)
                    ? RankedDag.job(random.between(0, 90_000), slowness, share)
                    : RankedDag.of(Families.named("random").generate(recipe), 1e6, slowness, share);
            arrivals.add(new Arrival(dag, at[i], random.nextInt(3)));
        }
        Transfer transfer = random.chance(0.5) ? Transfer.AT_END : Transfer.AT_BINDING;
        return new Case(arrivals, new PoolSimulation.PoolSetup(speeds, transfer, List.of(1.0, 2.0)));
    }

    private static List<Binding> run(Case each, String policy) {
        List<Binding> bound = new ArrayList<>();
        PoolSimulation.run(
                each.arrivals(),
                each.setting(),
                Policies.named(policy, 5),
                (of, task, element, start, end) -> bound.add(new Binding(of, task, element, start, end)));
        return bound;
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank-hybd", "rank-hf", "fifo", "random", "smallest-remaining", "fair-share"})
    void everyPolicyRespectsDataArrivalsAndElementCapacity(String policy) {
        for (int number = 0; number < 24; number++) {
            Case each = draw(number, number % 2 == 0);
            List<Binding> bound = run(each, policy);
            int jobs = each.arrivals().stream()
                    .mapToInt(arrival -> arrival.dag().size())
                    .sum();
            assertThat(bound).hasSize(jobs);
            assertThat(bound.stream()
                            .map(b -> b.of().arrival() + "." + b.task())
                            .distinct())
                    .hasSize(jobs);
            for (Binding binding : bound) {
                assertThat(binding.start())
                        .isGreaterThanOrEqualTo(each.arrivals()
                                .get((int) binding.of().arrival())
                                .at())
                        .isGreaterThanOrEqualTo(dataArrival(binding));
                assertThat(overlapping(bound, binding)).isLessThanOrEqualTo(RankedDag.WHOLE);
            }
        }
    }

    private static long dataArrival(Binding binding) {
        RankedDag dag = binding.of().dag();
        long arrival = 0;
        for (int p = dag.firstParent(binding.task()); p < dag.firstParent(binding.task() + 1); p++) {
            int parent = dag.parent(p);
            boolean local = binding.of().element(parent) == binding.element();
            arrival = Math.max(arrival, binding.of().end(parent) + (local ? 0 : dag.cost(p)));
        }
        return arrival;
    }

    /** The load of an element at the start of a job, including the job, in thousandths. */
    private static int overlapping(List<Binding> bound, Binding binding) {
        return bound.stream()
                .filter(other -> other.element() == binding.element()
                        && (other.equals(binding)
                                || (other.start() <= binding.start() && other.end() > binding.start())))
                .filter(other ->
                        other.equals(binding) || (other.end() > other.start() && binding.end() > binding.start()))
                .mapToInt(other -> other.of().dag().share())
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank-hybd", "rank-hf", "fifo", "smallest-remaining"})
    void policiesChooseAsThePseudoCode(String policy) {
        for (int number = 0; number < 24; number++) {
            Case each = draw(number, false);
            List<String> bound = run(each, policy).stream()
                    .map(b -> b.of().arrival() + "." + b.task() + " " + b.element() + " " + b.start() + " " + b.end())
                    .toList();
            boolean atEnd = each.setting().transfer() == Transfer.AT_END;
            assertThat(bound)
                    .as("case " + number)
                    .isEqualTo(new PlainPool(each.arrivals(), each.setting().speeds(), policy, atEnd).run());
        }
    }

    @Test
    void jobsShareFractionsOfAnElement() {
        RankedDag half = RankedDag.job(10_000, 1, 500);
        List<Arrival> four = List.of(
                new Arrival(half, 0, 0), new Arrival(half, 0, 0), new Arrival(half, 0, 0), new Arrival(half, 0, 0));
        PoolRun run = PoolSimulation.run(four, PublishedExampleTest.equal(1), Policies.named("fifo", 0));
        assertThat(run.span()).isEqualTo(20_000);
        assertThat(run.utilization()).isEqualTo(1);
    }

    /**
     * Jobs of 600 and 600 do not fit together. A later one of 300 does not overtake: such jobs could delay the large
     * one forever.
     */
    @Test
    void noJobOvertakesAnEarlierOne() {
        List<Arrival> arrivals = List.of(
                new Arrival(RankedDag.job(10_000, 1, 600), 0, 0),
                new Arrival(RankedDag.job(10_000, 1, 600), 0, 0),
                new Arrival(RankedDag.job(10_000, 1, 300), 0, 0));
        PoolRun run = PoolSimulation.run(arrivals, PublishedExampleTest.equal(1), Policies.named("fifo", 0));
        assertThat(List.of(run.ended()[0], run.ended()[1], run.ended()[2])).containsExactly(10_000L, 20_000L, 20_000L);
    }

    @Test
    void anOwnerOfTwiceTheWeightGetsTwoThirds() {
        RankedDag bag = RankedDag.of(
                Families.named("bag").generate(new Recipe(60, 0, 0, Map.of("time", "10s"))), 1e6, 1, RankedDag.WHOLE);
        PoolSimulation.PoolSetup setting =
                new PoolSimulation.PoolSetup(List.of(1.0, 1.0, 1.0), Transfer.AT_END, List.of(2.0, 1.0));
        PoolRun run = PoolSimulation.run(
                List.of(new Arrival(bag, 0, 0), new Arrival(bag, 0, 1)), setting, Policies.named("fair-share", 0));
        // 60 jobs, two at a time, 10 s each. By then the other owner has completed 30, and uses three elements for the
        // rest.
        assertThat(run.ended()[0]).isEqualTo(300_000);
        assertThat(run.ended()[1]).isEqualTo(400_000);
    }

    @Test
    void poissonNumbersHaveEqualMeanAndVariance() {
        RandomStream random = new RandomStream(3);
        double sum = 0;
        double squares = 0;
        int draws = 2_000;
        for (int i = 0; i < draws; i++) {
            double each = Intervals.poisson(1200, random);
            sum += each;
            squares += each * each;
        }
        double mean = sum / draws;
        assertThat(mean).isBetween(1196.0, 1204.0);
        assertThat(squares / draws - mean * mean).isBetween(1050.0, 1350.0);
        assertThat(Intervals.POISSON.arrivals(4, 0, random)).containsOnly(0L);
    }
}
