package io.sheaf.bench;

import io.sheaf.formats.Source;
import io.sheaf.formats.wfformat.WfFormat;
import io.sheaf.platform.Algorithm;
import io.sheaf.platform.Algorithms;
import io.sheaf.platform.Model;
import io.sheaf.platform.PlatformSimulation;
import io.sheaf.platform.Platforms;
import io.sheaf.platform.Scenario;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How long does it take to simulate an execution on P4 with A8, and how much faster is that than what Table 3 of Casanova et al.
 * (JSSPP 2022) reports for the published simulator?
 *
 * <p>Processor time of the thread, once warm: the best of several rounds, and the median. Then generated workflows of 100,000 tasks. The published workflows
 * are in the folder that the environment variable SHEAF_SHARED names. Argument: the rounds.
 */
public final class HowFastIsAnExecutionOnAPlatform {
    private record Published(String name, String file, double seconds) {}

    private static final List<Published> TABLE_3 = List.of(
            new Published("W2", "epigenomics-chameleon-ilmn-4seq-50k-001", 2.86),
            new Published("W3", "bwa-chameleon-large-003", 5.58),
            new Published("W4", "cycles-chameleon-2l-2c-12p-001", 4.48),
            new Published("W5", "1000genome-chameleon-8ch-250k-001", 3.20),
            new Published("W6", "blast-chameleon-medium-002", 0.77),
            new Published("W7", "soykb-chameleon-10fastq-20ch-001", 6.97),
            new Published("W8", "srasearch-chameleon-10a-003", 0.11));
    private static final int W1_TASKS = 4846;
    private static final long W1_MICROS = 31_320_000_000L;
    private static final double W1_SECONDS = 29.35;
    private static final int LARGE = 100_000;
    private static final long WORK_MICROS = 10_000_000L * 3_600_000_000L / 1000;

    private HowFastIsAnExecutionOnAPlatform() {}

    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[0]);
        Path shared = Measure.shared();
        WfFormat format = new WfFormat();
        for (Model model : Model.values()) {
            for (Published published : TABLE_3) {
                Path file = shared.resolve("data/jsspp2022/workflows").resolve(published.file() + ".json");
                Workflow workflow = format.read(Source.of(file), format.fileEdgesByDefault());
                measure(published.name(), workflow, model, rounds, published.seconds());
            }
        }
        Workflow montage = Families.named("montage").generate(Recipe.of(W1_TASKS, W1_MICROS, 1000));
        for (Model model : Model.values()) {
            measure("like W1", montage, model, Math.max(3, rounds / 10), W1_SECONDS);
        }
        for (String family : List.of("montage", "forkjoin", "genome")) {
            Workflow workflow = Families.named(family).generate(Recipe.of(LARGE, WORK_MICROS, 1));
            measure(family + " " + workflow.size(), workflow, Model.PAPER, 3, Double.NaN);
        }
    }

    private static void measure(String name, Workflow workflow, Model model, int rounds, double published) {
        long begun = Measure.cpu();
        Scenario scenario = new Scenario(workflow, Platforms.of("P4"), model);
        Algorithm algorithm = Algorithms.of(model).get(8);
        double makespan =
                PlatformSimulation.run(scenario, algorithm).execution().makespan();
        double first = (Measure.cpu() - begun) / 1e9;
        double[] seconds = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            long begin = Measure.cpu();
            PlatformSimulation.run(scenario, algorithm);
            seconds[i] = (Measure.cpu() - begin) / 1e9;
        }
        Arrays.sort(seconds);
        long before = allocated();
        PlatformSimulation.run(scenario, algorithm);
        double megabytes = (allocated() - before) / 1e6;
        Measure.print(
                "%-14s %-9s makespan %10.2f s, with preparation %8.2f ms, then best %8.3f ms, median %8.3f ms, makespan over median %9.0f,"
                        + " allocates %7.2f MB%s",
                name,
                model.text(),
                makespan,
                1e3 * first,
                1e3 * seconds[0],
                1e3 * seconds[rounds / 2],
                makespan / seconds[rounds / 2],
                megabytes,
                Double.isNaN(published)
                        ? ""
                        : String.format(Locale.ROOT, ", Table 3 over median %.0f", published / seconds[rounds / 2]));
    }

    /** The bytes that one execution allocates, an upper bound of its memory. */
    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }
}
