package io.sheaf.lab.platform;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.lab.experiment.ComparisonSpec;
import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.Experiment;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Problems;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.experiment.Section;
import io.sheaf.lab.experiment.WorkflowEntry;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.platform.Algorithms;
import io.sheaf.platform.CandidateCache;
import io.sheaf.platform.Model;
import io.sheaf.platform.Platform;
import io.sheaf.platform.PlatformPortfolio;
import io.sheaf.platform.PlatformSimulation;
import io.sheaf.platform.Platforms;
import io.sheaf.platform.PortfolioSettings;
import io.sheaf.platform.Scenario;
import io.sheaf.platform.TaskOrders;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Workflows on platforms of several clusters without a queue, run by list-scheduling algorithms and portfolios of them.
 *
 * <p>The model {@code study} is not simulated: its runs are read from published tables, so that both are reported in the same way.
 */
public final class PlatformExperiment extends Experiment {
    public static final ExperimentKind KIND = new ExperimentKind(
            "platforms",
            "",
            ComparisonSpec.keysWith(
                    "workflows", "platforms", "model", "published", "task-orders", "repetitions", "seeds"),
            PlatformExperiment::new);

    private static final String STUDY = "study";
    private static final String GROUP = "{group}";

    private final Section section;
    private final List<WorkflowEntry> workflows = new ArrayList<>();
    private final List<String> models;
    private final List<Long> seeds;

    PlatformExperiment(Section section) {
        super(ComparisonSpec.read(section, PlatformStrategy::normal), PlatformBlock.COLUMNS);
        this.section = section;
        section.maps("workflows").forEach(each -> workflows.add(WorkflowEntry.read(each, section.problems())));
        models = section.each(
                "model", List.of(Model.PAPER.text()), Section.word(Model.PAPER.text(), Model.PUBLISHED.text(), STUDY));
        seeds = ComparisonSpec.seeds(section);
        ComparisonSpec.need(section, "workflows", "platforms", "strategies");
    }

    @Override
    public List<RunBlock> blocks(Inputs inputs, Problems problems) {
        List<WorkflowInstance> instances = new ArrayList<>();
        workflows.forEach(entry -> instances.addAll(entry.instances(inputs, seeds.get(0))));
        WorkflowInstance.refuseSameNames(instances, problems);
        instances.forEach(each -> refuseUnknownTimes(each, problems));
        List<PlatformStrategy> strategies = problems.each(comparison().strategies(), PlatformStrategy::of);
        List<Platform> platforms = problems.each(section.texts("platforms"), name -> platform(name, inputs));
        List<Source> orders =
                instances.stream().map(instance -> taskOrder(instance, inputs)).toList();
        PublishedRuns published = models.contains(STUDY) ? published(inputs, problems) : PublishedRuns.NOTHING;
        List<RunBlock> blocks = new ArrayList<>();
        for (String model : models) {
            for (Platform platform : platforms) {
                Supplier<PlatformBlock.Outcomes> outcomes = model.equals(STUDY)
                        ? () -> published.outcomes(platform, instances)
                        : () -> new SimulatedOutcomes(platform, Model.of(model), instances, orders);
                blocks.add(new PlatformBlock(platform, model, instances, strategies, seeds, outcomes));
            }
        }
        return blocks;
    }

    private static void refuseUnknownTimes(WorkflowInstance instance, Problems problems) {
        Workflow workflow = instance.workflow();
        for (int task = 0; task < workflow.size(); task++) {
            if (workflow.timeMicros(task) == Workflow.UNKNOWN) {
                problems.add(new InputException("task '" + workflow.id(task) + "' of workflow '" + instance.name()
                        + "' has no run time; give it one"));
                return;
            }
        }
    }

    private static Platform platform(String name, Inputs inputs) {
        Path file = inputs.find(name);
        return Platforms.of(file == null ? name : file.toString());
    }

    /** The file with the order of ties of a workflow; null where there is none. */
    private @Nullable Source taskOrder(WorkflowInstance instance, Inputs inputs) {
        Text pattern = section.text("task-orders");
        Path file = pattern == null ? null : inputs.find(pattern.text().replace(GROUP, instance.group()));
        return file == null ? null : Source.of(file);
    }

    private PublishedRuns published(Inputs inputs, Problems problems) {
        List<Source> tables = problems.each(section.texts("published"), inputs::find).stream()
                .map(Source::of)
                .toList();
        return Objects.requireNonNullElse(
                problems.get(section.place(), () -> PublishedRuns.read(tables)), PublishedRuns.NOTHING);
    }

    /** Simulates runs on one platform under one model; a run that does not depend on the seed is simulated once. */
    private static final class SimulatedOutcomes implements PlatformBlock.Outcomes {
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
        SimulatedOutcomes(
                Platform platform, Model model, List<WorkflowInstance> workflows, List<@Nullable Source> orders) {
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
                    : new Scenario(
                            workflow, platform, model, TaskOrders.read(order, workflow, platform.name(), portfolio));
        }
    }

    /**
     * Runs on one platform: workflows × strategies × seeds; an item is a workflow and a seed.
     *
     * @param model the name of the model in the table
     * @param source creates the outcomes of these runs, with what they share
     */
    record PlatformBlock(
            Platform platform,
            String model,
            List<WorkflowInstance> workflows,
            List<PlatformStrategy> strategies,
            List<Long> seeds,
            Supplier<Outcomes> source)
            implements RunBlock {
        static final List<String> COLUMNS = RowColumns.table(
                List.of("platform", "model"),
                WorkflowInstance.COLUMNS.names(),
                List.of("strategy", "seed"),
                PlatformOutcome.COLUMNS.names());

        /** Where outcomes come from: a simulation or published tables. Called by several threads. */
        interface Outcomes {
            PlatformOutcome of(int workflow, PlatformStrategy strategy, long seed);
        }

        @Override
        public List<String> names() {
            return workflows.stream().map(WorkflowInstance::name).toList();
        }

        @Override
        public int repeats() {
            return seeds.size();
        }

        @Override
        public String identity() {
            return platform + model + seeds + WorkflowInstance.identity(workflows);
        }

        @Override
        public Supplier<ItemRunner> prepare(int[] items) {
            Outcomes outcomes = source.get();
            return () -> item -> rows(outcomes, item / seeds.size(), seeds.get(item % seeds.size()));
        }

        private List<String> rows(Outcomes outcomes, int workflow, long seed) {
            String beginning = Csv.quoted(platform.name()) + "," + model + ","
                    + WorkflowInstance.COLUMNS.row(workflows.get(workflow)) + ",";
            List<String> rows = new ArrayList<>();
            for (PlatformStrategy strategy : strategies) {
                PlatformOutcome outcome = outcomes.of(workflow, strategy, seed);
                rows.add(beginning + Csv.quoted(strategy.name()) + "," + seed + ","
                        + PlatformOutcome.COLUMNS.row(outcome));
            }
            return rows;
        }
    }
}
