package io.sheaf.lab.platform;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.lab.experiment.ComparisonSpec;
import io.sheaf.lab.experiment.Experiment;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Problems;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.experiment.Section;
import io.sheaf.lab.experiment.WorkflowEntry;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.platform.Model;
import io.sheaf.platform.Platform;
import io.sheaf.platform.Platforms;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Workflows on platforms of several clusters without a queue, run by list-scheduling algorithms and portfolios of them.
 *
 * <p>The model {@code study} is not simulated: its runs are read from published tables, so that both are reported in the same way.
 */
public final class PlatformExperiment implements Experiment {
    public static final ExperimentKind KIND = new ExperimentKind(
            "platforms",
            "",
            ComparisonSpec.keysWith(
                    "workflows", "platforms", "model", "published", "task-orders", "repetitions", "seeds"),
            PlatformExperiment::new);

    private static final String STUDY = "study";
    private static final String GROUP = "{group}";

    private final Section section;
    private final ComparisonSpec comparison;
    private final List<WorkflowEntry> workflows = new ArrayList<>();
    private final List<String> models;
    private final List<Long> seeds;

    PlatformExperiment(Section section) {
        this.section = section;
        comparison = ComparisonSpec.read(section, PlatformStrategy::normal);
        section.maps("workflows").forEach(each -> workflows.add(WorkflowEntry.read(each, section.problems())));
        models = section.each(
                "model", List.of(Model.PAPER.text()), Section.word(Model.PAPER.text(), Model.PUBLISHED.text(), STUDY));
        seeds = ComparisonSpec.seeds(section);
        ComparisonSpec.need(section, "workflows", "platforms", "strategies");
    }

    @Override
    public ComparisonSpec comparison() {
        return comparison;
    }

    @Override
    public List<String> columns() {
        return PlatformBlock.COLUMNS;
    }

    @Override
    public List<RunBlock> blocks(Inputs inputs, Problems problems) {
        List<WorkflowInstance> instances = new ArrayList<>();
        workflows.forEach(entry -> instances.addAll(entry.instances(inputs, seeds.get(0))));
        WorkflowInstance.refuseSameNames(instances, problems);
        instances.forEach(each -> refuseUnknownTimes(each, problems));
        List<PlatformStrategy> strategies = problems.each(comparison.strategies(), PlatformStrategy::of);
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
        List<Source> tables = new ArrayList<>();
        for (Path file : problems.each(section.texts("published"), inputs::find)) {
            tables.add(Source.of(file));
        }
        return Objects.requireNonNullElse(
                problems.get(section.place(), () -> PublishedRuns.read(tables)), PublishedRuns.NOTHING);
    }
}
