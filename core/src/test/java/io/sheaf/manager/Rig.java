package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import java.util.stream.IntStream;

/** A manager under test, with scripted decisions, recorded effects and first pilot jobs. */
final class Rig {
    final Notes out = new Notes();
    final Script script = new Script();
    final Manager manager;

    /** Submits pilot jobs of these numbers of nodes at instant 0, each for a minute and for the whole workflow. */
    Rig(Workflow workflow, Rules rules, int... nodes) {
        manager = manager(workflow, script, 1, 4, rules);
        Claim all = Claim.levels(0, 9);
        script.lines.add(IntStream.of(nodes)
                .mapToObj(n -> (Order) new Order.Submit(Request.of(n, 60_000), all))
                .toList());
        manager.settle(0, out);
        out.take();
    }

    static Manager manager(Workflow workflow, Strategy strategy, int cores, int cap, Rules rules) {
        return new Manager(
                workflow,
                (w, node) -> IntStream.range(0, w.size()).toArray(),
                strategy,
                StartEstimator.UNINFORMED,
                DecisionSink.NOTHING,
                10,
                cap,
                rules.node(rules.node().cores(cores)));
    }

    /** Sends events to the manager and returns their immediate effects. */
    List<String> on(Event... events) {
        for (Event event : events) {
            manager.on(event, out);
        }
        return out.take();
    }

    List<String> settle(long at) {
        manager.settle(at, out);
        return out.take();
    }

    /** Sets the orders of the next decision. */
    void next(Order... orders) {
        while (script.lines.size() < script.decisions) {
            script.lines.add(List.of());
        }
        script.lines.add(List.of(orders));
    }

    static Order submit(int nodes) {
        return new Order.Submit(Request.of(nodes, 60_000), Claim.levels(0, 9));
    }

    /** An addition of independent tasks of a second each. */
    static Addition more(String... ids) {
        WorkflowBuilder builder = new WorkflowBuilder("more");
        for (String id : ids) {
            builder.time(builder.task(id), 1_000_000);
        }
        return Addition.of(new Origin("more", "", 0, ""), builder.build());
    }

    /** Tasks 0 (10 s) and 1 (20 s) before 2 (5 s). */
    static Workflow vee() {
        WorkflowBuilder builder = new WorkflowBuilder("vee");
        long[] seconds = {10, 20, 5};
        for (int i = 0; i < 3; i++) {
            builder.time(builder.task("t" + i), seconds[i] * 1_000_000);
        }
        return builder.edge(0, 2).edge(1, 2).build();
    }
}
