package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.platform.Algorithms;
import io.sheaf.platform.CandidateCache;
import io.sheaf.platform.Model;
import io.sheaf.platform.Platform;
import io.sheaf.platform.PlatformPortfolio;
import io.sheaf.platform.PlatformSimulation;
import io.sheaf.platform.PortfolioSettings;
import io.sheaf.platform.Scenario;
import io.sheaf.platform.TaskOrders;
import io.sheaf.sim.campaign.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Workflows on one platform in one model, run by algorithms and portfolios. */
final class PlatformBlock extends PlatformGrid {
    private final Model model;
    /** The order of ties of each workflow, where there is one. */
    private final List<@Nullable Source> orders;

    PlatformBlock(
            Platform platform,
            Model model,
            List<Subject> subjects,
            List<@Nullable Source> orders,
            List<Arm> arms,
            List<Long> seeds) {
        super(platform, model.text(), subjects, arms, seeds);
        this.model = model;
        this.orders = orders;
    }

    /** The outcome of what does not depend on the seed is worked out once, whoever comes first. */
    @Override
    public void run(int threads, int[] items, Sink sink) {
        Map<String, String> same = new ConcurrentHashMap<>();
        Map<String, CandidateCache> caches = new ConcurrentHashMap<>();
        Workers.run(
                threads,
                items.length,
                () -> number -> {
                    int item = items[number];
                    int subject = subject(item);
                    long seed = seed(item);
                    List<String> rows = new ArrayList<>();
                    for (Arm arm : arms) {
                        String outcome = arm.isDrawn()
                                ? outcome(subject, arm, seed, caches)
                                : same.computeIfAbsent(
                                        subject + arm.name(), key -> outcome(subject, arm, seed, caches));
                        rows.add(row(item, arm, outcome));
                    }
                    sink.ran(item, rows);
                },
                () -> {});
    }

    private String outcome(int subject, Arm arm, long seed, Map<String, CandidateCache> caches) {
        try {
            CandidateCache cache = caches.computeIfAbsent(
                    subject + (arm.isPortfolio() ? "+" : "-"),
                    key -> new CandidateCache(scenario(subject, arm.isPortfolio()), Algorithms.of(model)));
            Scenario scenario = cache.scenario();
            double bound = PlatformTable.bound(scenario);
            PortfolioSettings settings = arm.settings();
            if (settings == null) {
                PlatformSimulation run = PlatformSimulation.run(scenario, Algorithms.named(arm.name(), model));
                return PlatformTable.outcome(run.execution(), bound, List.of());
            }
            PlatformPortfolio.Run run =
                    PlatformPortfolio.run(cache, settings.withError(settings.error(), Math.toIntExact(seed)));
            return PlatformTable.outcome(run.simulation().execution(), bound, run.rounds());
        } catch (RuntimeException e) {
            // The others go on.
            return PlatformTable.broken(String.valueOf(e));
        }
    }

    private Scenario scenario(int subject, boolean portfolio) {
        var workflow = subjects.get(subject).workflow();
        Source order = orders.get(subject);
        return order == null
                ? new Scenario(workflow, platform, model)
                : new Scenario(workflow, platform, model, TaskOrders.read(order, workflow, platform.name(), portfolio));
    }
}
