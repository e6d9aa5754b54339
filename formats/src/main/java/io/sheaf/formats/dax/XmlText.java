package io.sheaf.formats.dax;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.Writer;

/** Writes elements, a line each, indented by two blanks a level. */
final class XmlText {
    private final Writer out;
    private int depth;

    XmlText(Writer out) {
        this.out = out;
    }

    void declaration() throws IOException {
        out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    }

    /** Opens an element; attributes are pairs of a name and a value. */
    void open(String name, String... attributes) throws IOException {
        tag(name, attributes);
        out.write(">\n");
        depth++;
    }

    void close(String name) throws IOException {
        depth--;
        indent();
        out.write("</" + name + ">\n");
    }

    /** A whole element with text in it, or none. */
    void element(String name, String text, String... attributes) throws IOException {
        tag(name, attributes);
        if (text.isEmpty()) {
            out.write("/>\n");
        } else {
            out.write('>');
            escape(text, false);
            out.write("</" + name + ">\n");
        }
    }

    private void tag(String name, String... attributes) throws IOException {
        indent();
        out.write('<');
        out.write(name);
        for (int i = 0; i < attributes.length; i += 2) {
            out.write(" " + attributes[i] + "=\"");
            escape(attributes[i + 1], true);
            out.write('"');
        }
    }

    private void indent() throws IOException {
        for (int i = 0; i < depth; i++) {
            out.write("  ");
        }
    }

    private void escape(String text, boolean attribute) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.write("&lt;");
                case '>' -> out.write("&gt;");
                case '&' -> out.write("&amp;");
                case '"' -> out.write(attribute ? "&quot;" : "\"");
                case '\r' -> out.write("&#13;");
                case '\n', '\t' -> {
                    // A reader makes blanks of them in attributes, but not of references to them.
                    if (attribute) {
                        out.write("&#" + (int) c + ";");
                    } else {
                        out.write(c);
                    }
                }
                default -> {
                    if (c < ' ' || c == '\ufffe' || c == '\uffff' || loneSurrogate(text, i)) {
                        throw new InputException("XML cannot represent the character with the code " + (int) c + " in '"
                                + text + "'; remove it");
                    }
                    out.write(c);
                }
            }
        }
    }

    private static boolean loneSurrogate(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
