package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Strategies in runs that grow. */
class PerWorkflowTest {
    private static final int TASKS = 12;
    private static final long HOUR = 3_600_000_000L;

    /** Any job starts at once. */
    private static final class Free implements StartEstimator {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            answer.begin(query, basis());
            answer.fill(query.isWithQueued() ? StartTimes.NEVER : query.now());
        }

        @Override
        public Basis basis() {
            return Basis.PROMISE;
        }
    }

    /** Records submissions. */
    private static final class Submitted extends NoEffects {
        private final List<Request> requests = new ArrayList<>();
        private long token;

        @Override
        public void submit(long pilotJob, Request request) {
            token = pilotJob;
            requests.add(request);
        }
    }

    private static Workflow bag(String name, int tasks) {
        WorkflowBuilder builder = new WorkflowBuilder(name);
        for (int i = 0; i < tasks; i++) {
            builder.time(builder.task(name + i), HOUR);
        }
        return builder.build();
    }

    /**
     * Twelve tasks of an hour are done, and their level gets one more: one node for 66 minutes is requested, as for a
     * workflow of one task.
     */
    @ParameterizedTest
    @ValueSource(strings = {"onejob", "glume", "levelbylevel", "giant", "zhang", "hybrid"})
    void finishedTasksAreNotPlannedAgain(String name) {
        Workflow first = bag("a", TASKS);
        PerWorkflow strategy = PerWorkflow.of(
                first, each -> Strategies.named(name, new RunTimes(each, Profile.OWN.planOrder(), 1), Profile.OWN));
        Submitted out = new Submitted();
        Manager manager = new Manager(
                first,
                Profile.OWN.runOrder()::ranks,
                strategy,
                new Free(),
                DecisionSink.NOTHING,
                TASKS,
                1,
                Rules.DEFAULT.keepGoing(true));
        manager.on(new Event.Opened(0), out);
        manager.settle(0, out);
        assertThat(out.requests).hasSize(1);
        assertThat(out.requests.get(0).units()).isEqualTo(TASKS);
        manager.on(new Event.Started(0, out.token), out);
        for (int task = 0; task < TASKS; task++) {
            manager.on(new Event.TaskEnded(HOUR / 1000, out.token, task, 1, Event.Outcome.SUCCEEDED), out);
        }
        manager.on(new Event.Ended(HOUR / 1000, out.token, Event.End.RELEASED), out);
        manager.settle(HOUR / 1000, out);
        assertThat(out.requests).hasSize(1);

        manager.on(new Event.Grown(HOUR, Addition.of(new Origin("more", "", 0, ""), bag("b", 1))), out);
        manager.settle(HOUR, out);
        assertThat(out.requests).hasSize(2);
        assertThat(out.requests.get(1)).isEqualTo(Request.of(1, 66 * 60_000));
    }
}
