package io.sheaf.lab.report;

import io.sheaf.formats.picture.Axis;
import io.sheaf.formats.picture.Palette;
import io.sheaf.formats.picture.Svg;
import io.sheaf.lab.report.Samples.Interval;
import io.sheaf.lab.report.StrategyFigures.Measure;
import io.sheaf.text.DecimalText;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The pictures of a part: improvements as bars, makespans as box plots with their density, and as distributions. */
final class Charts {
    private static final int WIDTH = 900;
    private static final int LEFT = 100;
    private static final int RIGHT = WIDTH - 10;
    private static final double DENSITY_POINTS = 40;

    static final String GREY = "#888888";
    private static final String INK = "#222222";

    private Charts() {}

    /** Begins a picture on white. */
    static Svg begin(int width, int height) {
        return Svg.picture(width, height, "font-family", "sans-serif", "font-size", 11, "fill", "#444444")
                .rectangle(0, 0, width, height, "", "fill", "#ffffff");
    }

    /** Draws a line through points; points that are not finite are left out. */
    static void polyline(Svg svg, int colour, double[] x, double[] y) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            if (Double.isFinite(y[i])) {
                path.append(path.isEmpty() ? 'M' : 'L').append(svg.number(x[i]));
                path.append(' ').append(svg.number(y[i]));
            }
        }
        path(svg, path.toString(), Palette.line(colour), "none");
    }

    private static void path(Svg svg, String data, String colour, String fill) {
        svg.empty("path", "d", data, "stroke", colour, "fill", fill, "fill-opacity", "0.25", "stroke-width", "1.5");
    }

    /** Bars by workflow and strategy: the improvement over the baseline, with the interval of the mean. */
    static String improvement(Map<String, List<StrategyFigures>> byWorkflow, List<String> strategies, String baseline) {
        double low = 0;
        double high = 5;
        for (List<StrategyFigures> all : byWorkflow.values()) {
            for (StrategyFigures each : all) {
                low = Math.min(low, finite(each.interval(Measure.IMPROVEMENT).low()));
                high = Math.max(high, finite(each.interval(Measure.IMPROVEMENT).high()));
            }
        }
        Svg svg = begin(WIDTH, 330);
        Axis axis = Axis.ofRange(Math.max(low, -200), high, 220, 30);
        axis.drawUp(svg, LEFT, RIGHT, " %");
        svg.holding("text", "improvement", "text-anchor", "middle", "transform", "translate(30 125) rotate(-90)");
        List<String> shown =
                strategies.stream().filter(each -> !each.equals(baseline)).toList();
        svg.legend(LEFT, 16, shown);
        double room = (RIGHT - LEFT) / (double) Math.max(1, byWorkflow.size());
        double bar = room * 0.8 / Math.max(1, shown.size());
        int place = 0;
        for (Map.Entry<String, List<StrategyFigures>> workflow : byWorkflow.entrySet()) {
            double x = LEFT + room * (place++ + 0.1);
            for (StrategyFigures each : workflow.getValue()) {
                int colour = shown.indexOf(each.strategy());
                if (colour >= 0 && Double.isFinite(each.mean(Measure.IMPROVEMENT))) {
                    bar(svg, axis, x + colour * bar, bar, each, workflow.getKey(), Palette.line(colour));
                }
            }
            String turned = "translate(" + svg.number(x + room * 0.4) + " 238) rotate(-35)";
            svg.holding("text", workflow.getKey(), "text-anchor", "end", "transform", turned);
        }
        svg.line(LEFT, axis.at(0), RIGHT, axis.at(0), "stroke", GREY);
        return svg.close("svg").toString();
    }

    private static void bar(
            Svg svg, Axis axis, double x, double width, StrategyFigures each, String workflow, String colour) {
        double zero = axis.at(0);
        double at = axis.at(each.mean(Measure.IMPROVEMENT));
        String title =
                workflow + ", " + each.strategy() + ": " + DecimalText.fixed(each.mean(Measure.IMPROVEMENT), 1) + " %";
        double height = Math.max(Math.abs(zero - at), 0.5);
        svg.rectangle(x, Math.min(zero, at), width * 0.9, height, title, "data-run", runs(each), "fill", colour);
        Interval interval = each.interval(Measure.IMPROVEMENT);
        double middle = x + width * 0.45;
        svg.line(middle, axis.at(interval.low()), middle, axis.at(interval.high()), "stroke", INK);
    }

    /** The runs that a click on a bar shows. */
    private static String runs(StrategyFigures each) {
        StrategyFigures.Examples examples = each.examples();
        return examples.typical() == 0 ? "" : examples.typical() + " " + examples.worst() + " " + examples.best();
    }

    private static double finite(double value) {
        return Double.isFinite(value) ? value : 0;
    }

    /** Box plots by strategy of makespan / lower bound: density, quartiles and median, whiskers from the 5th to the 95th percentile. */
    static String boxes(Map<String, double[]> ratios, List<StrategyFigures> figures) {
        double max = 1;
        for (double[] sorted : ratios.values()) {
            max = sorted.length == 0 ? max : Math.max(max, Samples.quantile(sorted, 0.95));
        }
        Svg svg = begin(WIDTH, 40 + 34 * ratios.size());
        Axis axis = Axis.ofRange(1, max, 230, RIGHT);
        double bottom = 10 + 34.0 * ratios.size();
        axis.drawAcross(svg, bottom, 10, "");
        svg.text(RIGHT, bottom + 27, "makespan / lower bound", "text-anchor", "end");
        int row = 0;
        for (Map.Entry<String, double[]> each : ratios.entrySet()) {
            double y = 27 + 34.0 * row;
            svg.text(222, y + 4, each.getKey(), "text-anchor", "end");
            if (each.getValue().length > 0) {
                box(svg, axis, y, each.getValue(), Palette.line(row), runs(figures.get(row)));
            }
            row++;
        }
        return svg.close("svg").toString();
    }

    private static void box(Svg svg, Axis axis, double y, double[] sorted, String colour, String runs) {
        path(svg, violin(svg, axis, y, sorted), colour, colour);
        double low = axis.at(Samples.quantile(sorted, 0.25));
        double high = axis.at(Samples.quantile(sorted, 0.75));
        double median = Samples.quantile(sorted, 0.5);
        double from = axis.at(Samples.quantile(sorted, 0.05));
        svg.line(from, y, axis.at(Samples.quantile(sorted, 0.95)), y, "stroke", INK);
        String title = "median " + DecimalText.fixed(median, 2);
        svg.rectangle(low, y - 4, Math.max(1, high - low), 8, title, "data-run", runs, "fill", colour);
        svg.line(axis.at(median), y - 7, axis.at(median), y + 7, "stroke", INK);
    }

    /** The outline of a kernel estimate of the density, with Silverman's width. */
    private static String violin(Svg svg, Axis axis, double y, double[] sorted) {
        double spread = Math.max(
                (Samples.quantile(sorted, 0.75) - Samples.quantile(sorted, 0.25)) / 1.34,
                (axis.max() - axis.min()) / 100);
        double width = 0.9 * spread * StrictMath.pow(sorted.length, -0.2);
        double[] density = new double[(int) DENSITY_POINTS + 1];
        double max = 0;
        for (int i = 0; i < density.length; i++) {
            double x = axis.min() + (axis.max() - axis.min()) * i / DENSITY_POINTS;
            for (double value : sorted) {
                double z = (x - value) / width;
                density[i] += Math.abs(z) > 6 ? 0 : StrictMath.exp(-z * z / 2);
            }
            max = Math.max(max, density[i]);
        }
        StringBuilder upper = new StringBuilder();
        StringBuilder lower = new StringBuilder();
        for (int i = 0; i < density.length; i++) {
            double x = axis.from() + (axis.to() - axis.from()) * i / DENSITY_POINTS;
            double half = max == 0 ? 0 : 14 * density[i] / max;
            upper.append(i == 0 ? "M" : "L").append(svg.number(x)).append(' ').append(svg.number(y - half));
            lower.insert(0, "L" + svg.number(x) + " " + svg.number(y + half));
        }
        return upper.append(lower).append('Z').toString();
    }

    /** The cumulative distribution of makespans by strategy. */
    static String distributions(Map<String, double[]> hours) {
        double max = 1;
        for (double[] sorted : hours.values()) {
            max = sorted.length == 0 ? max : Math.max(max, Samples.quantile(sorted, 0.98));
        }
        Svg svg = begin(WIDTH, 280);
        Axis across = Axis.ofRange(0, max, LEFT, RIGHT);
        Axis up = new Axis(0, 100, 240, 30);
        across.drawAcross(svg, 240, 30, " h");
        up.drawUp(svg, LEFT, RIGHT, " %");
        svg.legend(LEFT, 16, List.copyOf(hours.keySet()));
        svg.text(RIGHT, 272, "makespan", "text-anchor", "end");
        int colour = 0;
        for (double[] sorted : hours.values()) {
            StringBuilder path = new StringBuilder("M" + svg.number(across.at(0)) + " " + svg.number(up.at(0)));
            for (int percent = 0; percent <= 100 && sorted.length > 0; percent++) {
                path.append('L').append(svg.number(across.at(Samples.quantile(sorted, percent / 100.0))));
                path.append(' ').append(svg.number(up.at(percent)));
            }
            path(svg, path.toString(), Palette.line(colour++), "none");
        }
        return svg.close("svg").toString();
    }

    /** A line for each strategy over the values of a parameter. */
    static String lines(List<String> values, Map<String, double[]> lines, String title) {
        double max = 0;
        for (double[] line : lines.values()) {
            max = Math.max(
                    max, Arrays.stream(line).filter(Double::isFinite).max().orElse(0));
        }
        Svg svg = begin(WIDTH, 280);
        Axis up = Axis.ofRange(0, max, 240, 30);
        up.drawUp(svg, LEFT, RIGHT, "");
        svg.legend(LEFT, 16, List.copyOf(lines.keySet()));
        svg.text(RIGHT, 272, title, "text-anchor", "end");
        double room = (RIGHT - LEFT) / (double) Math.max(1, values.size());
        for (int i = 0; i < values.size(); i++) {
            svg.text(LEFT + room * (i + 0.5), 254, values.get(i), "text-anchor", "middle");
        }
        int colour = 0;
        for (double[] line : lines.values()) {
            double[] x = new double[line.length];
            double[] y = new double[line.length];
            Arrays.setAll(x, i -> LEFT + room * (i + 0.5));
            Arrays.setAll(y, i -> Double.isFinite(line[i]) ? up.at(line[i]) : Double.NaN);
            polyline(svg, colour++, x, y);
        }
        return svg.close("svg").toString();
    }
}
