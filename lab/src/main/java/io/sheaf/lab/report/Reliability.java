package io.sheaf.lab.report;

import io.sheaf.formats.picture.Axis;
import io.sheaf.formats.picture.Svg;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reliability plot of predicted quantiles: for each level the share of observed waits below the quantile; exact quantiles are on the diagonal. */
final class Reliability {
    /** Columns with that share, in percent, end in their level: {@code below05}. */
    static final String COLUMN = "below";

    private static final int WIDTH = 420;
    private static final int LEFT = 50;
    private static final int RIGHT = WIDTH - 10;
    private static final int TOP = 30;
    private static final int BOTTOM = 330;

    private final double[] levels;
    private final Map<String, double[]> lines = new LinkedHashMap<>();

    /** A plot for quantiles of these levels, in percent, ascending. */
    Reliability(double[] levels) {
        this.levels = levels.clone();
    }

    /** The levels in the column names of a table; may be empty. */
    static double[] levels(List<String> columns) {
        return columns.stream()
                .filter(Reliability::isLevel)
                .mapToDouble(each -> Double.parseDouble(each.substring(COLUMN.length())))
                .toArray();
    }

    static boolean isLevel(String column) {
        return column.matches(COLUMN + "[0-9]+");
    }

    /** The observed shares of an estimate, in percent. */
    void add(String estimate, double[] observed) {
        lines.put(estimate, observed.clone());
    }

    /** The plot as SVG. */
    String svg(String title) {
        Svg svg = Charts.begin(WIDTH, 380);
        Axis across = new Axis(0, 100, LEFT, RIGHT);
        Axis up = new Axis(0, 100, BOTTOM, TOP);
        up.drawUp(svg, LEFT, RIGHT, " %");
        svg.legend(LEFT, 16, List.copyOf(lines.keySet()));
        svg.line(across.at(0), up.at(0), across.at(100), up.at(100), "stroke", Charts.GREY);
        for (double level : levels) {
            svg.text(across.at(level), BOTTOM + 16, svg.number(level), "text-anchor", "middle");
        }
        svg.text(
                RIGHT, BOTTOM + 34, title + ": waits below the quantile, against its level in %", "text-anchor", "end");
        int colour = 0;
        for (double[] observed : lines.values()) {
            double[] y = Arrays.stream(observed)
                    .map(share -> Double.isFinite(share) ? up.at(share) : Double.NaN)
                    .toArray();
            Charts.polyline(svg, colour++, Arrays.stream(levels).map(across::at).toArray(), y);
        }
        return svg.close("svg").toString();
    }
}
