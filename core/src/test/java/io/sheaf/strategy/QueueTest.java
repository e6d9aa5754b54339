package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Queries that a decision sends to an estimator. */
class QueueTest {
    /** Estimator whose basis depends on its last query, like that of a batch system. */
    private static final class Forgetful implements StartEstimator {
        private Basis basis = Basis.SIMULATED;

        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            basis = query.jobs() == 0 ? Basis.NONE : Basis.SIMULATED;
            answer.begin(query, basis);
            answer.fill(query.now() + 5_000);
        }

        @Override
        public Basis basis() {
            return basis;
        }
    }

    private static final Strategy NONE = new Strategy() {
        @Override
        public String name() {
            return "nobody";
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
            return Decision.nothing(memo);
        }
    };

    @Test
    void noEstimateIsRequestedForNoJob() {
        WorkflowBuilder builder = new WorkflowBuilder("one");
        builder.time(builder.task("t"), 1_000_000);
        Forgetful estimator = new Forgetful();
        Manager manager = new Manager(
                builder.build(),
                Profile.OWN.runOrder()::ranks,
                NONE,
                estimator,
                DecisionSink.NOTHING,
                4,
                8,
                Rules.DEFAULT);
        Queue queue = new Queue(manager, estimator, Profile.OWN);
        long[] out = new long[2];
        queue.waits(new int[0], new long[0], 0, out);
        assertThat(queue.isKnown()).isTrue();
        queue.waits(new int[] {1, 2}, new long[] {1_000, 1_000}, 2, out);
        assertThat(out).containsExactly(5_000, 5_000);
    }
}
