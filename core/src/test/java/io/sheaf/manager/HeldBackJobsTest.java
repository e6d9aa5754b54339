package io.sheaf.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event.Accepted;
import io.sheaf.manager.Event.End;
import io.sheaf.manager.Event.Ended;
import io.sheaf.manager.Event.Limited;
import io.sheaf.manager.Event.Started;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs for one task each, of which the batch system accepts only some. */
class HeldBackJobsTest {
    private final Notes out = new Notes();

    /** A run of independent tasks of 20 s on at most 10 nodes, with a job of one node for a minute for each task. */
    private Manager submitted(int tasks) {
        WorkflowBuilder builder = new WorkflowBuilder("flat");
        for (int i = 0; i < tasks; i++) {
            builder.time(builder.task("t" + i), 20_000_000);
        }
        Script script = new Script();
        script.lines.add(IntStream.range(0, tasks)
                .mapToObj(task -> (Order) new Order.Submit(Request.of(1, 60_000), Claim.task(task, 0)))
                .toList());
        Manager manager = Rig.manager(builder.build(), script, 1, 100, Rules.DEFAULT);
        manager.settle(0, out);
        out.take();
        return manager;
    }

    private List<String> on(Manager manager, Event... events) {
        for (Event event : events) {
            manager.on(event, out);
        }
        return out.take();
    }

    /** Two of eight jobs are queued. Two merged jobs with three tasks each replace the other six. */
    @Test
    void heldBackJobsAreMergedIntoOnePerQueuedJob() {
        Manager manager = submitted(8);
        assertThat(on(manager, new Accepted(1, 1), new Accepted(1, 2), new Limited(2, 3)))
                .containsExactly(
                        "cancel 3",
                        "cancel 5",
                        "cancel 7",
                        "submit 9 3x60000",
                        "cancel 4",
                        "cancel 6",
                        "cancel 8",
                        "submit 10 3x60000");
        on(manager, new Ended(3, 3, End.CANCELLED), new Ended(3, 5, End.CANCELLED), new Ended(3, 7, End.CANCELLED));
        assertThat(on(manager, new Started(4, 9)))
                .containsExactly("start t2 on 9.0", "start t4 on 9.1", "start t6 on 9.2");
    }

    /** 15 tasks on at most 10 nodes are two rounds. */
    @Test
    void mergedJobsHaveTimeForAllTasksOnFewNodes() {
        Manager manager = submitted(16);
        assertThat(on(manager, new Accepted(1, 1), new Limited(2, 2))).last().isEqualTo("submit 17 10x120000");
    }

    @Test
    void fewHeldBackJobsAreNotMerged() {
        Manager manager = submitted(4);
        assertThat(on(manager, new Accepted(1, 1), new Accepted(1, 2), new Limited(2, 3)))
                .isEmpty();
        assertThat(on(manager, new Limited(3, 99))).isEmpty();
    }
}
