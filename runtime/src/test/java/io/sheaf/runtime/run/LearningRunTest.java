package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.LearnedWaits;
import io.sheaf.predict.WaitMemory;
import io.sheaf.predict.WaitObservation;
import io.sheaf.random.RandomStream;
import io.sheaf.runtime.cluster.ClusterShape;
import io.sheaf.runtime.cluster.Shapes;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs with ASA learn from starts of jobs, also after a crash. */
class LearningRunTest {
    private static final ClusterShape BUSY = Shapes.of(4, 2, "kth-like@60x", 3);

    @TempDir
    Path folder = Path.of("");

    /** Learns from lessons and records them. */
    private static final class RecordingWaits implements WaitMemory {
        private final LearnedWaits waits = new LearnedWaits(LearnedWaits.LearnerSettings.PAPER);
        final List<WaitObservation> lessons = new ArrayList<>();

        @Override
        public long expect(int nodes, long walltime, long estimate, RandomStream random) {
            return waits.expect(nodes, walltime, estimate, random);
        }

        @Override
        public void learn(WaitObservation lesson) {
            lessons.add(lesson);
            waits.learn(lesson);
        }
    }

    /** One task, eight tasks, one task, eight tasks: stages of one node and of four. */
    private static Workflow stages() {
        WorkflowBuilder builder = new WorkflowBuilder("stages");
        List<Integer> before = List.of();
        for (int level = 0; level < 4; level++) {
            List<Integer> here = new ArrayList<>();
            for (int i = 0; i < (level % 2 == 0 ? 1 : 8); i++) {
                int task = builder.task("t" + level + "-" + i);
                builder.time(task, 20_000_000);
                before.forEach(parent -> builder.edge(parent, task));
                here.add(task);
            }
            before = here;
        }
        return builder.build();
    }

    @Test
    void runsLearnFromStartsAlsoAfterACrash() throws Exception {
        for (String strategy : List.of("asa:estimate=learned", "asa-naive:estimate=learned")) {
            RecordingWaits undisturbed = new RecordingWaits();
            VirtualRun run =
                    new VirtualRun(folder.resolve(strategy), stages(), strategy, BUSY, 1).learningWith(undisturbed);
            int points = run.execute();
            assertThat(undisturbed.lessons).isNotEmpty();
            assertThat(undisturbed.lessons)
                    .allSatisfy(each -> assertThat(each.waited()).isNotNegative());
            for (int at = 1; at <= points; at += 29) {
                RecordingWaits recording = new RecordingWaits();
                VirtualRun crashed = new VirtualRun(folder.resolve(strategy + at), stages(), strategy, BUSY, 1)
                        .learningWith(recording)
                        .crashingAt(List.of(at));
                crashed.execute();
                assertThat(crashed.manager().isFailed()).isFalse();
                assertThat(recording.lessons).as("crash at %d", at).isNotEmpty();
            }
        }
    }
}
