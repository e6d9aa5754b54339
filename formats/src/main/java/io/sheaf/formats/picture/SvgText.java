package io.sheaf.formats.picture;

import java.io.IOException;
import java.io.Writer;

/** Writes the elements of an SVG picture, numbers with at most one decimal. */
final class SvgText {
    private final Writer out;

    SvgText(Writer out) {
        this.out = out;
    }

    void open(int width, int height, String style) throws IOException {
        line("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height
                + "\" viewBox=\"0 0 " + width + " " + height + "\">");
        line("<style>" + style + "</style>");
    }

    void line(String text) throws IOException {
        out.write(text);
        out.write('\n');
    }

    void rectangle(String kind, double x, double y, double width, double height) throws IOException {
        line("<rect class=\"" + kind + "\"" + corner(x, y) + size(width, height) + "/>");
    }

    /** The box of a task, or the sample of one in the legend. */
    void box(int colour, double x, double y, double width, double height) throws IOException {
        Palette.Mark mark = Palette.mark(colour);
        String hue = Palette.colour(colour);
        if (mark.isFilled()) {
            line("<rect" + corner(x, y) + size(width, height) + " rx=\"3\" fill=\"" + hue + "\"/>");
        } else {
            // The outline lies within the box, so that boxes of both kinds are of one size.
            line("<rect class=\"page\"" + corner(x + 1.5, y + 1.5) + size(width - 3, height - 3) + " rx=\"2\" stroke=\""
                    + hue + "\" stroke-width=\"3\"/>");
        }
        if (mark.hasDot()) {
            String inner = mark.isFilled() ? Palette.letters(colour) : hue;
            // In a corner beside a label, in the middle of a small box.
            boolean small = width <= 20;
            line("<circle cx=\"" + number(small ? x + width / 2 : x + width - 5) + "\" cy=\""
                    + number(small ? y + height / 2 : y + 5) + "\" r=\"" + (small ? "2.5" : "2") + "\" fill=\"" + inner
                    + "\"/>");
        }
    }

    void text(String kind, double x, double y, String text) throws IOException {
        line("<text" + (kind.isEmpty() ? "" : " class=\"" + kind + "\"") + corner(x, y) + ">" + escape(text)
                + "</text>");
    }

    /** The id on a task's box. */
    void label(int colour, double x, double y, String text) throws IOException {
        String letters = Palette.mark(colour).isFilled() ? " style=\"fill:" + Palette.letters(colour) + "\"" : "";
        line("<text class=\"m\"" + corner(x, y) + letters + ">" + escape(text) + "</text>");
    }

    /** A curve that leaves downwards and arrives from above, with this bulge to the right. */
    static void curve(StringBuilder path, double x, double y, double toX, double toY, double bulge) {
        double bend = Math.max(10, (toY - y) / 2);
        path.append('M').append(number(x)).append(' ').append(number(y));
        path.append('C').append(number(x + bulge)).append(' ').append(number(y + bend));
        path.append(' ').append(number(toX + bulge)).append(' ').append(number(toY - bend));
        path.append(' ').append(number(toX)).append(' ').append(number(toY));
    }

    /** One decimal, or two below one; never in the notation of large and small numbers. */
    static String number(double value) {
        long hundredths = Math.round(Math.abs(value) < 1 ? value * 100 : Math.round(value * 10) * 10.0);
        String sign = hundredths < 0 ? "-" : "";
        long whole = Math.abs(hundredths) / 100;
        long rest = Math.abs(hundredths) % 100;
        if (rest == 0) {
            return sign + whole;
        }
        return sign + whole + "." + (rest % 10 == 0 ? Long.toString(rest / 10) : (rest < 10 ? "0" : "") + rest);
    }

    /** The text for an element; what XML cannot hold becomes a replacement character. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                default -> {
                    boolean allowed = (c >= ' ' && c != 0xfffe && c != 0xffff && !(c >= 0xd800 && c <= 0xdfff))
                            || c == '\n'
                            || c == '\t';
                    out.appendCodePoint(allowed ? c : 0xfffd);
                }
            }
        });
        return out.toString();
    }

    private static String corner(double x, double y) {
        return " x=\"" + number(x) + "\" y=\"" + number(y) + "\"";
    }

    private static String size(double width, double height) {
        return " width=\"" + number(width) + "\" height=\"" + number(height) + "\"";
    }
}
