package io.sheaf.lab.report;

import io.sheaf.formats.picture.Axis;
import io.sheaf.formats.picture.Palette;
import io.sheaf.formats.picture.Svg;
import io.sheaf.lab.report.StrategyFigures.Measure;
import io.sheaf.text.DecimalText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Makespan against node-hours: a panel for each workflow with a point for each strategy; points to the lower left are better in both. Points of one strategy with different parameters are
 * joined in the order of the experiment.
 */
final class Tradeoff {
    private static final int COLUMNS = 3;
    private static final double WIDTH = 300;
    private static final double HEIGHT = 230;
    private static final double TOP = 34;
    private static final double POINT = 7;
    private static final double HOUR = 3600;

    private Tradeoff() {}

    /** The picture; empty if no node-hours are known. */
    static String picture(Map<String, List<StrategyFigures>> byWorkflow, List<String> strategies) {
        Map<String, List<StrategyFigures>> shown = new LinkedHashMap<>();
        byWorkflow.forEach((workflow, all) -> {
            List<StrategyFigures> points =
                    all.stream().filter(Tradeoff::isPoint).toList();
            if (!points.isEmpty()) {
                shown.put(workflow, points);
            }
        });
        if (shown.isEmpty()) {
            return "";
        }
        int rows = (shown.size() + COLUMNS - 1) / COLUMNS;
        Svg svg = Charts.begin((int) (COLUMNS * WIDTH), (int) (TOP + rows * HEIGHT));
        svg.legend(10, 16, strategies);
        int place = 0;
        for (Map.Entry<String, List<StrategyFigures>> each : shown.entrySet()) {
            int row = place / COLUMNS;
            int column = place % COLUMNS;
            place++;
            panel(svg, column * WIDTH, TOP + row * HEIGHT, each.getKey(), each.getValue(), strategies);
        }
        return svg.close("svg").toString();
    }

    private static boolean isPoint(StrategyFigures each) {
        return Double.isFinite(each.mean(Measure.MAKESPAN)) && Double.isFinite(each.mean(Measure.HELD_NODE_HOURS));
    }

    private static void panel(
            Svg svg, double left, double top, String workflow, List<StrategyFigures> points, List<String> strategies) {
        double bottom = top + HEIGHT - 50;
        double right = left + WIDTH - 14;
        Axis across = axis(points, f -> f.mean(Measure.HELD_NODE_HOURS), left + 46, right);
        Axis up = axis(points, each -> each.mean(Measure.MAKESPAN) / HOUR, bottom, top + 18);
        across.drawAcross(svg, bottom, top + 18, "");
        up.drawUp(svg, left + 46, right, " h");
        svg.text(left + 46, top + 10, workflow);
        svg.text(right, bottom + 28, "node-hours", "text-anchor", "end");
        Map<String, List<StrategyFigures>> curves = new LinkedHashMap<>();
        for (StrategyFigures each : points) {
            double x = across.at(each.mean(Measure.HELD_NODE_HOURS)) - POINT / 2;
            double y = up.at(each.mean(Measure.MAKESPAN) / HOUR) - POINT / 2;
            String title = each.strategy() + ": " + DecimalText.fixed(each.mean(Measure.MAKESPAN) / HOUR, 2) + " h, "
                    + DecimalText.fixed(each.mean(Measure.HELD_NODE_HOURS), 0) + " node-hours";
            String colour = Palette.line(strategies.indexOf(each.strategy()));
            svg.rectangle(x, y, POINT, POINT, title, "fill", colour);
            curves.computeIfAbsent(each.strategy().split(":", 2)[0], family -> new ArrayList<>())
                    .add(each);
        }
        curves.values().stream().filter(curve -> curve.size() > 1).forEach(curve -> {
            double[] x = curve.stream()
                    .mapToDouble(each -> across.at(each.mean(Measure.HELD_NODE_HOURS)))
                    .toArray();
            double[] y = curve.stream()
                    .mapToDouble(each -> up.at(each.mean(Measure.MAKESPAN) / HOUR))
                    .toArray();
            Charts.polyline(svg, strategies.indexOf(curve.get(0).strategy()), x, y);
        });
    }

    private static Axis axis(
            List<StrategyFigures> points, ToDoubleFunction<StrategyFigures> value, double from, double to) {
        double low = points.stream().mapToDouble(value).min().orElse(0);
        double high = points.stream().mapToDouble(value).max().orElse(1);
        return Axis.ofRange(low, high, from, to);
    }
}
