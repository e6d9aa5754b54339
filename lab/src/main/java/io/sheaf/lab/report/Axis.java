package io.sheaf.lab.report;

import io.sheaf.text.DecimalText;

/**
 * A scale from values to places in a picture, with round numbers to write beside it.
 *
 * @param from the place of the least value
 * @param to the place of the greatest
 */
record Axis(double least, double greatest, double from, double to) {
    private static final double MOST_MARKS = 6;

    /** An axis that holds these values and ends at round ones. */
    static Axis over(double low, double high, double from, double to) {
        double least = Double.isFinite(low) ? low : 0;
        double greatest = Double.isFinite(high) && high > least ? high : least + 1;
        double step = step(least, greatest);
        return new Axis(Math.floor(least / step) * step, Math.ceil(greatest / step) * step, from, to);
    }

    double at(double value) {
        return from + (Math.max(least, Math.min(greatest, value)) - least) / (greatest - least) * (to - from);
    }

    /** The distance of two marks: 1, 2 or 5 times a power of ten. */
    double step() {
        return step(least, greatest);
    }

    private static double step(double least, double greatest) {
        double rough = (greatest - least) / MOST_MARKS;
        double power = StrictMath.pow(10, Math.floor(StrictMath.log10(rough)));
        double factor = rough / power;
        return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
    }

    /** Draws marks with lines across, for an axis that goes up. */
    void drawUp(Svg svg, double left, double right, String unit) {
        for (int i = 0; least + i * step() <= greatest + step() / 2; i++) {
            double value = least + i * step();
            svg.grid(left, at(value), right, at(value));
            svg.text(left - 4, at(value) + 4, "end", mark(value) + unit);
        }
    }

    /** Draws marks with lines up, for an axis that goes to the right. */
    void drawAcross(Svg svg, double bottom, double top, String unit) {
        for (int i = 0; least + i * step() <= greatest + step() / 2; i++) {
            double value = least + i * step();
            svg.grid(at(value), bottom, at(value), top);
            svg.text(at(value), bottom + 14, "middle", mark(value) + unit);
        }
    }

    private String mark(double value) {
        return step() >= 1 ? Svg.number(Math.rint(value)) : DecimalText.fixed(value, step() < 0.1 ? 2 : 1);
    }
}
