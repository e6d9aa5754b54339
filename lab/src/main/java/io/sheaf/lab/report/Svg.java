package io.sheaf.lab.report;

import io.sheaf.text.DecimalText;
import java.util.List;

/** A picture being drawn: its elements as SVG, with numbers of one decimal; it stands by itself in a file as well as in a page. */
final class Svg {
    /** Told apart by those who see few colours (Okabe and Ito). */
    private static final String[] COLOURS = {
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999933", "#888888", "#332288", "#aa4499",
        "#117733"
    };

    private static final String GREY = "#888888";

    private final int width;
    private final int height;
    private final StringBuilder body = new StringBuilder();

    Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    static String colour(int i) {
        return COLOURS[i % COLOURS.length];
    }

    static String number(double value) {
        String text = DecimalText.fixed(value, 1);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    Svg line(double x1, double y1, double x2, double y2, String colour) {
        body.append("<line x1=\"").append(number(x1)).append("\" y1=\"").append(number(y1));
        body.append("\" x2=\"").append(number(x2)).append("\" y2=\"").append(number(y2));
        body.append("\" stroke=\"").append(colour).append("\"/>\n");
        return this;
    }

    Svg grid(double x1, double y1, double x2, double y2) {
        return line(x1, y1, x2, y2, "#dddddd");
    }

    /** A rectangle; what it stands for is told where the pointer rests. */
    Svg bar(double x, double y, double w, double h, String colour, String title) {
        return bar(x, y, w, h, colour, title, "");
    }

    /** The same; in a page, a click on it leads to these runs, by number with blanks between. */
    Svg bar(double x, double y, double w, double h, String colour, String title, String runs) {
        body.append("<rect")
                .append(runs.isEmpty() ? "" : " data-run=\"" + runs + "\"")
                .append(" x=\"")
                .append(number(x))
                .append("\" y=\"")
                .append(number(y));
        body.append("\" width=\"").append(number(w)).append("\" height=\"").append(number(Math.max(h, 0.5)));
        body.append("\" fill=\"").append(colour).append("\"><title>").append(escape(title));
        body.append("</title></rect>\n");
        return this;
    }

    Svg path(String data, String colour, String fill) {
        body.append("<path d=\"").append(data).append("\" stroke=\"").append(colour);
        body.append("\" fill=\"").append(fill).append("\" fill-opacity=\"0.25\" stroke-width=\"1.5\"/>\n");
        return this;
    }

    /** Text that starts, ends or has its middle here. */
    Svg text(double x, double y, String anchor, String text) {
        body.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y));
        body.append("\" text-anchor=\"")
                .append(anchor)
                .append("\">")
                .append(escape(text))
                .append("</text>\n");
        return this;
    }

    /** Text that leans, for long names below an axis. */
    Svg leaning(double x, double y, String text) {
        body.append("<text text-anchor=\"end\" transform=\"translate(")
                .append(number(x))
                .append(' ');
        body.append(number(y)).append(") rotate(-35)\">").append(escape(text)).append("</text>\n");
        return this;
    }

    /** Coloured names in a row. */
    Svg legend(double x, double y, List<String> names, int firstColour) {
        double at = x;
        for (int i = 0; i < names.size(); i++) {
            bar(at, y - 9, 10, 10, colour(firstColour + i), names.get(i));
            text(at + 14, y, "start", names.get(i));
            at += 30 + 6.2 * names.get(i).length();
        }
        return this;
    }

    static String grey() {
        return GREY;
    }

    @Override
    public String toString() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" + width
                + "\" height=\"" + height + "\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#444444\">\n"
                + "<rect width=\"" + width + "\" height=\"" + height + "\" fill=\"#ffffff\"/>\n" + body + "</svg>\n";
    }

    /** Text as XML and HTML show it. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
