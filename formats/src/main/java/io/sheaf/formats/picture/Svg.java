package io.sheaf.formats.picture;

import io.sheaf.text.DecimalText;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/**
 * Writes the elements of an SVG picture.
 *
 * <p>Attributes are given as name, value, name, value and so on. A number is rounded to the decimals of the picture, without trailing zeros; a text is escaped;
 * an empty text leaves the attribute out.
 */
public final class Svg {
    /** The height of a legend entry's box and the room of a letter, in pixels. */
    private static final double BOX = 10;

    private static final double LETTER = 6.2;

    private final StringBuilder out = new StringBuilder();
    private final int places;

    /** Begins a part of a page, or a picture whose root element follows. */
    public Svg(int places) {
        this.places = places;
    }

    /** Begins a picture in a file of its own; end it by {@link #close}. */
    public static Svg picture(int width, int height, Object... attributes) {
        Svg svg = new Svg(1);
        svg.begin("svg", "xmlns", "http://www.w3.org/2000/svg");
        svg.attributes("width", width, "height", height, "viewBox", "0 0 " + width + " " + height);
        return svg.attributes(attributes).raw(">\n");
    }

    /** Begins a picture in a page; the label is for readers that do not see it. End it by {@link #close}. */
    public static Svg inPage(int width, int height, String label) {
        return new Svg(1).open("svg", "viewBox", "0 0 " + width + " " + height, "role", "img", "aria-label", label);
    }

    /** Opens an element that holds others. */
    public Svg open(String name, Object... attributes) {
        return begin(name, attributes).raw(">\n");
    }

    public Svg close(String name) {
        return raw("</" + name + ">\n");
    }

    /** An element without contents. */
    public Svg empty(String name, Object... attributes) {
        return begin(name, attributes).raw("/>\n");
    }

    /** An element that holds a text. */
    public Svg holding(String name, String text, Object... attributes) {
        return begin(name, attributes).raw(">" + escape(text) + "</" + name + ">\n");
    }

    /** A rectangle; the title, which may be empty, is its tooltip. */
    public Svg rectangle(double x, double y, double width, double height, String title, Object... attributes) {
        begin("rect", "x", x, "y", y, "width", width, "height", height).attributes(attributes);
        return raw(title.isEmpty() ? "/>\n" : "><title>" + escape(title) + "</title></rect>\n");
    }

    public Svg text(double x, double y, String text, Object... attributes) {
        return begin("text", "x", x, "y", y).attributes(attributes).raw(">" + escape(text) + "</text>\n");
    }

    public Svg line(double x1, double y1, double x2, double y2, Object... attributes) {
        return begin("line", "x1", x1, "y1", y1, "x2", x2, "y2", y2)
                .attributes(attributes)
                .raw("/>\n");
    }

    /** Coloured boxes with their names in a row, in the colours of {@link Palette#line}. */
    public Svg legend(double x, double y, List<String> names) {
        double at = x;
        for (int i = 0; i < names.size(); i++) {
            rectangle(at, y - BOX + 1, BOX, BOX, names.get(i), "fill", Palette.line(i));
            text(at + BOX + 4, y, names.get(i));
            at += 30 + LETTER * names.get(i).length();
        }
        return this;
    }

    /** Adds text as it is. */
    public Svg raw(String text) {
        out.append(text);
        return this;
    }

    private Svg begin(String name, Object... attributes) {
        out.append('<').append(name);
        return attributes(attributes);
    }

    private Svg attributes(Object... attributes) {
        for (int i = 0; i < attributes.length; i += 2) {
            String value = attributes[i + 1] instanceof Number number
                    ? number(number.doubleValue())
                    : escape(String.valueOf(attributes[i + 1]));
            if (!value.isEmpty()) {
                out.append(' ')
                        .append(attributes[i])
                        .append("=\"")
                        .append(value)
                        .append('"');
            }
        }
        return this;
    }

    /** A number as in attributes, for path data. */
    public String number(double value) {
        return number(value, places);
    }

    /** A number with at most these decimals, without trailing zeros. */
    public static String number(double value, int places) {
        String text = DecimalText.fixed(value, places);
        int end = text.length();
        while (text.indexOf('.') >= 0 && text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }

    /** Text of an element or an attribute; a character that XML does not allow becomes U+FFFD. */
    public static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
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

    /** Moves what was written so far to a writer, so that a large picture is not held in memory. */
    public void drainTo(Writer to) throws IOException {
        to.append(out);
        out.setLength(0);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
