package io.sheaf.platform;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntBinaryOperator;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * A workflow on a platform under a model: everything that a simulation reads and never changes.
 *
 * <p>Files of a task come in the order of their names. How well a task scales is drawn: Amdahl's parallel part α is uniform in
 * [0.8, 1), task after task in the order of their names, from a generator with the published study's seed.
 */
public final class Scenario {
    private static final int ALPHA_SEED = 42;
    private static final double MIN_ALPHA = 0.8;
    private static final double MICROS = 1e6;
    /** The order of names by their bytes, as C++ maps keep them. */
    static final Comparator<String> BY_BYTES = (a, b) -> isPlain(a) && isPlain(b)
            ? a.compareTo(b)
            : Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

    private final Workflow workflow;
    private final Platform platform;
    private final Model model;
    private final int[] tieOrder;
    private final Map<TaskCriterion, int[]> ranks;
    /** The nominal run times on one reference core; progress is measured in them. */
    final double[] work;
    /** The run times on one reference core that the simulation uses. */
    final double[] seconds;

    final double[] alpha;
    final double totalSeconds;
    final int[] inputStart;
    final int[] inputs;
    final int[] outputStart;
    final int[] outputs;
    final double[] bytes;
    /** Whether a task writes the file; all other files are on the user's machine from the start. */
    final boolean[] produced;

    public Scenario(Workflow workflow, Platform platform, Model model) {
        this(workflow, platform, model, IntStream.range(0, workflow.size()).toArray());
    }

    /** @param tieOrder the place of each task in the order that breaks ties */
    public Scenario(Workflow workflow, Platform platform, Model model, int[] tieOrder) {
        this.workflow = workflow;
        this.platform = platform;
        this.model = model;
        this.tieOrder = tieOrder.clone();
        ranks = new ConcurrentHashMap<>();
        int size = workflow.size();
        if (tieOrder.length != size) {
            throw new IllegalArgumentException("an order of " + tieOrder.length + " for " + size + " tasks");
        }
        seconds = new double[size];
        double total = 0;
        for (int task = 0; task < size; task++) {
            if (workflow.timeMicros(task) == Workflow.UNKNOWN) {
                throw new InputException("task '" + workflow.id(task) + "' has no run time; give it one");
            }
            seconds[task] = workflow.timeMicros(task) / MICROS;
            total += seconds[task];
        }
        totalSeconds = total;
        work = seconds.clone();
        alpha = drawAlphas(workflow);
        bytes = new double[workflow.files()];
        for (int file = 0; file < bytes.length; file++) {
            bytes[file] = Math.max(0, workflow.fileSize(file));
        }
        int[] nameRank = ranks(workflow.files(), byName(workflow::fileName));
        inputStart = starts(size, workflow::inputs);
        outputStart = starts(size, workflow::outputs);
        inputs = new int[inputStart[size]];
        outputs = new int[outputStart[size]];
        produced = new boolean[bytes.length];
        for (int task = 0; task < size; task++) {
            fill(inputs, inputStart, task, workflow::input, nameRank);
            fill(outputs, outputStart, task, workflow::output, nameRank);
            for (int i = outputStart[task]; i < outputStart[task + 1]; i++) {
                produced[outputs[i]] = true;
            }
        }
    }

    /** The same scenario with other run times; the work of a task remains nominal. */
    private Scenario(Scenario other, double[] seconds) {
        workflow = other.workflow;
        platform = other.platform;
        model = other.model;
        tieOrder = other.tieOrder;
        work = other.work;
        totalSeconds = other.totalSeconds;
        alpha = other.alpha;
        inputStart = other.inputStart;
        inputs = other.inputs;
        outputStart = other.outputStart;
        outputs = other.outputs;
        bytes = other.bytes;
        produced = other.produced;
        // Algorithms order tasks by nominal values, so the ranks are the same.
        ranks = other.ranks;
        this.seconds = seconds.clone();
    }

    /** The same workflow with these run times, while algorithms order tasks by the nominal ones. */
    Scenario withSeconds(double[] reference) {
        return new Scenario(this, reference);
    }

    private static int[] starts(int size, IntToLongFunction degree) {
        int[] start = new int[size + 1];
        for (int task = 0; task < size; task++) {
            start[task + 1] = (int) (start[task] + degree.applyAsLong(task));
        }
        return start;
    }

    private static void fill(int[] files, int[] start, int task, IntBinaryOperator listed, int[] nameRank) {
        int count = start[task + 1] - start[task];
        long[] sorted = new long[count];
        for (int i = 0; i < count; i++) {
            int file = listed.applyAsInt(task, i);
            sorted[i] = ((long) nameRank[file] << 32) | file;
        }
        Arrays.sort(sorted);
        for (int i = 0; i < count; i++) {
            files[start[task] + i] = (int) sorted[i];
        }
    }

    private static Comparator<Integer> byName(IntFunction<String> name) {
        return Comparator.comparing(name::apply, BY_BYTES);
    }

    private static Integer[] sorted(int count, Comparator<Integer> order) {
        return IntStream.range(0, count).boxed().sorted(order).toArray(Integer[]::new);
    }

    /** The place of each number in this order. */
    private static int[] ranks(int count, Comparator<Integer> order) {
        Integer[] sorted = sorted(count, order);
        int[] rank = new int[count];
        for (int i = 0; i < count; i++) {
            rank[sorted[i]] = i;
        }
        return rank;
    }

    private static double[] drawAlphas(Workflow workflow) {
        MersenneTwister random = new MersenneTwister(ALPHA_SEED);
        double[] alpha = new double[workflow.size()];
        for (int task : sorted(alpha.length, byName(workflow::id))) {
            alpha[task] = random.uniform(MIN_ALPHA, 1);
        }
        return alpha;
    }

    public Workflow workflow() {
        return workflow;
    }

    public Platform platform() {
        return platform;
    }

    public Model model() {
        return model;
    }

    public int size() {
        return seconds.length;
    }

    /** Amdahl's parallel part of a task. */
    public double alpha(int task) {
        return alpha[task];
    }

    /** The sum of the sizes of the files that a task reads. */
    public double inputBytes(int task) {
        double sum = 0;
        for (int i = inputStart[task]; i < inputStart[task + 1]; i++) {
            sum += bytes[inputs[i]];
        }
        return sum;
    }

    /** The sum of the sizes of the files that a task writes. */
    public double outputBytes(int task) {
        double sum = 0;
        for (int i = outputStart[task]; i < outputStart[task + 1]; i++) {
            sum += bytes[outputs[i]];
        }
        return sum;
    }

    /** The place of each task among all, by a criterion and then by the order that breaks ties; shared, not to be changed. */
    int[] rank(TaskCriterion criterion) {
        return ranks.computeIfAbsent(criterion, each -> {
            double[] key = each.keys(this);
            return ranks(
                    size(),
                    Comparator.<Integer>comparingDouble(task -> key[task]).thenComparingInt(task -> tieOrder[task]));
        });
    }

    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
