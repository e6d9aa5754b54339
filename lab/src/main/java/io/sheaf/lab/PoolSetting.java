package io.sheaf.lab;

import io.sheaf.planner.Executor.Transfer;
import io.sheaf.planner.RankedDag;
import io.sheaf.sim.pool.Intervals;
import io.sheaf.sim.pool.PoolSimulation.Setting;
import java.util.ArrayList;
import java.util.List;

/**
 * What workflows of a class are run on, and when they come.
 *
 * @param dags how many of the class
 * @param interval the mean between two arrivals, in seconds
 * @param independentJobs how many jobs by themselves come behind each of them
 * @param share what a job needs of an element, in thousandths
 * @param owners how many they belong to, in turn; each to another one if 0
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
    /** The paper's, of which the numbers that it varies are still open. */
    static PoolSetting of(int owners, long seed) {
        return new PoolSetting(0, 0, 0, Intervals.POISSON, Transfer.AT_END, 0, RankedDag.WHOLE, owners, seed);
    }

    PoolSetting withDags(int number) {
        return new PoolSetting(number, interval, elements, intervals, transfer, independentJobs, share, owners, seed);
    }

    PoolSetting withInterval(int seconds) {
        return new PoolSetting(dags, seconds, elements, intervals, transfer, independentJobs, share, owners, seed);
    }

    PoolSetting withElements(int number) {
        return new PoolSetting(dags, interval, number, intervals, transfer, independentJobs, share, owners, seed);
    }

    PoolSetting with(Intervals distribution) {
        return new PoolSetting(dags, interval, elements, distribution, transfer, independentJobs, share, owners, seed);
    }

    PoolSetting with(Transfer when) {
        return new PoolSetting(dags, interval, elements, intervals, when, independentJobs, share, owners, seed);
    }

    PoolSetting withIndependentJobs(int number) {
        return new PoolSetting(dags, interval, elements, intervals, transfer, number, share, owners, seed);
    }

    PoolSetting withShare(int thousandths) {
        return new PoolSetting(
                dags, interval, elements, intervals, transfer, independentJobs, thousandths, owners, seed);
    }

    /** Elements take these speeds in turn, and owners these weights. */
    Setting simulated(List<Double> speeds, List<Double> weights) {
        List<Double> all = new ArrayList<>();
        for (int i = 0; i < elements; i++) {
            all.add(speeds.get(i % speeds.size()));
        }
        return new Setting(List.copyOf(all), transfer, weights);
    }
}
