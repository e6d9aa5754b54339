package io.sheaf.testing;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Random workflows in which every property is set somewhere, for property tests.
 *
 * <p>Which properties appear can be narrowed to what a format is able to hold.
 */
public final class RandomWorkflows {
    /** What a generated workflow may contain. */
    public enum WorkflowFeature {
        FILES,
        FILE_EDGES,
        UNKNOWN_TIMES,
        LIMITS,
        RESOURCES,
        /** Less than a core. */
        SHARES,
        RETRIES,
        PRIORITIES,
        COMMANDS,
        ENVIRONMENT,
        SCALING,
        CATEGORY_SETUP,
        /** Ids, categories and file names with blanks, quotes, marks and letters from everywhere. */
        ODD_NAMES,
        UNKNOWN_SIZES
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

    private static final String[] ODDITIES = {
        " ",
        "#",
        "#0020",
        "#0",
        " b",
        "/c:d",
        "ä",
        "\ud83c\udf3e",
        "\"",
        "'",
        "\\",
        "\n",
        "<&>",
        "_ID0000001",
        "%20",
        "$(x)",
        "*",
        "\u0000"
    };

    private final RandomStream random;
    private final List<WorkflowFeature> parts;

    public RandomWorkflows(long seed, List<WorkflowFeature> parts) {
        this.random = new RandomStream(seed);
        this.parts = List.copyOf(parts);
    }

    /** Every property; names are plain and sizes known, as every format can hold them. */
    public static RandomWorkflows withEverything(long seed) {
        return new RandomWorkflows(
                seed,
                Arrays.stream(WorkflowFeature.values())
                        .filter(part -> part != WorkflowFeature.ODD_NAMES && part != WorkflowFeature.UNKNOWN_SIZES)
                        .toList());
    }

    /** Every property, odd names and unknown sizes as well. */
    public static RandomWorkflows withOddNames(long seed) {
        return new RandomWorkflows(seed, List.of(WorkflowFeature.values()));
    }

    public Workflow next() {
        int tasks = random.between(1, 30);
        int kinds = random.between(1, 4);
        WorkflowBuilder builder = new WorkflowBuilder("w" + random.nextInt(1000));
        builder.fileEdges(parts.contains(WorkflowFeature.FILE_EDGES) && random.chance(0.5));
        if (has(WorkflowFeature.CATEGORY_SETUP)) {
            builder.describe(new Category(
                    "kind0", List.of("module load x", "export A='b c'"), random.chance(0.5) ? "image:1" : null));
        }
        List<Integer> written = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            int task = builder.task(odd("t" + i + (random.chance(0.2) ? "_x.y-" + i : "")));
            builder.category(task, odd("kind" + random.nextInt(kinds)));
            properties(builder, task);
            edges(builder, task);
            if (parts.contains(WorkflowFeature.FILES)) {
                files(builder, task, written);
            }
        }
        return builder.build();
    }

    private boolean has(WorkflowFeature part) {
        return parts.contains(part) && random.chance(0.4);
    }

    private void properties(WorkflowBuilder builder, int task) {
        if (!has(WorkflowFeature.UNKNOWN_TIMES)) {
            builder.time(task, random.chance(0.1) ? 0 : random.nextLong(100_000_000_000L));
        }
        if (has(WorkflowFeature.LIMITS)) {
            builder.limit(task, 1 + random.nextLong(1_000_000_000_000L), 0);
        }
        if (has(WorkflowFeature.RESOURCES)) {
            builder.resources(
                    task,
                    new Resources(
                            random.between(1, 64), random.nextLong(1L << 40), random.nextInt(5), random.between(1, 4)));
        }
        if (has(WorkflowFeature.SHARES)) {
            builder.resources(
                    task, Resources.of(random.between(1, 999), random.nextLong(1L << 40), random.nextInt(5), 1));
        }
        if (has(WorkflowFeature.RETRIES)) {
            builder.retries(task, random.nextInt(5));
        }
        if (has(WorkflowFeature.PRIORITIES)) {
            builder.priority(task, random.between(-10, 10));
        }
        if (has(WorkflowFeature.SCALING)) {
            builder.scaling(
                    task, new Scaling(Map.of(1, random.nextLong(1_000_000_000), 8, random.nextLong(1_000_000_000))));
        }
        if (has(WorkflowFeature.COMMANDS)) {
            command(builder, task);
        }
    }

    private void command(WorkflowBuilder builder, int task) {
        Command command = random.chance(0.5)
                ? Command.script("echo " + word() + "\n" + word())
                : Command.of(List.of("/bin/prog", word(), word()));
        if (has(WorkflowFeature.ENVIRONMENT)) {
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
            int file = builder.file(odd("out/f" + task + "." + i), size());
            builder.output(task, file);
            written.add(file);
        }
        for (int i = 0; i < random.nextInt(3); i++) {
            boolean own = written.isEmpty() || random.chance(0.3);
            int file = own
                    ? builder.file(odd("in" + random.nextInt(10)), size())
                    : written.get(random.nextInt(written.size()));
            builder.input(task, file);
        }
    }

    private String odd(String name) {
        return parts.contains(WorkflowFeature.ODD_NAMES) && random.chance(0.3)
                ? name + ODDITIES[random.nextInt(ODDITIES.length)]
                : name;
    }

    private long size() {
        if (parts.contains(WorkflowFeature.UNKNOWN_SIZES) && random.chance(0.2)) {
            return Workflow.UNKNOWN;
        }
        return random.chance(0.2) ? 0 : random.nextLong(1L << 42);
    }

    private String word() {
        return WORDS[random.nextInt(WORDS.length)];
    }
}
