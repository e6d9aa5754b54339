package io.sheaf.lab.platform;

import io.sheaf.formats.Source;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.platform.Algorithms;
import io.sheaf.platform.CandidateCache;
import io.sheaf.platform.Model;
import io.sheaf.platform.Platform;
import io.sheaf.platform.PlatformPortfolio;
import io.sheaf.platform.PlatformSimulation;
import io.sheaf.platform.PortfolioSettings;
import io.sheaf.platform.Scenario;
import io.sheaf.platform.TaskOrders;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Simulates runs on one platform under one model; a run that does not depend on the seed is simulated once. */
final class SimulatedOutcomes implements PlatformBlock.Outcomes {
    private final Platform platform;
    private final Model model;
    private final List<WorkflowInstance> workflows;
    private final List<@Nullable Source> orders;
    private final Map<String, PlatformOutcome> known = new ConcurrentHashMap<>();
    private final Map<String, CandidateCache> caches = new ConcurrentHashMap<>();

    /**
     * For these workflows.
     *
     * @param orders the file with the order of ties of each workflow; null for the default order
     */
    SimulatedOutcomes(Platform platform, Model model, List<WorkflowInstance> workflows, List<@Nullable Source> orders) {
        this.platform = platform;
        this.model = model;
        this.workflows = workflows;
        this.orders = orders;
    }

    @Override
    public PlatformOutcome of(int workflow, PlatformStrategy strategy, long seed) {
        return strategy.dependsOnSeed()
                ? run(workflow, strategy, seed)
                : known.computeIfAbsent(workflow + strategy.name(), key -> run(workflow, strategy, seed));
    }

    private PlatformOutcome run(int workflow, PlatformStrategy strategy, long seed) {
        try {
            PortfolioSettings settings = strategy.settings();
            CandidateCache cache = caches.computeIfAbsent(
                    workflow + (settings == null ? "-" : "+"),
                    key -> new CandidateCache(scenario(workflow, settings != null), Algorithms.of(model)));
            Scenario scenario = cache.scenario();
            double bound = PlatformOutcome.bound(scenario);
            if (settings == null) {
                PlatformSimulation run = PlatformSimulation.run(scenario, Algorithms.named(strategy.name(), model));
                return PlatformOutcome.simulated(run.execution(), bound, List.of());
            }
            PlatformPortfolio.Run run =
                    PlatformPortfolio.run(cache, settings.withError(settings.error(), Math.toIntExact(seed)));
            return PlatformOutcome.simulated(run.simulation().execution(), bound, run.rounds());
        } catch (RuntimeException e) {
            // A failed run does not stop the others.
            return PlatformOutcome.failed(e);
        }
    }

    private Scenario scenario(int number, boolean portfolio) {
        var workflow = workflows.get(number).workflow();
        Source order = orders.get(number);
        return order == null
                ? new Scenario(workflow, platform, model)
                : new Scenario(workflow, platform, model, TaskOrders.read(order, workflow, platform.name(), portfolio));
    }
}
