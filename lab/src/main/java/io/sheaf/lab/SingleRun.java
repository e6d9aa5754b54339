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
        for (int b = 0; b < plan.blocks().size(); b++) {
            long place = item - plan.first(b);
            if (number >= 1 && place >= 0 && place < plan.blocks().get(b).items()) {
                if (!(plan.blocks().get(b) instanceof QueueBlock block)) {
                    throw new InputException("run " + number + " is on a platform without a queue; 'sheaf simulate"
                            + " WORKFLOW --platform P --algorithm A --html PAGE' shows it");
                }
                Subject subject = block.subjects().get((int) place / block.repeats());
                long start = block.starts()[(int) place % block.repeats()];
                return run(block, subject, start, plan.strategies().get((int) ((number - 1) % strategies)));
            }
        }
        throw new InputException("there is no run " + number + "; this experiment has runs 1 to " + plan.runs());
    }

    private static SingleRun run(QueueBlock block, Subject subject, long start, String strategy) {
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
                block.setting().replace(",", ", "),
                RunTable.seconds(makespan));
    }
}
