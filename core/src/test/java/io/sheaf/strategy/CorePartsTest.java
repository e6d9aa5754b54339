package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Plans count cores in parts where tasks share them. */
class CorePartsTest {
    /** Independent tasks of ten seconds. */
    private static Workflow tasks(int... millicores) {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (int i = 0; i < millicores.length; i++) {
            int task = builder.task("t" + i);
            builder.time(task, 10_000_000).resources(task, Resources.of(millicores[i], 0, 0, 1));
        }
        return builder.build();
    }

    private static int parts(CoreParts parts, int millicores) {
        return parts.of(Resources.of(millicores, 0, 0, 1));
    }

    @Test
    void withoutSharesAPartIsACore() {
        CoreParts parts = CoreParts.of(tasks(1000, 4000));
        assertThat(parts.perCore()).isEqualTo(1);
        assertThat(parts(parts, 4000)).isEqualTo(4);
        assertThat(parts.of(16)).isEqualTo(16);
    }

    /** A core runs two tasks of 0.5 or three of 0.3: it has six parts. */
    @Test
    void partsPerCoreFollowFromTheSharesOfTasks() {
        CoreParts parts = CoreParts.of(tasks(500, 300, 2000));
        assertThat(parts.perCore()).isEqualTo(6);
        assertThat(parts(parts, 500)).isEqualTo(3);
        assertThat(parts(parts, 300)).isEqualTo(2);
        assertThat(parts(parts, 2000)).isEqualTo(12);
        // The rest of a core beside a task of 0.6 is too small for another one.
        assertThat(CoreParts.of(tasks(600)).perCore()).isEqualTo(1);
    }

    /** Tasks of which 7, 9, 11 and 13 fit a core would make 9009 parts: they count as quarters and eighths. */
    @Test
    void tooManyPartsAreRoundedUpToPowersOfTwo() {
        CoreParts parts = CoreParts.of(tasks(142, 111, 90, 76));
        assertThat(parts.perCore()).isEqualTo(8);
        assertThat(parts(parts, 142)).isEqualTo(2);
        assertThat(parts(parts, 76)).isEqualTo(1);
        assertThat(parts(parts, 1000)).isEqualTo(8);
    }

    /**
     * Six tasks of half a core: three rounds on one core, two rounds on two cores or on one node of two cores, one
     * round on three.
     */
    @Test
    void runTimesCountTasksThatShareCores() {
        RunTimes times = new RunTimes(tasks(500, 500, 500, 500, 500, 500), TaskOrder.BY_NUMBER, 1);
        assertThat(times.millis(0, 0, 1)).isEqualTo(30_000);
        assertThat(times.millis(0, 0, 2)).isEqualTo(20_000);
        assertThat(times.millis(0, 0, 3)).isEqualTo(10_000);
        assertThat(times.range(0, 0).maxNodes()).isEqualTo(3);
        assertThat(times.range(0, 0).lowerBound(1)).isEqualTo(30_000);
        RunTimes wide = new RunTimes(tasks(500, 500, 500, 500, 500, 500), TaskOrder.BY_NUMBER, 2);
        assertThat(wide.millis(0, 0, 1)).isEqualTo(20_000);
    }

    /** A whole core and two halves on a node of two cores. */
    @Test
    void sharedAndWholeCoresMixOnANode() {
        RunTimes times = new RunTimes(tasks(1000, 500, 500, 1000), TaskOrder.BY_NUMBER, 2);
        assertThat(times.millis(0, 0, 1)).isEqualTo(20_000);
        assertThat(times.millis(0, 0, 2)).isEqualTo(10_000);
    }
}
