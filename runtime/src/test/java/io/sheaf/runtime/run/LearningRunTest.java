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

/** Runs with ASA learn from jobs that start, and go on after a crash with what they expected. */
class LearningRunTest {
    private static final ClusterShape BUSY = Shapes.of(4, 2, "kth-like@60x", 3);

    @TempDir
    Path folder = Path.of("");

    /** Remembers lessons beside learning from them. */
    private static final class Noted implements WaitMemory {
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
    void startsTeachAndACrashDoesNoHarm() throws Exception {
        for (String strategy : List.of("asa:estimate=learned", "asa-naive:estimate=learned")) {
            Noted undisturbed = new Noted();
            VirtualRun run =
                    new VirtualRun(folder.resolve(strategy), stages(), strategy, BUSY, 1).learningWith(undisturbed);
            int points = run.play();
            assertThat(undisturbed.lessons).isNotEmpty();
            assertThat(undisturbed.lessons)
                    .allSatisfy(each -> assertThat(each.waited()).isNotNegative());
            for (int at = 1; at <= points; at += 29) {
                Noted noted = new Noted();
                VirtualRun crashed = new VirtualRun(folder.resolve(strategy + at), stages(), strategy, BUSY, 1)
                        .learningWith(noted)
                        .crashingAt(List.of(at));
                crashed.play();
                assertThat(crashed.manager().isFailed()).isFalse();
                assertThat(noted.lessons).as("crash at %d", at).isNotEmpty();
            }
        }
    }
}
