package io.sheaf.formats.picture;

import io.sheaf.text.DecimalText;

/**
 * A linear scale from values to coordinates, with marks at round values.
 *
 * @param from the coordinate of the least value
 * @param to the coordinate of the greatest value
 */
public record Axis(double min, double max, double from, double to) {
    private static final double MAX_MARKS = 6;
    private static final String GRID = "#dddddd";

    /** An axis over these values that ends at round ones. */
    public static Axis ofRange(double low, double high, double from, double to) {
        double min = Double.isFinite(low) ? low : 0;
        double max = Double.isFinite(high) && high > min ? high : min + 1;
        double step = step(min, max);
        return new Axis(Math.floor(min / step) * step, Math.ceil(max / step) * step, from, to);
    }

    /** The coordinate of a value; values outside are at the ends. */
    public double at(double value) {
        return from + (Math.max(min, Math.min(max, value)) - min) / (max - min) * (to - from);
    }

    /** The distance of two marks: 1, 2 or 5 times a power of ten. */
    private static double step(double min, double max) {
        double rough = (max - min) / MAX_MARKS;
        double power = StrictMath.pow(10, Math.floor(StrictMath.log10(rough)));
        double factor = rough / power;
        return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
    }

    /** Draws a vertical axis: marks with their unit, and lines across. */
    public void drawUp(Svg svg, double left, double right, String unit) {
        double step = step(min, max);
        for (int i = 0; min + i * step <= max + step / 2; i++) {
            double y = at(min + i * step);
            svg.line(left, y, right, y, "stroke", GRID);
            svg.text(left - 4, y + 4, mark(min + i * step, step) + unit, "text-anchor", "end");
        }
    }

    /** Draws a horizontal axis: marks with their unit, and lines upwards. */
    public void drawAcross(Svg svg, double bottom, double top, String unit) {
        double step = step(min, max);
        for (int i = 0; min + i * step <= max + step / 2; i++) {
            double x = at(min + i * step);
            svg.line(x, bottom, x, top, "stroke", GRID);
            svg.text(x, bottom + 14, mark(min + i * step, step) + unit, "text-anchor", "middle");
        }
    }

    private static String mark(double value, double step) {
        return step >= 1 ? Svg.number(Math.rint(value), 1) : DecimalText.fixed(value, step < 0.1 ? 2 : 1);
    }
}
