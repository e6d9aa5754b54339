package io.sheaf.lab.pool;

import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.experiment.Section;
import io.sheaf.planner.Executor.Transfer;
import io.sheaf.planner.RankedDag;
import io.sheaf.sim.pool.Intervals;
import io.sheaf.sim.pool.PoolSimulation.PoolSetup;
import io.sheaf.text.DecimalText;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The processing elements and the arrivals of the workflows of a class.
 *
 * @param dags the number of workflows
 * @param interval the mean time between two arrivals, in seconds
 * @param independentJobs the number of single jobs behind each workflow
 * @param share the part of an element that a job needs, in thousandths
 * @param owners the number of owners, who take turns; if 0, each workflow has its own
 */
record PoolSetting(
        int dags,
        int interval,
        int elements,
        Intervals intervals,
        Transfer transfer,
        int independentJobs,
        int share,
        int owners,
        long seed) {
    static final RowColumns<PoolSetting> COLUMNS = new RowColumns<PoolSetting>()
            .add("dags", s -> Integer.toString(s.dags))
            .add("arrivalInterval", s -> Integer.toString(s.interval))
            .add("intervals", s -> Section.name(s.intervals))
            .add("elements", s -> Integer.toString(s.elements))
            .add("transfer", s -> Section.name(s.transfer))
            .add("independentJobs", s -> Integer.toString(s.independentJobs))
            .add("share", s -> DecimalText.fixed(s.share / (double) RankedDag.WHOLE, 3))
            .add("owners", s -> Integer.toString(s.owners))
            .add("seed", s -> Long.toString(s.seed));

    /** The elements take these speeds in turn, the owners these weights. */
    PoolSetup simulated(List<Double> speeds, List<Double> weights) {
        List<Double> all = IntStream.range(0, elements)
                .mapToObj(i -> speeds.get(i % speeds.size()))
                .toList();
        return new PoolSetup(all, transfer, weights);
    }
}
