package io.sheaf.sim;

import io.sheaf.manager.Strategy;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.strategy.UnknownTimes;
import io.sheaf.workflow.Workflow;
import java.util.Locale;

/** The knowledge that a simulated run has of the run times of its tasks. */
public enum KnownTimes {
    /** Those of the workflow. */
    GIVEN,
    /** None at first; then those of completed tasks, for tasks of the same category. */
    LEARNT,
    /** None, but that a task which was cut off takes longer. */
    NONE;

    /** The workflow as the run sees it. */
    public Workflow shown(Workflow workflow) {
        return this == GIVEN ? workflow : workflow.untimed();
    }

    public SimulationSetup setup(SimulationSetup setup, Workflow workflow) {
        return this == GIVEN
                ? setup
                : setup.unknowing(workflow, this == LEARNT ? ExpectedRunTimes.HistoryRule.DEFAULT : null);
    }

    /** The strategy for a workflow as the run sees it. */
    public Strategy strategy(Workflow shown, SimulationSetup setup, PerWorkflow.Maker maker) {
        return this == GIVEN ? maker.of(shown) : new UnknownTimes(shown, setup.profile(), maker);
    }

    /** The same for a strategy by its name, with the run times of the workflow on the nodes of the setup. */
    public Strategy strategy(Workflow shown, SimulationSetup setup, String name) {
        Profile profile = setup.profile();
        return strategy(
                shown,
                setup,
                each -> Strategies.named(name, new RunTimes(each, profile.planOrder(), setup.node()), profile));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
