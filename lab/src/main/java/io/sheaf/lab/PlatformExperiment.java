package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.platform.Model;
import io.sheaf.platform.Platform;
import io.sheaf.platform.Platforms;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Workflows on platforms of several clusters without a queue, run by algorithms of list scheduling and by portfolios of them.
 *
 * <p>Beside the two models there may be a third, {@code study}: runs that are not simulated but looked up in tables that others published, so that both are
 * reported in the same way.
 */
final class PlatformExperiment implements Experiment {
    static final List<String> KEYS = Stream.concat(
                    Compared.KEYS.stream(),
                    Stream.of("workflows", "platforms", "model", "published", "task-orders", "repetitions", "seeds"))
            .toList();

    private static final String STUDY = "study";
    private static final String GROUP = "{group}";

    private final Section section;
    private final Compared compared;
    private final List<WorkflowEntry> workflows = new ArrayList<>();
    private final List<String> models;
    private final List<Long> seeds;

    PlatformExperiment(Section section) {
        this.section = section;
        compared = Compared.read(section, Arm::normal);
        section.maps("workflows").forEach(each -> workflows.add(WorkflowEntry.read(each, section.problems())));
        models = section.each(
                "model", List.of(Model.PAPER.text()), Section.word(Model.PAPER.text(), Model.PUBLISHED.text(), STUDY));
        seeds = Compared.seeds(section);
        Compared.need(section, "workflows", "platforms", "strategies");
    }

    @Override
    public Compared compared() {
        return compared;
    }

    @Override
    public List<String> columns() {
        return PlatformTable.COLUMNS;
    }

    @Override
    public List<Block> blocks(Inputs inputs, Problems problems) {
        List<Subject> subjects = new ArrayList<>();
        workflows.forEach(entry -> subjects.addAll(entry.subjects(inputs, seeds.get(0))));
        Subject.refuseSameNames(subjects, problems);
        subjects.forEach(each -> refuseUnknownTimes(each, problems));
        List<Arm> arms = new ArrayList<>();
        for (Text strategy : compared.strategies()) {
            Arm arm = problems.get(strategy.place(), () -> Arm.of(strategy.text()));
            if (arm != null) {
                arms.add(arm);
            }
        }
        List<Platform> platforms = new ArrayList<>();
        for (Text text : section.texts("platforms")) {
            Platform platform = problems.get(text.place(), () -> platform(text.text(), inputs));
            if (platform != null) {
                platforms.add(platform);
            }
        }
        List<Source> orders =
                subjects.stream().map(subject -> taskOrder(subject, inputs)).toList();
        Published published = models.contains(STUDY) ? published(inputs, problems) : Published.NOTHING;
        List<Block> blocks = new ArrayList<>();
        for (String model : models) {
            boolean isStudy = model.equals(STUDY);
            for (Platform platform : platforms) {
                blocks.add(
                        isStudy
                                ? new PublishedBlock(platform, subjects, arms, seeds, published)
                                : new PlatformBlock(platform, Model.of(model), subjects, orders, arms, seeds));
            }
        }
        return blocks;
    }

    private static void refuseUnknownTimes(Subject subject, Problems problems) {
        Workflow workflow = subject.workflow();
        for (int task = 0; task < workflow.size(); task++) {
            if (workflow.timeMicros(task) == Workflow.UNKNOWN) {
                problems.add(new InputException("task '" + workflow.id(task) + "' of workflow '" + subject.name()
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
    private @Nullable Source taskOrder(Subject subject, Inputs inputs) {
        Text pattern = section.text("task-orders");
        Path file = pattern == null ? null : inputs.find(pattern.text().replace(GROUP, subject.group()));
        return file == null ? null : Source.of(file);
    }

    private Published published(Inputs inputs, Problems problems) {
        List<Source> tables = new ArrayList<>();
        for (Text text : section.texts("published")) {
            Path file = problems.get(text.place(), () -> inputs.find(text.text()));
            if (file != null) {
                tables.add(Source.of(file));
            }
        }
        return Objects.requireNonNullElse(
                problems.get(section.place(), () -> Published.read(tables)), Published.NOTHING);
    }
}
