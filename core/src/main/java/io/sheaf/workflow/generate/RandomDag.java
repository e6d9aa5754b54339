package io.sheaf.workflow.generate;

import static io.sheaf.workflow.generate.GraphProperty.named;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Random graphs by the properties of Yu and Shi, "A planner-guided scheduling strategy for multiple workflow applications",
 * ICPP Workshops 2008, section IV.B, who use the test bench of Hönig and Schiffmann (PDCS 2004).
 *
 * <h2>What the paper specifies</h2>
 * The size, 175 to 249 jobs; the meshing degree, the extent to which nodes are connected; the edge length, the average
 * number of nodes located between two connected nodes; and the weights of nodes and edges, the time for computation and
 * communication. Meshing degree and edge length are low, medium, high or random, the weights high or low in all four pairs,
 * or random both: 80 classes ({@link PropertyClass}), 25 graphs of each. The numbers behind the words are those of the test
 * bench and not in the paper.
 *
 * <h2>What is chosen here</h2>
 * Tasks are numbered in an order that all edges follow. Each word is a range, from which every task or edge draws uniformly, so
 * that random is the whole range:
 * <ul>
 *   <li>meshing: the number of parents of a task; low 1–2, medium 3–4, high 5–8;
 *   <li>edge length: how many tasks lie between parent and child in that order, in percent of all tasks; low 5–10, medium 10–20,
 *       high 20–30. Long edges give a wide and shallow graph. None is shorter than 5 %: graphs of shorter edges are nearly chains, and
 *       the makespans of Table I hardly depend on meshing degree and edge length;
 *   <li>node weight: seconds of run time; low 1–50, high 51–100;
 *   <li>edge weight: units of {@link PropertyClass#BYTES_PER_WEIGHT} bytes in one file from parent to child; low 1–50, high 51–100.
 *       At 1 MB/s an edge of weight 1 takes as long as a node of weight 1.
 * </ul>
 * A task near the beginning has fewer parents where there are not enough tasks at that distance, and is an entry task where
 * there is none. If a total of run times is given, edge weights are scaled with the node weights, so that the ratio of
 * communication to computation stays.
 */
final class RandomDag extends Family {
    private static final GraphProperty MESHING = new GraphProperty(
            "meshing",
            "parents of a task",
            1,
            64,
            List.of(named("low", 1, 2), named("medium", 3, 4), named("high", 5, 8), named("random", 1, 8)));
    private static final GraphProperty EDGE_LENGTH = new GraphProperty(
            "edge-length",
            "tasks between parent and child, in percent of all",
            0,
            100,
            List.of(named("low", 5, 10), named("medium", 10, 20), named("high", 20, 30), named("random", 5, 30)));
    private static final GraphProperty NODE_WEIGHT = weight("node-weight", "run time in seconds");
    private static final GraphProperty EDGE_WEIGHT =
            weight("edge-weight", "data from parent to child in units of 1 MB");
    private static final List<GraphProperty> PROPERTIES = List.of(MESHING, EDGE_LENGTH, NODE_WEIGHT, EDGE_WEIGHT);

    private static GraphProperty weight(String name, String about) {
        return new GraphProperty(
                name,
                about,
                0,
                1_000_000,
                List.of(named("low", 1, 50), named("high", 51, 100), named("random", 1, 100)));
    }

    RandomDag() {
        super(
                "random",
                "random graphs by meshing degree, edge length, node and edge weight (Yu and Shi)",
                Stream.concat(
                                PROPERTIES.stream().map(GraphProperty::parameter),
                                Stream.of(new Parameter(
                                        "class",
                                        "0",
                                        "one of the 80 classes of the paper, 1 to 80, instead of the others")))
                        .toList());
    }

    @Override
    public Workflow generate(Recipe recipe) {
        Recipe settled = withClass(recipe);
        RandomStream random = new RandomStream(recipe.seed()).split(name());
        int tasks = recipe.tasks() > 0
                ? recipe.tasks()
                : random.split("size").between(PropertyClass.MIN_JOBS, PropertyClass.MAX_JOBS);
        Sketch sketch = new Sketch(name() + "-" + tasks);
        double total = 0;
        GraphProperty.Range weights = read(settled, NODE_WEIGHT);
        RandomStream nodes = random.split("nodes");
        for (int task = 0; task < tasks; task++) {
            double micros = (double) weights.draw(nodes) * TimeText.SECOND;
            sketch.task("job", micros);
            total += micros;
        }
        double scale = recipe.workMicros() > 0 && total > 0 ? recipe.workMicros() / total : 1;
        connect(sketch, tasks, settled, scale, random);
        return sketch.build(recipe.workMicros());
    }

    /** The recipe with the properties of its class, if it has one. */
    private Recipe withClass(Recipe recipe) {
        recipe.check(this);
        int number = recipe.integer(this, "class", 0, PropertyClass.COUNT);
        if (number == 0) {
            return recipe;
        }
        for (GraphProperty property : PROPERTIES) {
            if (recipe.parameters().containsKey(property.name())) {
                throw new InputException("class=" + number + " fixes " + property.name() + "; leave out one of them");
            }
        }
        return new Recipe(
                recipe.tasks(),
                recipe.workMicros(),
                recipe.seed(),
                PropertyClass.of(number).parameters());
    }

    private GraphProperty.Range read(Recipe recipe, GraphProperty property) {
        return property.read(recipe.text(this, property.name()));
    }

    private void connect(Sketch sketch, int tasks, Recipe recipe, double scale, RandomStream random) {
        GraphProperty.Range meshing = read(recipe, MESHING);
        GraphProperty.Range length = read(recipe, EDGE_LENGTH);
        GraphProperty.Range weight = read(recipe, EDGE_WEIGHT);
        int nearest = (int) ((long) tasks * length.low() / 100);
        int farthest = (int) ((long) tasks * length.high() / 100);
        RandomStream degrees = random.split("degrees");
        RandomStream lengths = random.split("lengths");
        RandomStream weights = random.split("edges");
        int[] parents = new int[MESHING.max()];
        for (int task = 0; task < tasks; task++) {
            int last = task - 1 - nearest;
            int first = Math.max(0, task - 1 - farthest);
            int degree = meshing.draw(degrees);
            int count = choose(degree, first, last, lengths, parents);
            for (int i = 0; i < count; i++) {
                double bytes = (double) weight.draw(weights) * PropertyClass.BYTES_PER_WEIGHT;
                sketch.edge(parents[i], task, Math.round(bytes * scale));
            }
        }
    }

    /**
     * Chooses this many distinct numbers of first … last, or all if there are fewer, ascending, with equal probability (Floyd's algorithm,
     * in Bentley, "Programming pearls", CACM 30(9), 1987).
     */
    private static int choose(int size, int first, int last, RandomStream random, int[] into) {
        int count = 0;
        for (int limit = Math.max(first, last - size + 1); limit <= last; limit++) {
            int candidate = random.between(first, limit);
            boolean taken = false;
            for (int i = 0; i < count; i++) {
                taken |= into[i] == candidate;
            }
            into[count++] = taken ? limit : candidate;
        }
        Arrays.sort(into, 0, count);
        return count;
    }
}
