package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Rules;
import io.sheaf.predict.StartEstimator;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunReportsTest {
    private final Workflow workflow = workflow();
    private final Manager manager = new Manager(
            workflow,
            Profile.OWN.runOrder()::ranks,
            Strategies.named("onejob", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN),
            StartEstimator.UNINFORMED,
            DecisionSink.NOTHING,
            1,
            1,
            Rules.DEFAULT);
    private final List<String> received = new ArrayList<>();
    private final RunReports reports = new RunReports(manager, new RunListener() {
        @Override
        public void happened(Event event, Manager now) {
            received.add("event " + event.at());
        }

        @Override
        public void message(String text) {
            received.add(text);
        }
    });

    private static Workflow workflow() {
        WorkflowBuilder builder = new WorkflowBuilder("one");
        builder.resources(builder.task("a"), new Resources(1, 100 << 20, 0, 1));
        return builder.build();
    }

    @Test
    void nothingIsReportedBeforeTheTurnIsDurable() {
        reports.message("first");
        reports.happened(new Event.Woken(7));
        assertThat(received).isEmpty();
        reports.flush();
        assertThat(received).containsExactly("first", "event 7");
        reports.flush();
        assertThat(received).hasSize(2);
    }

    @Test
    void onlyAMemoryIncreaseIsReported() {
        reports.grown(0, 100 << 20);
        reports.grown(0, 50 << 20);
        reports.flush();
        assertThat(received).containsExactly("task 'a' exceeded 50M of memory; its next attempt requests 100M");
    }
}
