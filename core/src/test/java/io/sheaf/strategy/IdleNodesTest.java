package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.workflow.WorkflowBuilder;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs on nodes that are free now. */
class IdleNodesTest {
    /** Estimator of a queue in which each job starts after a minute. */
    private static final StartEstimator BUSY = new StartEstimator() {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            answer.begin(query, Basis.SIMULATED);
            answer.fill(query.now() + 60_000);
        }

        @Override
        public Basis basis() {
            return Basis.SIMULATED;
        }
    };

    /** Estimator of an idle cluster that knows its basis only after a query, like that of a real batch system. */
    private static final class LateBasis implements StartEstimator {
        private Basis basis = Basis.NONE;

        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            basis = Basis.SIMULATED;
            answer.begin(query, basis);
            answer.fill(query.now());
        }

        @Override
        public Basis basis() {
            return basis;
        }
    }

    /** The job of three ready tasks of unknown times on eight nodes. */
    private static Order.@Nullable Submit job(StartEstimator estimator) {
        WorkflowBuilder builder = new WorkflowBuilder("three");
        for (int i = 0; i < 3; i++) {
            builder.task("t" + i);
        }
        Strategy idle = new Strategy() {
            @Override
            public String name() {
                return "idle";
            }

            @Override
            public Decision decide(View view, Memo memo, StartEstimator unused, DecisionSink sink) {
                return Decision.of(memo);
            }
        };
        Manager view = new Manager(
                builder.build(),
                TaskOrder.BOTTOM_LEVEL::ranks,
                idle,
                estimator,
                DecisionSink.NOTHING,
                8,
                8,
                Rules.DEFAULT);
        TimeGuesses guesses = new TimeGuesses(view, new TimeGuesses.Kinds(view.workflow()));
        return new IdleNodes(view, guesses, Profile.OWN, estimator).job(DecisionSink.NOTHING);
    }

    @Test
    void theFirstDecisionUsesFreeNodes() {
        assertThat(job(new LateBasis()))
                .isNotNull()
                .satisfies(job -> assertThat(job.request().units()).isEqualTo(3));
    }

    @Test
    void nodesAreNotFreeWithoutAnEstimate() {
        assertThat(job(StartEstimator.UNINFORMED)).isNull();
    }

    /** A decision follows each end of a task: with thousands of ready tasks it must not read them all. */
    @Test
    void readyTasksAreNotReadWhereNoNodeIsFree() {
        List<String> requests = new ArrayList<>();
        View view = (View) Proxy.newProxyInstance(
                View.class.getClassLoader(), new Class<?>[] {View.class}, (self, method, args) -> {
                    requests.add(method.getName());
                    return switch (method.getName()) {
                        case "workflow" -> new WorkflowBuilder("none").build();
                        case "cap", "nodes" -> 8;
                        case "nextReady" -> -1;
                        case "hasJob" -> false;
                        case "now" -> 0L;
                        case "walltime" -> Long.MAX_VALUE;
                        case "pools" -> Pools.NONE;
                        default -> 0;
                    };
                });
        TimeGuesses guesses = new TimeGuesses(view, new TimeGuesses.Kinds(view.workflow()));
        requests.clear();
        IdleNodes nodes = new IdleNodes(view, guesses, Profile.OWN, BUSY);
        assertThat(nodes.job(DecisionSink.NOTHING)).isNull();
        assertThat(requests).contains("cap").doesNotContain("nextReady", "readyTasks");
    }
}
