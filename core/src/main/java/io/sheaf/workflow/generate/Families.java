package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.List;
import java.util.stream.Stream;

/** The families of workflows that Sheaf can generate, in display order. */
public final class Families {
    private static final List<Family> ALL = List.of(
            new Montage(),
            new CyberShake(),
            new Genome(),
            new Sipht(),
            new Eman(),
            new Blast(),
            new MontageZhang(),
            new Fft(),
            new GaussianElimination(),
            SouzaFamily.MONTAGE,
            SouzaFamily.BLAST,
            SouzaFamily.STATISTICS,
            new RandomDag(),
            new ChainOrBag("chain", "a chain of tasks, one after the other", "link", true),
            new ForkJoin(),
            new ChainOrBag("bag", "a bag of independent tasks", "item", false));

    private Families() {}

    public static List<Family> all() {
        return ALL;
    }

    /** The family with this name; throws an exception that lists the names if it is unknown. */
    public static Family named(String name) {
        List<String> known = ALL.stream().map(Family::name).toList();
        if (!known.contains(name)) {
            throw InputException.unknown("workflow family", name, known);
        }
        return ALL.get(known.indexOf(name));
    }

    /** A chain, each task after the one before it, or a bag of tasks: no edges at all. */
    private static final class ChainOrBag extends Family {
        private final String category;
        private final boolean chained;

        ChainOrBag(String name, String title, String category, boolean chained) {
            super(name, title, SpreadTimes.PARAMETERS);
            this.category = category;
            this.chained = chained;
        }

        @Override
        public Workflow generate(Recipe recipe) {
            recipe.check(this);
            SpreadTimes times = new SpreadTimes(this, recipe);
            int tasks = SpreadTimes.tasks(recipe);
            Sketch sketch = new Sketch(name() + "-" + tasks);
            for (int i = 0; i < tasks; i++) {
                int task = sketch.task(category, times.next());
                if (chained && i > 0) {
                    sketch.edge(task - 1, task);
                }
            }
            return sketch.build(recipe.workMicros());
        }
    }

    /**
     * Fork and join: a task, w tasks after it, a task after them, and so on for s stages.
     *
     * <p>s w + s + 1 tasks in 2s + 1 levels; w gives the number of tasks nearest to the requested one (the smaller of two), at least 1.
     */
    private static final class ForkJoin extends Family {
        private static final int MAX_STAGES = 1_000_000;

        ForkJoin() {
            super(
                    "forkjoin",
                    "fork and join, in one stage or several",
                    Stream.concat(
                                    Stream.of(new Parameter("stages", "1", "how often the workflow forks and joins")),
                                    SpreadTimes.PARAMETERS.stream())
                            .toList());
        }

        @Override
        public Workflow generate(Recipe recipe) {
            recipe.check(this);
            int stages = recipe.integer(this, "stages", 1, MAX_STAGES);
            SpreadTimes times = new SpreadTimes(this, recipe);
            int workers = SpreadTimes.tasks(recipe) - stages - 1;
            int width = Math.max(1, (workers + (stages - 1) / 2) / stages);
            int tasks = stages * width + stages + 1;
            Sketch sketch = new Sketch(name() + "-" + tasks);
            int fork = sketch.task("point", times.next());
            for (int stage = 0; stage < stages; stage++) {
                int join = sketch.task("point", times.next());
                for (int i = 0; i < width; i++) {
                    int worker = sketch.task("worker", times.next());
                    sketch.edge(fork, worker).edge(worker, join);
                }
                fork = join;
            }
            return sketch.build(recipe.workMicros());
        }
    }

    /** Run times around a mean, as the simple shapes draw them: log-normal, all equal where the spread is 0. */
    private static final class SpreadTimes {
        static final int DEFAULT_TASKS = 100;
        static final List<Family.Parameter> PARAMETERS = List.of(
                new Family.Parameter("time", "10m", "the mean run time of a task"),
                new Family.Parameter("spread", "0", "standard deviation of the run times over their mean, 0 to 10"));

        private final double mean;
        private final double spread;
        private final RandomStream random;

        SpreadTimes(Family family, Recipe recipe) {
            mean = recipe.micros(family, "time");
            spread = recipe.number(family, "spread", 0, 10);
            random = new RandomStream(recipe.seed()).split(family.name());
        }

        double next() {
            return spread == 0 ? mean : random.lognormalAround(mean, spread);
        }

        static int tasks(Recipe recipe) {
            return recipe.tasks() > 0 ? recipe.tasks() : DEFAULT_TASKS;
        }
    }
}
