package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Order;
import io.sheaf.random.RandomStream;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.DecisionRecord;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests runs of {@code auto} in which a pilot job waits for long, other pilot jobs do much of its work, and a narrower
 * job replaces it.
 */
class NarrowerPilotJobTest {
    private static final long HOUR = 3_600_000;
    private static final int NODES = 32;

    /** The decisions of a run that starts after six hours. */
    private static List<DecisionRecord> decisionsOf(int seed) {
        RandomStream random = new RandomStream(seed);
        Workflow workflow = RandomRuns.workflow(random, 1);
        Policy policy = seed % 2 == 0 ? Policy.conservative() : Policy.easy();
        SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, NODES), policy, NODES);
        queue.advanceTo(6 * HOUR);
        TaskTimes times = seed % 3 == 0 ? TaskTimes.AS_EXPECTED : TaskTimes.spread(0.5, seed);
        DecisionLog log = new DecisionLog();
        SimulatedRun run = WorkflowSimulation.run(
                queue,
                workflow,
                Strategies.named("auto", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN),
                SimulationSetup.of(Profile.OWN, Resources.node(1), 8).taking(times),
                log);
        assertThat(run.completed()).as("seed " + seed).isTrue();
        return log.decisions();
    }

    /** A narrower job is requested, and the wide one cancelled once it is queued, in some of these runs. */
    @Test
    void autoReplacesWideJobsByNarrowerOnes() {
        int requested = 0;
        int replaced = 0;
        for (int seed = 0; seed < 60; seed++) {
            String request = "";
            for (DecisionRecord each : decisionsOf(seed)) {
                if (each.chosen().startsWith("request ")) {
                    requested++;
                    request = each.chosen()
                            .substring("request ".length(), each.chosen().indexOf(':'));
                } else if (!request.isEmpty()
                        && each.chosen().equals(request + " in the queue: the remaining tasks need no more")) {
                    replaced++;
                }
            }
        }
        assertThat(requested).isGreaterThan(2);
        assertThat(replaced).isGreaterThan(2);
    }

    /** The cancelled job is wider than the one requested in its place, and no decision does both. */
    @Test
    void theNarrowerJobIsRequestedBeforeTheWideOneIsCancelled() {
        int replaced = 0;
        for (int seed = 0; seed < 60; seed++) {
            Map<Long, Integer> nodes = new HashMap<>();
            int last = 0;
            for (DecisionRecord decision : decisionsOf(seed)) {
                List<Order> orders = decision.orders().stream()
                        .map(DecisionRecord.Ordered::order)
                        .toList();
                boolean requests = decision.chosen().startsWith("request ");
                boolean cancels = decision.chosen().contains(" in the queue: ");
                for (DecisionRecord.Ordered each : decision.orders()) {
                    if (each.order() instanceof Order.Submit submit) {
                        assertThat(cancels).isFalse();
                        last = submit.request().units();
                        nodes.put(each.token(), last);
                    }
                }
                if (requests) {
                    assertThat(orders).last().isInstanceOf(Order.Submit.class);
                } else if (cancels) {
                    replaced++;
                    int narrow = last;
                    assertThat(decision.orders())
                            .anyMatch(each -> each.order() instanceof Order.Cancel
                                    && nodes.getOrDefault(each.token(), 0) > narrow);
                }
            }
        }
        assertThat(replaced).isGreaterThan(4);
    }
}
