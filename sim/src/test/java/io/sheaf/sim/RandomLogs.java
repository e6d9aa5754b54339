package io.sheaf.sim;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueOrder;
import io.sheaf.batch.UserLimits;
import io.sheaf.random.RandomStream;

/** Random small logs with many simultaneous events, and random policies. */
final class RandomLogs {
    static final int NODES = 12;

    private RandomLogs() {}

    /**
     * Jobs of 0 to 40 ms that arrive in bursts; some are killed, some cancelled while they wait, a few are too large.
     */
    static JobLog log(RandomStream random, int jobs) {
        JobLog.Builder log = JobLog.builder();
        long submit = random.nextInt(5);
        for (int i = 0; i < jobs; i++) {
            long requested = 1L + random.nextInt(random.chance(0.5) ? 40 : 8);
            long run = random.chance(0.1) ? 0 : random.nextInt(2 * (int) requested);
            int nodes = 1 + random.nextInt(random.chance(0.03) ? NODES + 4 : random.chance(0.4) ? NODES : 4);
            long patience = random.chance(0.2) ? random.nextInt(60) : JobLog.PATIENT;
            log.add(i, submit, run, requested, nodes, random.nextInt(3), patience);
            submit += random.chance(0.4) ? 0 : random.nextInt(16);
        }
        return log.build();
    }

    static Policy policy(RandomStream random) {
        Policy policy = Policy.depth(new int[] {0, 1, 3, Policy.CONSERVATIVE}[random.nextInt(4)]);
        QueueOrder[] orders = {
            QueueOrder.ARRIVAL,
            QueueOrder.ARRIVAL,
            QueueOrder.SMALL,
            new QueueOrder(20 * 3_600_000L, 480, 0, 1, false),
            QueueOrder.ARRIVAL.withFairShare(3_600_000L / 2, 50)
        };
        policy = policy.withOrder(orders[random.nextInt(orders.length)]);
        if (random.chance(0.3)) {
            policy = policy.withPlacement(Policy.NodeSelection.CONTIGUOUS);
        }
        if (random.chance(0.3)) {
            policy = policy.withLimits(new UserLimits(3, NODES, UserLimits.LimitScope.ALL));
        }
        return policy;
    }
}
