package io.sheaf.lab.report;

import io.sheaf.formats.picture.Axis;
import io.sheaf.formats.picture.Palette;
import io.sheaf.formats.picture.Svg;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How reliable foretold quantiles are: for each level the share of what came that was below; on the diagonal they are just right. */
final class Reliability {
    /** Columns with that share, in per cent, end in their level: {@code below05}. */
    static final String COLUMN = "below";

    private static final int WIDTH = 420;
    private static final int LEFT = 50;
    private static final int RIGHT = WIDTH - 10;
    private static final int TOP = 30;
    private static final int BOTTOM = 330;

    private final double[] levels;
    private final Map<String, double[]> lines = new LinkedHashMap<>();

    /** For quantiles of these levels, in per cent, ascending. */
    Reliability(double[] levels) {
        this.levels = levels.clone();
    }

    /** The levels that the columns of a table name; none if it tells nothing of that. */
    static double[] levels(List<String> columns) {
        return columns.stream()
                .filter(Reliability::isLevel)
                .mapToDouble(each -> Double.parseDouble(each.substring(COLUMN.length())))
                .toArray();
    }

    static boolean isLevel(String column) {
        return column.matches(COLUMN + "[0-9]+");
    }

    /** The observed shares of an estimate, in per cent. */
    void add(String estimate, double[] observed) {
        lines.put(estimate, observed.clone());
    }

    /** The plot, under a title. */
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
            StringBuilder path = new StringBuilder();
            for (int i = 0; i < levels.length; i++) {
                if (Double.isFinite(observed[i])) {
                    path.append(path.isEmpty() ? 'M' : 'L').append(svg.number(across.at(levels[i])));
                    path.append(' ').append(svg.number(up.at(observed[i])));
                }
            }
            Charts.path(svg, path.toString(), Palette.line(colour++), "none");
        }
        return svg.close("svg").toString();
    }
}
