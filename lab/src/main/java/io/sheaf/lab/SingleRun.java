package io.sheaf.lab;

import io.sheaf.manager.Strategy;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * One run of an experiment, run again with everything recorded.
 *
 * @param number in the table
 * @param name the workflow and the strategy
 * @param where the other parameters by name, in the order of the table
 * @param makespanSeconds as in the table
 */
public record SingleRun(long number, RunRecord record, String name, String where, String makespanSeconds) {
    /**
     * Where a run is.
     *
     * @param start the number of its start in the block
     */
    private record Place(long number, int subject, int start, String strategy) {}

    /** The run with this number in the table. */
    public static SingleRun of(Plan plan, long number) {
        return all(plan, List.of(number)).get(0);
    }

    /** The runs with these numbers, in the order of the table; a background that several have in common is played once. */
    public static List<SingleRun> all(Plan plan, Collection<Long> numbers) {
        Map<QueueBlock, List<Place>> byBlock = new LinkedHashMap<>();
        for (long number : new TreeSet<>(numbers)) {
            find(plan, number, byBlock);
        }
        List<SingleRun> runs = new ArrayList<>();
        byBlock.forEach((block, places) -> {
            int[] starts =
                    places.stream().mapToInt(Place::start).sorted().distinct().toArray();
            long[] instants = new long[starts.length];
            for (int i = 0; i < starts.length; i++) {
                instants[i] = block.starts()[starts[i]];
            }
            Checkpoints background = new Checkpoints(
                    block.jobs(),
                    block.cluster().policy(),
                    block.cluster().nodes(),
                    instants,
                    instants[instants.length - 1]);
            for (Place place : places) {
                int at = Arrays.binarySearch(starts, place.start());
                runs.add(run(block, place, background.fork(at)));
            }
        });
        return runs;
    }

    private static void find(Plan plan, long number, Map<QueueBlock, List<Place>> byBlock) {
        int strategies = plan.strategies().size();
        long item = (number - 1) / strategies;
        for (int b = 0; b < plan.blocks().size(); b++) {
            long at = item - plan.first(b);
            if (number >= 1 && at >= 0 && at < plan.blocks().get(b).items()) {
                if (!(plan.blocks().get(b) instanceof QueueBlock block)) {
                    throw new InputException("run " + number
                            + " is in no queue of this experiment, and has no page; one on a platform is"
                            + " shown by 'sheaf simulate WORKFLOW --platform P --algorithm A --html PAGE'");
                }
                byBlock.computeIfAbsent(block, any -> new ArrayList<>())
                        .add(new Place(
                                number,
                                (int) at / block.repeats(),
                                (int) at % block.repeats(),
                                plan.strategies().get((int) ((number - 1) % strategies))));
                return;
            }
        }
        throw new InputException("there is no run " + number + "; this experiment has runs 1 to "
                + (long) plan.first(plan.blocks().size()) * strategies);
    }

    private static SingleRun run(QueueBlock block, Place place, SimulatedQueue queue) {
        Subject subject = block.subjects().get(place.subject());
        SimulationSetup setup = block.setup().recorded();
        RunTimes times = new RunTimes(subject.workflow(), setup.profile().planOrder(), setup.coresPerNode());
        Strategy chosen = Strategies.named(place.strategy(), times, setup.profile());
        DecisionLog decisions = new DecisionLog();
        SimulatedRun run = WorkflowSimulation.run(
                queue, block.starts()[place.start()], subject.workflow(), chosen, setup, decisions);
        long makespan = run.completed() ? block.conventions().makespanMillis(run) : run.makespanMillis();
        return new SingleRun(
                place.number(),
                run.record(
                        subject.workflow(),
                        place.strategy(),
                        block.cluster().nodes(),
                        setup.coresPerNode(),
                        decisions.decisions()),
                subject.name() + ", " + place.strategy(),
                new RunTable.Setting(block).words(),
                RunTable.seconds(makespan));
    }
}
