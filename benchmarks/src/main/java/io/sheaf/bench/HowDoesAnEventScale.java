package io.sheaf.bench;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.random.RandomStream;

/**
 * How does the time per event grow with the number of queued jobs of many shapes? A random job ends early about every
 * 10 s, and a job arrives for each one that starts, so that the queue keeps its length. Prints the processor time of the thread in the second of two
 * rounds. Arguments: policy (easy, conservative), events at the shortest queue.
 */
public final class HowDoesAnEventScale {
    private static final int NODES = 1024;

    private HowDoesAnEventScale() {}

    public static void main(String[] args) {
        Policy policy = Queues.policy(args[0]);
        int events = Integer.parseInt(args[1]);
        double[] micros = new double[3];
        for (int round = 0; round < 2; round++) {
            for (int i = 0, queued = 100; i < 3; i++, queued *= 10) {
                micros[i] = microsPerEvent(policy, queued, Math.max(200, events * 100 / queued));
            }
        }
        Measure.print(
                "%s: %.1f, %.1f, %.1f us/event at 100, 1000, 10000 queued: power %.2f",
                args[0], micros[0], micros[1], micros[2], StrictMath.log10(micros[2] / micros[0]) / 2);
    }

    private static double microsPerEvent(Policy policy, int queued, int maxTasks) {
        RandomStream random = new RandomStream(5);
        BatchEngine engine = Queues.busy(policy, NODES, queued, random);
        Submission job = new Submission();
        int[] started = new int[2 * queued + NODES];
        long now = 0;
        long begin = Measure.cpu();
        int events = 0;
        while (events < maxTasks) {
            long until = now + 1000 + random.nextInt(20_000);
            while (now < until) {
                now = Math.min(until, engine.nextPass());
                expire(engine, now);
                if (now == until) {
                    engine.complete(anyRunning(engine, random), now);
                    events++;
                    while (engine.queued() < queued + 3) {
                        engine.submit(now, Queues.shape(random, NODES / 4, job));
                        events++;
                    }
                }
                engine.pass(now, started);
            }
        }
        return (Measure.cpu() - begin) / 1e3 / events;
    }

    private static void expire(BatchEngine engine, long now) {
        for (int j = 0; j < engine.handles(); j++) {
            if (engine.isRunning(j) && engine.limit(j) <= now) {
                engine.complete(j, now);
            }
        }
    }

    private static int anyRunning(BatchEngine engine, RandomStream random) {
        int j = random.nextInt(engine.handles());
        while (!engine.isRunning(j)) {
            j = (j + 1) % engine.handles();
        }
        return j;
    }
}
