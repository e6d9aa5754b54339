package io.sheaf.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.report.BackgroundJob;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunLog;
import io.sheaf.report.RunRecord;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The chart of a run, with positions computed by hand: 4 nodes and 100 minutes. A minute is 8.22 wide to the right of
 * 64, a node 56 high below 46.
 */
class RunPictureTest {
    private static final long MINUTE = 60_000;

    private static Workflow pair() {
        WorkflowBuilder draft = new WorkflowBuilder("pair");
        int a = draft.task("a");
        int b = draft.task("<b>");
        return draft.edge(a, b).build();
    }

    /**
     * Background job 9 has nodes 0 and 1 from before the run until minute 50, and job 10 two nodes from minute 10 on.
     * The pilot job of two nodes is submitted at 0 and starts at 50 on the nodes of job 9. It runs a and then b on its
     * second node until 100.
     */
    private static RunRecord run() {
        RunLog log = new RunLog(Pools.NONE);
        log.submitted(1, Request.of(2, 60 * MINUTE), 0);
        log.started(1, 50 * MINUTE);
        log.taskStarted(1, new int[] {0}, 0, 50 * MINUTE, Resources.ONE_CORE);
        log.taskEnded(0, 80 * MINUTE, Event.Outcome.SUCCEEDED);
        log.taskStarted(1, new int[] {1}, 1, 80 * MINUTE, Resources.ONE_CORE);
        log.taskEnded(1, 100 * MINUTE, Event.Outcome.SUCCEEDED);
        log.ended(1, 100 * MINUTE, Event.End.RELEASED);
        return new RunRecord(
                pair(), "any", 4, 1, true, 0, 100 * MINUTE, log.jobs(), log.attempts(), new DecisionLog().decisions());
    }

    private static final List<BackgroundJob> BACKGROUND = List.of(
            new BackgroundJob(9, 2, -100, -50, 50 * MINUTE), new BackgroundJob(10, 2, 0, 10 * MINUTE, JobRecord.NEVER));

    @Test
    void jobsArePlacedOnTheirNodes() {
        NodePlaces places = new NodePlaces(run(), BACKGROUND);
        assertThat(places.backgroundBlocks(0)).containsExactly(new Rows.Block(0, 2));
        assertThat(places.backgroundBlocks(1)).containsExactly(new Rows.Block(2, 2));
        assertThat(places.ownBlocks(0)).containsExactly(new Rows.Block(0, 2));
        assertThat(places.node(0, 1)).isEqualTo(1);
    }

    @Test
    void jobsWithoutAContiguousBlockAreSpread() {
        List<BackgroundJob> neighbours = List.of(
                new BackgroundJob(1, 1, 0, 0, 50 * MINUTE),
                new BackgroundJob(2, 2, 0, 0, JobRecord.NEVER),
                new BackgroundJob(3, 1, 0, 0, 50 * MINUTE));
        assertThat(new NodePlaces(run(), neighbours).ownBlocks(0))
                .containsExactly(new Rows.Block(0, 1), new Rows.Block(3, 1));
    }

    /** 50 minutes are 342.5 wide, 80 are 548, 100 are 685: the axis has 120 minutes on 822 points. */
    @Test
    void barsHaveTheComputedPositions() {
        String svg = new RunPicture(run(), BACKGROUND).svg();
        assertThat(svg)
                .contains("any: makespan 1.7 h, 1.7 node-hours allocated, 0.8 used")
                .contains(
                        "<rect x=\"64\" y=\"46\" width=\"342.5\" height=\"112\" fill=\"#d4d8dd\" stroke=\"#ffffff\"><title>job 9 (background)<")
                .contains(
                        "<rect x=\"406.5\" y=\"46\" width=\"205.5\" height=\"56\" fill=\"#0072b2\" stroke=\"#ffffff\"><title>a<")
                .contains(
                        "<rect x=\"612\" y=\"102\" width=\"137\" height=\"56\" fill=\"#e69f00\" stroke=\"#ffffff\"><title>&lt;b&gt;<")
                .contains("<title>queued</title>")
                .contains("2 nodes for 1.0 h")
                .contains(">done</text>")
                .doesNotContain("more jobs");
        assertThat(new RunPicture(run(), BACKGROUND).svg()).isEqualTo(svg);
    }

    @Test
    void rowsAreLimited() {
        RunLog log = new RunLog(Pools.NONE);
        for (int job = 1; job <= 30; job++) {
            log.submitted(job, Request.of(1, MINUTE), 0);
            log.ended(job, MINUTE, Event.End.CANCELLED);
        }
        RunRecord many = new RunRecord(
                pair(), "any", 4, 1, false, 0, MINUTE, log.jobs(), log.attempts(), new DecisionLog().decisions());
        assertThat(new RunPicture(many, List.of()).svg())
                .contains("and 6 more jobs")
                .contains("stopped")
                .contains("1 node for 1.0 min, cancelled");
    }
}
