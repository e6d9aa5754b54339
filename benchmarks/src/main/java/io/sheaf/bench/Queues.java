package io.sheaf.bench;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.random.RandomStream;

/** Synthetic queues with log-uniform widths and walltimes. */
final class Queues {
    private Queues() {}

    static Submission shape(RandomStream random, int widest, Submission job) {
        int units = (int) StrictMath.pow(widest, random.nextDouble());
        long walltime = (long) (600_000 * StrictMath.pow(432, random.nextDouble()));
        return job.size(units, walltime);
    }

    /** A busy cluster with this number of queued jobs. */
    static BatchEngine busy(Policy policy, int nodes, int queued, RandomStream random) {
        BatchEngine engine = new BatchEngine(policy, nodes);
        Submission job = new Submission();
        int[] started = new int[queued + 1];
        while (engine.queued() < queued) {
            engine.submit(0, shape(random, nodes / 4, job));
            engine.pass(0, started);
        }
        return engine;
    }

    /** A policy without an order of its own, by name; conservative for any other name. */
    static Policy policy(String name) {
        return switch (name) {
            case "fcfs" -> Policy.fcfs();
            case "easy" -> Policy.easy();
            default -> Policy.conservative();
        };
    }
}
