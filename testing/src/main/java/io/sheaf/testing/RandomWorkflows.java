package io.sheaf.testing;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Workflows with every property set somewhere, for tests that say "whatever the workflow".
 *
 * <p>Which properties appear can be narrowed to what a format is able to hold.
 */
public final class RandomWorkflows {
    /** What a generated workflow may contain. */
    public enum Part {
        FILES,
        FILE_EDGES,
        UNKNOWN_TIMES,
        LIMITS,
        RESOURCES,
        RETRIES,
        PRIORITIES,
        COMMANDS,
        ENVIRONMENT,
        SCALING,
        CATEGORY_SETUP
    }

    private static final String[] WORDS = {
        "a",
        "b c",
        "--x=1",
        "it's",
        "\"quoted\"",
        "$HOME",
        "line\nbreak",
        "tab\there",
        "ünï",
        "",
        "#no",
        "- dash",
        "{}",
        "yes",
        "0x10"
    };

    private final RandomStream random;
    private final List<Part> parts;

    public RandomWorkflows(long seed, List<Part> parts) {
        this.random = new RandomStream(seed);
        this.parts = List.copyOf(parts);
    }

    public static RandomWorkflows withEverything(long seed) {
        return new RandomWorkflows(seed, List.of(Part.values()));
    }

    public Workflow next() {
        int tasks = random.between(1, 30);
        int kinds = random.between(1, 4);
        WorkflowBuilder builder = new WorkflowBuilder("w" + random.nextInt(1000));
        builder.fileEdges(parts.contains(Part.FILE_EDGES) && random.chance(0.5));
        if (has(Part.CATEGORY_SETUP)) {
            builder.describe(new Category(
                    "kind0", List.of("module load x", "export A='b c'"), random.chance(0.5) ? "image:1" : null));
        }
        List<Integer> written = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            int task = builder.task("t" + i + (random.chance(0.2) ? "_x.y-" + i : ""));
            builder.category(task, "kind" + random.nextInt(kinds));
            properties(builder, task);
            edges(builder, task);
            if (parts.contains(Part.FILES)) {
                files(builder, task, written);
            }
        }
        return builder.build();
    }

    private boolean has(Part part) {
        return parts.contains(part) && random.chance(0.4);
    }

    private void properties(WorkflowBuilder builder, int task) {
        if (!has(Part.UNKNOWN_TIMES)) {
            builder.time(task, random.chance(0.1) ? 0 : random.nextLong(100_000_000_000L));
        }
        if (has(Part.LIMITS)) {
            builder.limit(task, 1 + random.nextLong(1_000_000_000_000L), 0);
        }
        if (has(Part.RESOURCES)) {
            builder.resources(
                    task,
                    new Resources(
                            random.between(1, 64), random.nextLong(1L << 40), random.nextInt(5), random.between(1, 4)));
        }
        if (has(Part.RETRIES)) {
            builder.retries(task, random.nextInt(5));
        }
        if (has(Part.PRIORITIES)) {
            builder.priority(task, random.between(-10, 10));
        }
        if (has(Part.SCALING)) {
            builder.scaling(
                    task, new Scaling(Map.of(1, random.nextLong(1_000_000_000), 8, random.nextLong(1_000_000_000))));
        }
        if (has(Part.COMMANDS)) {
            command(builder, task);
        }
    }

    private void command(WorkflowBuilder builder, int task) {
        Command command = random.chance(0.5)
                ? Command.script("echo " + word() + "\n" + word())
                : Command.of(List.of("/bin/prog", word(), word()));
        if (has(Part.ENVIRONMENT)) {
            Map<String, String> variables = new LinkedHashMap<>();
            variables.put("B", word());
            variables.put("A", word());
            command = command.with(variables);
        }
        builder.command(task, command);
    }

    private void edges(WorkflowBuilder builder, int task) {
        for (int e = 0; task > 0 && e < random.nextInt(4); e++) {
            builder.edge(random.nextInt(task), task);
        }
    }

    private void files(WorkflowBuilder builder, int task, List<Integer> written) {
        for (int i = 0; i < random.nextInt(3); i++) {
            int file = builder.file("out/f" + task + "." + i, size());
            builder.output(task, file);
            written.add(file);
        }
        for (int i = 0; i < random.nextInt(3); i++) {
            boolean own = written.isEmpty() || random.chance(0.3);
            int file =
                    own ? builder.file("in" + random.nextInt(10), size()) : written.get(random.nextInt(written.size()));
            builder.input(task, file);
        }
    }

    private long size() {
        return random.chance(0.2) ? 0 : random.nextLong(1L << 42);
    }

    private String word() {
        return WORDS[random.nextInt(WORDS.length)];
    }
}
