package io.sheaf.runtime.run;

import io.sheaf.agent.AgentSettings;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.cluster.ProcessLauncher;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.Service;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.strategy.UnknownTimes;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Creates the manager, rules and strategy of a {@link RunSpec}; the same for a run, its recovery and its viewers. */
public final class SpecifiedManager {
    /**
     * The number of times that a walltime may cut off a task before it counts as failed. From one minute, the
     * walltimes are 1, 3, 6, 13 and 28 minutes.
     */
    private static final int MAX_TIMEOUTS = 5;

    private SpecifiedManager() {}

    public static Manager manager(
            Path folder,
            RunSpec spec,
            Workflow workflow,
            Strategy strategy,
            StartEstimator estimator,
            DecisionSink considered)
            throws IOException {
        Manager made = new Manager(
                workflow,
                profile(spec).runOrder()::ranks,
                strategy,
                estimator,
                considered,
                Math.min(spec.nodes(), spec.limits().units()),
                spec.cap(),
                rules(spec));
        Service service = Service.of(folder);
        if (service != null) {
            service.rule(made);
        }
        return made;
    }

    public static Rules rules(RunSpec spec) {
        return Rules.DEFAULT
                .keepGoing(spec.keepGoing())
                .sharedFiles(!spec.isolated())
                .maxTimeouts(MAX_TIMEOUTS)
                .node(spec.node())
                .perRun(spec.perRun())
                .growth(spec.growth())
                .brief(spec.brief())
                .ample(spec.ample())
                .hold(spec.hold())
                .limits(spec.offered(profile(spec).reserveMillis()))
                .pools(spec.offeredPools(profile(spec).reserveMillis()));
    }

    public static Profile profile(RunSpec spec) {
        Profile named =
                switch (spec.profile()) {
                    case "own" -> Profile.OWN;
                    case "thesis" -> Profile.THESIS;
                    default -> throw InputException.unknown("profile", spec.profile(), List.of("own", "thesis"));
                };
        int grace = spec.where().equals(Placement.LOCAL) ? ProcessLauncher.GRACE_MILLIS : AgentSettings.GRACE_MILLIS;
        return named.withReserve(AgentSettings.reserveMillis(grace));
    }

    /** The strategy; if run times are not given, it measures them first. */
    public static Strategy strategy(String name, RunSpec spec, Workflow workflow, WaitMemory waits) {
        Profile profile = profile(spec);
        PerWorkflow.Maker maker = each -> {
            RunTimes times = new RunTimes(each, profile.planOrder(), spec.node());
            return Strategies.named(name, times, profile, waits);
        };
        return isTimed(workflow) && !spec.times().all()
                ? PerWorkflow.of(workflow, maker)
                : new UnknownTimes(workflow, profile, maker);
    }

    /** Whether run times are given; those of tasks that are added later are unknown. */
    public static boolean isTimed(Workflow workflow) {
        return workflow.size() > 0 && workflow.tasksWithoutTime() == 0;
    }
}
