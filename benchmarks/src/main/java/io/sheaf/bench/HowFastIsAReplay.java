package io.sheaf.bench;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.Replay;
import java.util.Locale;

/**
 * How many jobs per second does a replay process? The result is the smallest processor time of the thread over several rounds, which other load on the
 * machine disturbs little.
 *
 * <p>Arguments: a log (KTH, SDSC, RICC_FIRST_60000, RICC), a policy (fcfs, easy, conservative) and the number of rounds.
 */
public final class HowFastIsAReplay {
    private HowFastIsAReplay() {}

    public static void main(String[] args) {
        Logs source = Logs.valueOf(args[0].toUpperCase(Locale.ROOT));
        Policy policy = Queues.policy(args[1]);
        int rounds = Integer.parseInt(args[2]);
        JobLog log = source.read();
        double engine = Double.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            engine = Math.min(engine, seconds(log, new BatchEngine(policy, source.nodes)));
        }
        Measure.print(
                "%s %s requested: %d jobs, %.3f s, %.0f jobs/s",
                source, args[1], log.size(), engine, log.size() / engine);
    }

    private static double seconds(JobLog log, BatchEngine scheduler) {
        long begin = Measure.cpu();
        Replay.run(log, scheduler);
        return (Measure.cpu() - begin) / 1e9;
    }
}
