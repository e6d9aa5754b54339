package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.NODE_LOST;
import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.Dropped;
import io.sheaf.manager.Event.Grown;
import io.sheaf.manager.Event.Held;
import io.sheaf.manager.Event.Opened;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.planner.Policies;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Order of tasks where several workflows share a pilot job, worked out by hand. */
class WorkflowTurnsTest {
    private static final Rules KEEP_GOING = Rules.DEFAULT.keepGoing(true);
    private long now;

    private Rig rig(String policy, Map<String, Double> shares) {
        Rig rig = new Rig(new WorkflowBuilder("nothing yet").build(), KEEP_GOING);
        rig.manager.shareBetweenWorkflows(Policies.named(policy, 1), shares);
        rig.on(new Opened(0));
        return rig;
    }

    /** Independent tasks of these run times in seconds. */
    private static Grown bag(String id, String owner, int priority, int... seconds) {
        WorkflowBuilder builder = new WorkflowBuilder(id);
        for (int each : seconds) {
            builder.time(builder.task(id + builder.size()), each * 1_000_000L);
        }
        return new Grown(0, Addition.of(new Origin(id, owner, priority, ""), builder.build()));
    }

    /** One node of one core runs everything, one task after the other. */
    private List<String> order(Rig rig) {
        rig.script.lines.set(0, List.of(Rig.submit(1)));
        rig.settle(0);
        List<String> order = new ArrayList<>(started(rig.on(new Started(0, 1))));
        for (int i = 0; i < order.size(); i++) {
            int task = rig.manager.workflow().find(order.get(i));
            order.addAll(started(rig.on(new TaskEnded(++now, 1, task, rig.manager.attempts(task), SUCCEEDED))));
        }
        return order;
    }

    private final List<String> ids = new ArrayList<>();

    private List<String> started(List<String> effects) {
        List<String> started = new ArrayList<>();
        for (String effect : effects) {
            if (effect.startsWith("start t")) {
                started.add(ids.get(Integer.parseInt(effect.substring(7, effect.indexOf(' ', 7)))));
            }
        }
        return started;
    }

    private void add(Rig rig, Grown grown) {
        rig.on(grown);
        ids.clear();
        for (int task = 0; task < rig.manager.workflow().size(); task++) {
            ids.add(rig.manager.workflow().id(task));
        }
    }

    @Test
    void thePolicyDecidesBetweenWorkflows() {
        Rig fifo = rig("fifo", Map.of());
        add(fifo, bag("a", "ann", 0, 1, 9));
        add(fifo, bag("b", "bob", 0, 5));
        assertThat(order(fifo)).containsExactly("a0", "a1", "b0");

        Rig small = rig("smallest-remaining", Map.of());
        add(small, bag("a", "ann", 0, 5, 9));
        add(small, bag("b", "bob", 0, 3, 4));
        assertThat(order(small)).containsExactly("b1", "b0", "a1", "a0");

        Rig hybrid = rig("rank-hybd", Map.of());
        add(hybrid, bag("a", "ann", 0, 5, 9));
        add(hybrid, bag("b", "bob", 0, 3, 4));
        assertThat(order(hybrid)).containsExactly("b0", "b1", "a1", "a0");
    }

    @Test
    void workflowsOfHigherPriorityGoFirst() {
        Rig rig = rig("fifo", Map.of());
        add(rig, bag("a", "ann", 0, 1));
        add(rig, bag("b", "bob", -1, 1));
        add(rig, bag("c", "bob", 7, 1));
        assertThat(order(rig)).containsExactly("c0", "a0", "b0");
    }

    @Test
    void ownersGetTheirShares() {
        Rig rig = rig("fair-share", Map.of("ann", 2.0));
        add(rig, bag("a", "ann", 0, 10, 10, 10, 10));
        add(rig, bag("b", "bob", 0, 10, 10, 10, 10));
        // Ann 10/2 = 5, Bob 10, Ann 10, then by arrival: Ann 15, Bob 20, Ann 20, Bob alone.
        assertThat(order(rig)).containsExactly("a0", "b0", "a1", "a2", "b1", "a3", "b2", "b3");
    }

    @Test
    void aTaskThatDoesNotFitIsPassedOverAndKeepsItsPlace() {
        Rig rig = rig("fifo", Map.of());
        WorkflowBuilder wide = new WorkflowBuilder("wide");
        wide.resources(wide.task("wide0"), new Resources(1, 0, 0, 2));
        wide.resources(wide.task("wide1"), new Resources(1, 0, 0, 2));
        add(rig, new Grown(0, Addition.of(new Origin("wide", "ann", 0, ""), wide.build())));
        add(rig, bag("a", "bob", 0, 1, 1, 1));
        rig.script.lines.set(0, List.of(Rig.submit(2)));
        rig.settle(0);
        assertThat(started(rig.on(new Started(0, 1, false), new Event.NodeUp(1, 1, 0))))
                .containsExactly("a0");
        assertThat(started(rig.on(new Event.NodeUp(2, 1, 1)))).containsExactly("a1");
        assertThat(started(rig.on(new TaskEnded(3, 1, 2, 1, SUCCEEDED)))).containsExactly("a2");
        assertThat(started(rig.on(new TaskEnded(4, 1, 3, 1, SUCCEEDED)))).isEmpty();
        assertThat(started(rig.on(new TaskEnded(5, 1, 4, 1, SUCCEEDED)))).containsExactly("wide0");
        assertThat(started(rig.on(new TaskEnded(6, 1, 0, 1, SUCCEEDED)))).containsExactly("wide1");
    }

    @Test
    void aTaskThatFitsIsFoundBehindManyThatDoNot() {
        Rig rig = rig("fifo", Map.of());
        WorkflowBuilder wide = new WorkflowBuilder("wide");
        for (int i = 0; i < 1_000; i++) {
            wide.resources(wide.task("wide" + i), new Resources(1, 0, 0, 2));
        }
        add(rig, new Grown(0, Addition.of(new Origin("wide", "ann", 0, ""), wide.build())));
        add(rig, bag("a", "bob", 0, 1));
        rig.script.lines.set(0, List.of(Rig.submit(1)));
        rig.settle(0);
        assertThat(started(rig.on(new Started(0, 1)))).containsExactly("a0");
    }

    @Test
    void heldAndDroppedTasksGetNoTurn() {
        Rig rig = rig("fifo", Map.of());
        add(rig, bag("a", "ann", 0, 1, 1));
        add(rig, bag("b", "bob", 0, 1, 1));
        add(rig, bag("c", "bob", 0, 1));
        rig.on(new Held(0, 0, 2, true), new Dropped(0, 2, 1));
        assertThat(order(rig)).containsExactly("b1", "c0");
        assertThat(rig.manager.isReady(0)).isFalse();
        rig.on(new Held(9, 0, 2, false));
        assertThat(rig.manager.isReady(0)).isTrue();
    }

    @Test
    void aLostTaskGetsAnotherTurn() {
        Rig rig = rig("smallest-remaining", Map.of());
        add(rig, bag("a", "ann", 0, 5));
        add(rig, bag("b", "bob", 0, 9));
        rig.script.lines.set(0, List.of(Rig.submit(1)));
        rig.settle(0);
        assertThat(started(rig.on(new Started(0, 1)))).containsExactly("a0");
        assertThat(started(rig.on(new TaskEnded(1, 1, 0, 1, NODE_LOST)))).containsExactly("a0");
    }
}
