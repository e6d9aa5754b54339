package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.FAILED;
import static io.sheaf.manager.Event.Outcome.NOT_RUNNABLE;
import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.manager.Event.NodeSilent;
import io.sheaf.manager.Event.NodeUp;
import io.sheaf.manager.Event.Outcome;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Nodes on which tasks fail or agents never connect are avoided, and tasks that fail everywhere exclude none. */
class NodeHealthTest {
    private static final long DAY = NodeHealth.EXCLUDED_MILLIS;

    /** Tasks t0, t1, … of one category without retries. */
    private static Workflow tasks(int count) {
        WorkflowBuilder builder = new WorkflowBuilder("tasks");
        for (int i = 0; i < count; i++) {
            builder.time(builder.task("t" + i), 1_000_000);
        }
        return builder.build();
    }

    private static NodeUp up(long at, long token, int node, String host) {
        return new NodeUp(at, token, node, null, host);
    }

    private static TaskEnded ended(long at, long token, int task, int attempt, Outcome outcome) {
        return new TaskEnded(at, token, task, attempt, outcome, 100);
    }

    /** Of 5 attempts of which 3 failed, all 3 on the node with 3: 1 / C(5, 3) = 0.1; at least 2 of them: (3 · 2 + 1) / 10. */
    @Test
    void tailIsThatOfFishersExactTest() {
        assertThat(NodeHealth.tail(3, 0, 0, 2)).isCloseTo(0.1, within(1e-12));
        assertThat(NodeHealth.tail(2, 1, 1, 1)).isCloseTo(0.7, within(1e-12));
        assertThat(NodeHealth.tail(0, 4, 2, 3)).isCloseTo(1, within(1e-12));
    }

    @Test
    void aTaskWithoutRetriesRunsOnAnotherNodeAfterAFailure() {
        Rig rig = new Rig(tasks(3), Rules.DEFAULT, 2);
        rig.on(new Started(0, 1, false));
        assertThat(rig.on(up(0, 1, 0, "bad"))).containsExactly("start t0 on 1.0");
        assertThat(rig.on(up(0, 1, 1, "good"))).containsExactly("start t1 on 1.1");
        // The node with the failure gets the next task, and the task waits for the other node.
        assertThat(rig.on(ended(1, 1, 0, 1, NOT_RUNNABLE))).containsExactly("start t2 on 1.0");
        assertThat(rig.manager.failures(0)).isZero();
        // Tasks succeeded on the other node only: this one gets no more tasks until its failure is attributed.
        assertThat(rig.on(ended(2, 1, 1, 1, SUCCEEDED))).containsExactly("start t0 on 1.1 again");
        assertThat(rig.on(ended(3, 1, 2, 1, FAILED))).isEmpty();
        assertThat(rig.on(ended(4, 1, 0, 2, SUCCEEDED))).containsExactly("start t2 on 1.1 again");
        rig.on(ended(5, 1, 2, 2, SUCCEEDED));
        assertThat(rig.manager.isFailed()).isFalse();
        assertThat(rig.manager.isDone()).isTrue();
    }

    /**
     * The first attempt on another node does not count. Then each failure uses up a retry, also on nodes where the task
     * has not failed.
     */
    @Test
    void aFailingTaskGetsOneExtraAttemptOnAnotherNode() {
        WorkflowBuilder builder = new WorkflowBuilder("always");
        int task = builder.task("t0");
        builder.time(task, 1_000_000);
        builder.retries(task, 2);
        Rig rig = new Rig(builder.build(), Rules.DEFAULT, 3);
        rig.on(new Started(0, 1, false));
        for (int node = 0; node < 3; node++) {
            rig.on(up(0, 1, node, "n" + node));
        }
        for (int attempt = 1; attempt <= 4; attempt++) {
            assertThat(rig.manager.isFailed()).as("before attempt " + attempt).isFalse();
            rig.on(ended(attempt, 1, 0, attempt, FAILED));
        }
        assertThat(rig.manager.isFailed()).isTrue();
    }

    /** Tasks fail on both nodes, and none has succeeded. */
    @Test
    void failuresOnAllNodesFailTheRunAtOnce() {
        Rig rig = new Rig(tasks(3), Rules.DEFAULT, 2);
        rig.on(new Started(0, 1, false), up(0, 1, 0, "n1"), up(0, 1, 1, "n2"));
        rig.on(ended(1, 1, 0, 1, FAILED));
        assertThat(rig.manager.isFailed()).isFalse();
        rig.on(ended(2, 1, 1, 1, FAILED));
        assertThat(rig.manager.isFailed()).isTrue();
        assertThat(rig.manager.avoided()).isEmpty();
    }

    /** With only one node, a failure is final. */
    @Test
    void withoutAnotherNodeATaskFails() {
        Rig rig = new Rig(tasks(2), Rules.DEFAULT, 1);
        rig.on(new Started(0, 1, false), up(0, 1, 0, "n1"));
        rig.on(ended(1, 1, 0, 1, FAILED));
        assertThat(rig.manager.isFailed()).isTrue();
    }

    /**
     * Category x succeeds 30 times on n2 to n4; each task that fails on n1 succeeds elsewhere: C(33, 3) = 5456 > 4 /
     * 0.001 at the third.
     */
    @Test
    void significantlyMoreFailuresExcludeANodeForADay() {
        NodeHealth health = new NodeHealth(4);
        Set<String> up = Set.of("n1", "n2", "n3", "n4");
        for (int i = 0; i < 28; i++) {
            health.succeeded("n" + (2 + i % 3), 100 + i, "x", 0);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(health.excluded()).isEmpty();
            assertThat(health.failed("n1", i, "x", 1_000_000, up)).isTrue();
            assertThat(health.avoided(up)).containsExactly("n1");
            health.succeeded("n2", i, "x", 7);
        }
        assertThat(health.excluded())
                .containsExactly(new AvoidedNode(
                        "n1", 7 + DAY, "3 tasks failed on it and succeeded on other nodes; 0 succeeded on it"));
        assertThat(health.expire(6 + DAY)).isFalse();
        assertThat(health.expire(7 + DAY)).isTrue();
        assertThat(health.avoided(up)).isEmpty();
    }

    /** One of ten attempts fails on any node: no node is worse than another. */
    @Test
    void flakyTasksExcludeNoNode() {
        NodeHealth health = new NodeHealth(4);
        Set<String> up = Set.of("n1", "n2", "n3", "n4");
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            String node = "n" + (1 + i % 4);
            if (random.nextInt(10) == 0) {
                health.failed(node, i, "x", 1_000, up);
                node = "n" + (1 + (i + 1) % 4);
            }
            health.succeeded(node, i, "x", i);
        }
        assertThat(health.excluded()).isEmpty();
    }

    @Test
    void atMostHalfOfTheNodesAreAvoided() {
        NodeHealth health = new NodeHealth(3);
        health.called("n3");
        for (String node : List.of("n1", "n1", "n2", "n2")) {
            health.silent(node, 0);
        }
        assertThat(health.excluded()).hasSize(2);
        assertThat(health.avoided(Set.of("n3"))).containsExactly("n1");
    }

    @Test
    void aNodeThatNeverConnectsIsExcludedUnlessOthersFailToo() {
        NodeHealth alone = new NodeHealth(4);
        alone.silent("n1", 0);
        assertThat(alone.avoided(Set.of())).isEmpty();
        alone.silent("n1", 5);
        assertThat(alone.excluded())
                .containsExactly(new AvoidedNode("n1", 5 + DAY, "no agent connected from it in 2 pilot jobs in a row"));
        alone.silent("n2", 9);
        assertThat(alone.avoided(Set.of())).as("two nodes fail alike").isEmpty();
    }

    /** New pilot jobs exclude the node, and a restored checkpoint contains it. */
    @Test
    void requestsAndCheckpointsContainTheAvoidedNodes() {
        Rig rig = new Rig(tasks(2), Rules.DEFAULT, 1);
        rig.on(new NodeSilent(1, 1, "n1"), new NodeSilent(2, 1, "n1"));
        Checkpoint made = rig.manager.checkpoint().create(List.of(), 2);
        Manager other = Rig.manager(tasks(2), new Script(), 1, 4, Rules.DEFAULT);
        other.on(new Event.Restored(2, made), rig.out);
        assertThat(other.avoided()).isEqualTo(rig.manager.avoided()).hasSize(1);
        rig.next(Rig.submit(1));
        rig.settle(3);
        assertThat(rig.manager.pilotJob(1).request().without()).containsExactly("n1");
    }
}
