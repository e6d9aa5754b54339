package io.sheaf.app.platform;

import io.sheaf.app.page.Page;
import io.sheaf.platform.PlatformExecution;
import io.sheaf.platform.PortfolioRound;
import io.sheaf.platform.Scenario;
import io.sheaf.text.DecimalText;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** A Gantt chart of nodes as SVG: a row for each node that was used, a bar for each task in three phases. */
final class Gantt {
    private static final int MOST_TASKS = 20_000;
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

    Gantt(Scenario scenario, PlatformExecution execution, List<PortfolioRound> rounds) {
        this.scenario = scenario;
        this.execution = execution;
        this.rounds = rounds;
        tasks = IntStream.range(0, scenario.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(execution::start).thenComparingInt(task -> task))
                .limit(MOST_TASKS)
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

    /** A note on what is not drawn. */
    String omitted() {
        int more = scenario.size() - tasks.length;
        return (more > 0 ? "The last " + more + " tasks are not drawn. " : "") + "Unused nodes are not drawn.";
    }

    String svg() {
        double height = TOP + rows * ROW + 4;
        StringBuilder out = new StringBuilder(200 * tasks.length + 1000);
        out.append("<svg class=\"gantt\" role=\"img\" aria-label=\"Tasks on nodes over time\" viewBox=\"0 0 ")
                .append(number(WIDTH))
                .append(' ')
                .append(number(height))
                .append("\">\n");
        axis(out, height);
        for (int k = 0; k + 1 < firstNode.length; k++) {
            clusterName(out, k);
        }
        bars(out);
        choices(out, height);
        return out.append("</svg>").toString();
    }

    private void choices(StringBuilder out, double height) {
        double written = Double.NEGATIVE_INFINITY;
        for (PortfolioRound round : rounds) {
            double x = x(round.date());
            line(out, x, height, "choice");
            // Names that would lie on each other help nobody; the table below has them all.
            if (x > written + LABEL) {
                label(out, x + 2, 18, "A" + round.chosen());
                written = x;
            }
        }
    }

    private void axis(StringBuilder out, double height) {
        for (int i = 0; i <= 4; i++) {
            double time = execution.makespan() * i / 4;
            line(out, x(time), height, "axis");
            label(out, Math.min(x(time) + 2, WIDTH - 60), 9, DecimalText.fixed(time, 1) + " s");
        }
    }

    private void clusterName(StringBuilder out, int cluster) {
        for (int node = firstNode[cluster]; node < firstNode[cluster + 1]; node++) {
            if (rowOfNode[node] >= 0) {
                label(
                        out,
                        2,
                        TOP + rowOfNode[node] * ROW + 12,
                        scenario.platform().clusters().get(cluster).name());
                return;
            }
        }
    }

    private void bars(StringBuilder out) {
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
            out.append("<g><title>")
                    .append(Page.escape(scenario.workflow().id(task)))
                    .append(": ")
                    .append(execution.cores(task))
                    .append(" cores, ")
                    .append(DecimalText.fixed(execution.start(task), 1))
                    .append(" to ")
                    .append(DecimalText.fixed(execution.end(task), 1))
                    .append(" s</title>");
            bar(out, execution.start(task), execution.read(task), y, high, "reading");
            bar(out, execution.read(task), execution.computed(task), y, high, "computing");
            bar(out, execution.computed(task), execution.end(task), y, high, "writing");
            out.append("</g>\n");
        }
    }

    /** The first of the lanes that are free side by side; where none are, the first that end earliest. */
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

    private void bar(StringBuilder out, double from, double to, double y, double height, String phase) {
        if (to > from) {
            out.append("<rect class=\"")
                    .append(phase)
                    .append("\" x=\"")
                    .append(number(x(from)))
                    .append("\" y=\"")
                    .append(number(y))
                    .append("\" width=\"")
                    .append(number(x(to) - x(from)))
                    .append("\" height=\"")
                    .append(number(height))
                    .append("\"/>");
        }
    }

    private static void line(StringBuilder out, double x, double height, String kind) {
        out.append("<line class=\"")
                .append(kind)
                .append("\" x1=\"")
                .append(number(x))
                .append("\" x2=\"")
                .append(number(x))
                .append("\" y1=\"0\" y2=\"")
                .append(number(height))
                .append("\"/>\n");
    }

    private static void label(StringBuilder out, double x, double y, String text) {
        out.append("<text x=\"")
                .append(number(x))
                .append("\" y=\"")
                .append(number(y))
                .append("\">")
                .append(Page.escape(text))
                .append("</text>\n");
    }

    private static String number(double value) {
        return DecimalText.fixed(value, 2);
    }
}
