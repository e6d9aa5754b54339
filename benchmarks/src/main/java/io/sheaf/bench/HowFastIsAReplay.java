package io.sheaf.bench;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.BatchScheduler;
import io.sheaf.batch.PlainEngine;
import io.sheaf.batch.Policy;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.Replay;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * How many jobs a second are replayed, and how much faster than with the plain engine? Both run alternately in one process and are
 * measured in processor time of the thread, the best of several rounds, so that other load has little effect.
 *
 * <p>Arguments: a log (KTH, SDSC, RICC_FIRST_60000, RICC), a policy (fcfs, easy, conservative), rounds, and {@code plain} for
 * the comparison.
 */
public final class HowFastIsAReplay {
    private HowFastIsAReplay() {}

    public static void main(String[] args) {
        Logs which = Logs.valueOf(args[0].toUpperCase(Locale.ROOT));
        Policy policy =
                switch (args[1]) {
                    case "fcfs" -> Policy.fcfs();
                    case "easy" -> Policy.easy();
                    default -> Policy.conservative();
                };
        int rounds = Integer.parseInt(args[2]);
        boolean compare = args.length > 3;
        JobLog log = which.read();
        double engine = Double.MAX_VALUE;
        double plain = Double.MAX_VALUE;
        for (int i = 0; i < rounds; i++) {
            engine = Math.min(engine, seconds(log, new BatchEngine(policy, which.nodes)));
            plain = compare ? Math.min(plain, seconds(log, new PlainEngine(policy, which.nodes))) : plain;
        }
        System.out.printf(
                Locale.ROOT,
                "%s %s requested: %d jobs, %.3f s, %.0f jobs/s%s%n",
                which,
                args[1],
                log.size(),
                engine,
                log.size() / engine,
                compare ? String.format(Locale.ROOT, ", plain %.3f s, ratio %.2f", plain, plain / engine) : "");
    }

    private static double seconds(JobLog log, BatchScheduler scheduler) {
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        Replay.run(log, scheduler);
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin) / 1e9;
    }
}
