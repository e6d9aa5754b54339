package io.sheaf.app.platform;

import io.sheaf.formats.picture.Svg;
import io.sheaf.platform.PlatformExecution;
import io.sheaf.platform.PortfolioRound;
import io.sheaf.platform.Scenario;
import io.sheaf.text.DecimalText;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** A Gantt chart of nodes as SVG: one row per used node, one bar per task in three phases. */
final class PlatformGantt {
    private static final int MAX_TASKS = 20_000;
    private static final double WIDTH = 1400;
    private static final double LEFT = 90;
    private static final double ROW = 16;
    private static final double TOP = 20;
    private static final double LABEL = 26;

    private final Scenario scenario;
    private final PlatformExecution execution;
    private final List<PortfolioRound> rounds;
    private final int[] tasks;
    private final int[] rowOfNode;
    private final int[] firstNode;
    private int rows;

    PlatformGantt(Scenario scenario, PlatformExecution execution, List<PortfolioRound> rounds) {
        this.scenario = scenario;
        this.execution = execution;
        this.rounds = rounds;
        tasks = IntStream.range(0, scenario.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(execution::start).thenComparingInt(task -> task))
                .limit(MAX_TASKS)
                .mapToInt(Integer::intValue)
                .toArray();
        int clusters = scenario.platform().clusters().size();
        firstNode = new int[clusters + 1];
        for (int k = 0; k < clusters; k++) {
            firstNode[k + 1] =
                    firstNode[k] + scenario.platform().clusters().get(k).nodes();
        }
        rowOfNode = new int[firstNode[clusters]];
        numberRows();
    }

    private void numberRows() {
        Arrays.fill(rowOfNode, -1);
        for (int task : tasks) {
            rowOfNode[node(task)] = 0;
        }
        for (int node = 0; node < rowOfNode.length; node++) {
            rowOfNode[node] = rowOfNode[node] < 0 ? -1 : rows++;
        }
    }

    private int node(int task) {
        return firstNode[execution.cluster(task)] + execution.node(task);
    }

    /** A note on omitted rows or bars. */
    String omitted() {
        int more = scenario.size() - tasks.length;
        return (more > 0 ? "The last " + more + " tasks are not drawn. " : "") + "Unused nodes are not drawn.";
    }

    String svg() {
        double height = TOP + rows * ROW + 4;
        Svg svg = new Svg(2);
        String box = "0 0 " + svg.number(WIDTH) + " " + svg.number(height);
        svg.open("svg", "class", "gantt", "role", "img", "aria-label", "Tasks on nodes over time", "viewBox", box);
        axis(svg, height);
        for (int k = 0; k + 1 < firstNode.length; k++) {
            clusterName(svg, k);
        }
        bars(svg);
        choices(svg, height);
        return svg.close("svg").toString();
    }

    private void choices(Svg svg, double height) {
        double written = Double.NEGATIVE_INFINITY;
        for (PortfolioRound round : rounds) {
            double x = x(round.date());
            svg.line(x, 0, x, height, "class", "choice");
            // Omits names that would overlap; the table lists all.
            if (x > written + LABEL) {
                svg.text(x + 2, 18, "A" + round.chosen());
                written = x;
            }
        }
    }

    private void axis(Svg svg, double height) {
        for (int i = 0; i <= 4; i++) {
            double time = execution.makespan() * i / 4;
            svg.line(x(time), 0, x(time), height, "class", "axis");
            svg.text(Math.min(x(time) + 2, WIDTH - 60), 9, DecimalText.fixed(time, 1) + " s");
        }
    }

    private void clusterName(Svg svg, int cluster) {
        for (int node = firstNode[cluster]; node < firstNode[cluster + 1]; node++) {
            if (rowOfNode[node] >= 0) {
                svg.text(
                        2,
                        TOP + rowOfNode[node] * ROW + 12,
                        scenario.platform().clusters().get(cluster).name());
                return;
            }
        }
    }

    private void bars(Svg svg) {
        double[][] freeAt = new double[rowOfNode.length][];
        for (int task : tasks) {
            int node = node(task);
            int all =
                    scenario.platform().clusters().get(execution.cluster(task)).cores();
            if (freeAt[node] == null) {
                freeAt[node] = new double[all];
            }
            int lane = lane(freeAt[node], task);
            double y = TOP + rowOfNode[node] * ROW + (ROW - 1) * lane / all;
            double high = (ROW - 1) * execution.cores(task) / all;
            svg.open("g")
                    .holding(
                            "title",
                            scenario.workflow().id(task) + ": " + execution.cores(task) + " cores, "
                                    + DecimalText.fixed(execution.start(task), 1) + " to "
                                    + DecimalText.fixed(execution.end(task), 1) + " s");
            bar(svg, execution.start(task), execution.read(task), y, high, "reading");
            bar(svg, execution.read(task), execution.computed(task), y, high, "computing");
            bar(svg, execution.computed(task), execution.end(task), y, high, "writing");
            svg.close("g");
        }
    }

    /** The first free adjacent lanes; if there are none, those that become free earliest. */
    private int lane(double[] freeAt, int task) {
        int count = execution.cores(task);
        int best = 0;
        double earliest = Double.POSITIVE_INFINITY;
        for (int lane = 0; lane + count <= freeAt.length; lane++) {
            double free = Arrays.stream(freeAt, lane, lane + count).max().orElse(0);
            if (free < earliest && earliest > execution.start(task)) {
                earliest = free;
                best = lane;
            }
        }
        Arrays.fill(freeAt, best, best + count, execution.end(task));
        return best;
    }

    private double x(double time) {
        return LEFT + (WIDTH - LEFT) * time / Math.max(execution.makespan(), 1e-9);
    }

    private void bar(Svg svg, double from, double to, double y, double height, String phase) {
        if (to > from) {
            svg.rectangle(x(from), y, x(to) - x(from), height, "", "class", phase);
        }
    }
}
