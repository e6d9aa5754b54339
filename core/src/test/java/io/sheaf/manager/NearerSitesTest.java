package io.sheaf.manager;

import static io.sheaf.manager.Event.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Event.Placed;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two sites of one pool each, and a pilot job with a node of one core at each. A megabyte takes a second to either. */
class NearerSitesTest {
    private static final long MEGA = 1_000_000;

    private final Notes out = new Notes();
    private final Script script = new Script();

    /** Tasks of ten seconds; each reads its own file, {@code f0}, {@code f1} and so on. */
    private static Workflow workflow(int tasks) {
        WorkflowBuilder builder = new WorkflowBuilder("reading");
        for (int i = 0; i < tasks; i++) {
            builder.time(builder.task("t" + i), 10 * MEGA).input(i, builder.file("f" + i, Workflow.UNKNOWN));
        }
        return builder.build();
    }

    /** A run whose files are at sites; both sites have been measured. */
    private Manager manager(int tasks, Placed... files) {
        Claim all = Claim.levels(0, 0);
        script.lines.add(List.of(
                new Order.Submit(Request.of(1, 600_000).in(1), all),
                new Order.Submit(Request.of(1, 600_000).in(2), all)));
        Manager manager =
                Rig.manager(workflow(tasks), script, 1, 4, Rules.DEFAULT.pools(Pools.parse("left=1-2+right=3-4", 4)));
        for (int site = 1; site <= 2; site++) {
            manager.on(new Placed(0, site, 1, List.of(""), List.of(0L), 0), out);
            manager.on(new Placed(0, site, 1, List.of(""), List.of(4 * MEGA), 4 * MEGA), out);
        }
        for (Placed each : files) {
            manager.on(each, out);
        }
        manager.settle(0, out);
        out.take();
        return manager;
    }

    private static Placed at(int site, String file, long megabytes) {
        return new Placed(0, site, 1, List.of(file), List.of(megabytes * MEGA), Placed.WRITTEN);
    }

    private List<String> on(Manager manager, Event event) {
        manager.on(event, out);
        return out.take();
    }

    @Test
    void aTaskStartsAtTheSiteOfItsInputs() {
        Manager manager = manager(2, at(1, "f0", 5), at(2, "f1", 5));
        manager.on(new Started(0, 1, false), out);
        assertThat(on(manager, new Started(0, 2))).containsExactly("start t1 on 2.0");
        assertThat(on(manager, new Event.NodeUp(0, 1, 0))).containsExactly("start t0 on 1.0");
    }

    /** At 2 s a core of the second site is free. The first one, which has the file, will be free at 10 s. */
    @Test
    void aTaskWaitsForTheSiteOfItsInputsIfThatIsFaster() {
        Manager manager = manager(2, at(1, "f0", 1), at(1, "f1", 20));
        assertThat(on(manager, new Started(0, 1))).containsExactly("start t0 on 1.0");
        // 2 s + 20 s for 20 MB is after 10 s.
        assertThat(on(manager, new Started(2_000, 2))).isEmpty();
        manager.settle(2_000, out);
        assertThat(out.take()).containsExactly("wake 10000");
        assertThat(on(manager, new TaskEnded(9_000, 1, 0, 1, SUCCEEDED))).containsExactly("start t1 on 1.0");
    }

    @Test
    void aTaskDoesNotWaitIfATransferIsFaster() {
        Manager manager = manager(2, at(1, "f0", 1), at(1, "f1", 7));
        manager.on(new Started(0, 1), out);
        out.take();
        // 2 s + 7 s is before 10 s.
        assertThat(on(manager, new Started(2_000, 2))).containsExactly("start t1 on 2.0");
    }

    @Test
    void oneTaskWaitsPerCoreAndNoneForAnOverdueCore() {
        Manager manager = manager(4, at(1, "f0", 1), at(1, "f1", 20), at(1, "f2", 30), at(1, "f3", 20));
        manager.on(new Started(0, 1), out);
        out.take();
        // t1 waits for the core at 10 s; t2 is the next one.
        assertThat(on(manager, new Started(2_000, 2))).containsExactly("start t2 on 2.0");
        assertThat(on(manager, new TaskEnded(3_000, 2, 2, 1, SUCCEEDED))).containsExactly("start t3 on 2.0");
        assertThat(on(manager, new TaskEnded(4_000, 2, 3, 1, SUCCEEDED))).isEmpty();
        // t0 should have ended at 10 s.
        assertThat(on(manager, new Event.Woken(10_000))).containsExactly("start t1 on 2.0");
    }

    @Test
    void estimatesIncludeTransferTimes() {
        Manager manager = manager(2, at(1, "f0", 6), at(2, "f1", 2));
        assertThat(manager.copying(1)).as("half of the tasks need 2 MB").isEqualTo(1_000);
        assertThat(manager.copying(2)).as("the other half needs 6 MB").isEqualTo(3_000);
        assertThat(manager.copying(Pools.ANY)).isZero();
        Manager second = new Manager(
                workflow(2),
                (w, node) -> new int[] {0, 1},
                script,
                StartEstimator.UNINFORMED,
                DecisionSink.NOTHING,
                10,
                4,
                Rules.DEFAULT);
        manager.placed().forEach(event -> second.on(event, out));
        assertThat(second.copying(1)).isEqualTo(1_000);
        assertThat(second.copying(2)).isEqualTo(3_000);
    }
}
