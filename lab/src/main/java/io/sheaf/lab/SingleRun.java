package io.sheaf.lab;

import io.sheaf.manager.Strategy;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;

/**
 * One run of an experiment, run again with everything recorded.
 *
 * @param name the workflow and the strategy
 * @param where the other parameters, in the order of the table
 * @param makespanSeconds as in the table
 */
public record SingleRun(RunRecord record, String name, String where, String makespanSeconds) {
    /** The run with this number in the table. */
    public static SingleRun of(Plan plan, long number) {
        int strategies = plan.strategies().size();
        long item = (number - 1) / strategies;
        for (Block block : plan.blocks()) {
            if (number >= 1 && item >= block.firstItem() && item < block.firstItem() + block.items()) {
                int place = (int) (item - block.firstItem());
                Subject subject = block.subjects().get(place / block.starts().length);
                long start = block.starts()[place % block.starts().length];
                return run(block, subject, start, plan.strategies().get((int) ((number - 1) % strategies)));
            }
        }
        throw new InputException("there is no run " + number + "; this experiment has runs 1 to " + plan.runs());
    }

    private static SingleRun run(Block block, Subject subject, long start, String strategy) {
        WorkflowSimulation.Setup setup = block.setup().recorded();
        RunTimes times = new RunTimes(subject.workflow(), setup.profile().planOrder(), setup.coresPerNode());
        Strategy chosen = Strategies.named(strategy, times, setup.profile());
        int nodes = block.cluster().nodes();
        Checkpoints background =
                new Checkpoints(block.jobs(), block.cluster().policy(), nodes, new long[] {start}, start);
        DecisionLog decisions = new DecisionLog();
        SimulatedRun run =
                WorkflowSimulation.run(background.fork(0), start, subject.workflow(), chosen, setup, decisions);
        long makespan = run.completed() ? block.conventions().makespanMillis(run) : run.makespanMillis();
        return new SingleRun(
                run.record(subject.workflow(), strategy, nodes, setup.coresPerNode(), decisions.decisions()),
                subject.name() + ", " + strategy,
                new RunTable.Setting(block).text().replace(",", ", "),
                RunTable.seconds(makespan));
    }
}
