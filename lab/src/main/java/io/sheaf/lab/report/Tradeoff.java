package io.sheaf.lab.report;

import io.sheaf.formats.picture.Axis;
import io.sheaf.formats.picture.Palette;
import io.sheaf.formats.picture.Svg;
import io.sheaf.text.DecimalText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Makespan against node-hours held, a picture for each workflow and in it a point for each strategy: what is to the lower left of another is better in both. Points of one strategy with
 * different parameters are joined in the order in which they were named, which makes a curve of them.
 */
final class Tradeoff {
    private static final int COLUMNS = 3;
    private static final double WIDTH = 300;
    private static final double HEIGHT = 230;
    private static final double TOP = 34;
    private static final double POINT = 7;
    private static final double HOUR = 3600;

    private Tradeoff() {}

    /** The picture; empty where no node-hours are known. */
    static String picture(Map<String, List<Figures>> byWorkflow, List<String> strategies) {
        Map<String, List<Figures>> shown = new LinkedHashMap<>();
        byWorkflow.forEach((workflow, all) -> {
            List<Figures> points = all.stream().filter(Tradeoff::isPoint).toList();
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
        for (Map.Entry<String, List<Figures>> each : shown.entrySet()) {
            int row = place / COLUMNS;
            int column = place % COLUMNS;
            place++;
            panel(svg, column * WIDTH, TOP + row * HEIGHT, each.getKey(), each.getValue(), strategies);
        }
        return svg.close("svg").toString();
    }

    private static boolean isPoint(Figures each) {
        return Double.isFinite(each.makespanSeconds()) && Double.isFinite(each.nodeHoursHeld());
    }

    private static void panel(
            Svg svg, double left, double top, String workflow, List<Figures> points, List<String> strategies) {
        double bottom = top + HEIGHT - 50;
        double right = left + WIDTH - 14;
        Axis across = axis(points, Figures::nodeHoursHeld, left + 46, right);
        Axis up = axis(points, each -> each.makespanSeconds() / HOUR, bottom, top + 18);
        across.drawAcross(svg, bottom, top + 18, "");
        up.drawUp(svg, left + 46, right, " h");
        svg.text(left + 46, top + 10, workflow);
        svg.text(right, bottom + 28, "node-hours held", "text-anchor", "end");
        Map<String, StringBuilder> curves = new LinkedHashMap<>();
        Map<String, Integer> colours = new LinkedHashMap<>();
        for (Figures each : points) {
            double x = across.at(each.nodeHoursHeld());
            double y = up.at(each.makespanSeconds() / HOUR);
            int colour = strategies.indexOf(each.strategy());
            String family = each.strategy().split(":", 2)[0];
            StringBuilder curve = curves.computeIfAbsent(family, name -> new StringBuilder());
            colours.putIfAbsent(family, colour);
            curve.append(curve.isEmpty() ? 'M' : 'L')
                    .append(svg.number(x))
                    .append(' ')
                    .append(svg.number(y));
            String title = each.strategy() + ": " + DecimalText.fixed(each.makespanSeconds() / HOUR, 2) + " h, "
                    + DecimalText.fixed(each.nodeHoursHeld(), 0) + " node-hours";
            svg.rectangle(x - POINT / 2, y - POINT / 2, POINT, POINT, title, "fill", Palette.line(colour));
        }
        List<String> joined = new ArrayList<>(curves.keySet());
        joined.removeIf(
                family -> curves.getOrDefault(family, new StringBuilder()).indexOf("L") < 0);
        joined.forEach(family -> Charts.path(
                svg, String.valueOf(curves.get(family)), Palette.line(colours.getOrDefault(family, 0)), "none"));
    }

    private static Axis axis(List<Figures> points, ToDoubleFunction<Figures> value, double from, double to) {
        double low = points.stream().mapToDouble(value).min().orElse(0);
        double high = points.stream().mapToDouble(value).max().orElse(1);
        return Axis.over(low, high, from, to);
    }
}
