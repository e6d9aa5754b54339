package io.sheaf.formats.dax;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.BufferedInputStream;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the elements of an XML document with their places.
 *
 * <p>Elements of another namespace than the root's are skipped. The JDK's parser loads and expands nothing; a document type is an error,
 * and so is every entity that could name a file or grow.
 */
final class XmlCursor {
    static final int START = XMLStreamConstants.START_ELEMENT;
    static final int END = XMLStreamConstants.END_ELEMENT;
    static final int TEXT = XMLStreamConstants.CHARACTERS;
    static final int END_OF_DOCUMENT = XMLStreamConstants.END_DOCUMENT;
    /** Of the text in one element. */
    private static final int LONGEST_TEXT = 16 << 20;

    private static final int HEAD = 200;
    private static final Pattern DECLARED = Pattern.compile("^<\\?xml[^>]*encoding\\s*=\\s*[\"']([^\"']*)[\"']");

    private final XMLStreamReader xml;
    private long place = Place.of(1, 1);
    private int lastEvent;
    private int depth;
    private String rootNamespace = "";

    XmlCursor(InputStream in) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        try {
            xml = factory.createXMLStreamReader(decoded(in));
        } catch (XMLStreamException e) {
            throw malformed(e);
        }
    }

    /** Moves to the next start of an element, end of an element, or text. */
    int next() {
        while (true) {
            Location before = xml.getLocation();
            boolean afterText = lastEvent == XMLStreamConstants.CHARACTERS;
            int event = advance();
            place = placeOf(event, before, afterText);
            lastEvent = event;
            switch (event) {
                case START -> {
                    if (depth == 1) {
                        rootNamespace = namespace();
                    }
                    if (namespace().equals(rootNamespace)) {
                        return event;
                    }
                    skipElement();
                }
                case END, END_OF_DOCUMENT -> {
                    return event;
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                    return TEXT;
                }
                case XMLStreamConstants.DTD ->
                    throw new InputException("a document type (DOCTYPE) is not allowed; remove it", place);
                case XMLStreamConstants.ENTITY_REFERENCE ->
                    throw new InputException("an entity reference is not allowed; write the text itself", place);
                default -> {
                    // A comment or a processing instruction.
                }
            }
        }
    }

    private long placeOf(int event, Location before, boolean afterText) {
        boolean outside = depth == 0;
        depth += event == START ? 1 : event == END ? -1 : 0;
        if (outside) {
            // Blanks before the root are no event: only where its tag ends is known.
            Location after = xml.getLocation();
            return Place.of(after.getLineNumber(), after.getColumnNumber());
        }
        // Behind a text the parser has eaten the bracket of the tag already.
        int eaten = afterText && (event == START || event == END) ? 1 : 0;
        return Place.of(before.getLineNumber(), before.getColumnNumber() - eaten);
    }

    /** Moves to the end of an element of another vocabulary; not by way of next, since such elements may nest deeply. */
    private void skipElement() {
        int outside = depth - 1;
        while (depth > outside) {
            lastEvent = advance();
            depth += lastEvent == START ? 1 : lastEvent == END ? -1 : 0;
        }
    }

    private int advance() {
        try {
            return xml.next();
        } catch (XMLStreamException e) {
            throw malformed(e);
        }
    }

    /** Where the current element begins. */
    long place() {
        return place;
    }

    String name() {
        return xml.getLocalName();
    }

    private String namespace() {
        String uri = xml.getNamespaceURI();
        return uri == null ? "" : uri;
    }

    @Nullable
    String attribute(String name) {
        return xml.getAttributeValue(null, name);
    }

    String attribute(String name, String defaultValue) {
        String value = attribute(name);
        return value == null ? defaultValue : value;
    }

    /** A required, non-empty attribute. */
    String required(String name) {
        String value = attribute(name);
        if (value == null || value.isEmpty()) {
            throw new InputException("<" + name() + "> has no attribute '" + name + "'; add it", place);
        }
        return value;
    }

    void appendText(StringBuilder into) {
        if (into.length() + (long) xml.getTextLength() > LONGEST_TEXT) {
            throw new InputException("this text is longer than " + LONGEST_TEXT + " characters; shorten it", place);
        }
        into.append(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
    }

    /** The text of the current element; moves to its end and passes over elements in it. */
    String text() {
        StringBuilder text = new StringBuilder();
        while (true) {
            int event = next();
            if (event == END) {
                return text.toString();
            } else if (event == START) {
                skip();
            } else {
                appendText(text);
            }
        }
    }

    /** Runs this at each element in the current one, which it leaves; moves to the end of the current element. */
    void children(Runnable each) {
        for (int event = next(); event != END; event = next()) {
            if (event == START) {
                each.run();
            }
        }
    }

    /** Moves to the end of the current element. */
    void skip() {
        int depth = 1;
        while (depth > 0) {
            int event = next();
            depth += event == START ? 1 : event == END ? -1 : 0;
        }
    }

    private static InputException malformed(XMLStreamException e) {
        Location where = e.getLocation();
        long place = where == null ? Place.NONE : Place.of(where.getLineNumber(), where.getColumnNumber());
        String message = String.valueOf(e.getMessage());
        int reason = message.indexOf("Message: ");
        String detail = reason < 0 ? message : message.substring(reason + 9);
        return new InputException("this is not well-formed XML: " + detail, place);
    }

    /** The characters of a text, by its byte order mark or its declaration; UTF-8 otherwise. */
    private static Reader decoded(InputStream in) throws IOException {
        BufferedInputStream bytes = new BufferedInputStream(in, 1 << 16);
        bytes.mark(HEAD);
        byte[] head = bytes.readNBytes(HEAD);
        bytes.reset();
        if (startsWith(head, 0xef, 0xbb, 0xbf)) {
            bytes.skipNBytes(3);
            return strictly(bytes, StandardCharsets.UTF_8);
        }
        if (startsWith(head, 0xfe, 0xff) || startsWith(head, 0xff, 0xfe)) {
            return strictly(bytes, StandardCharsets.UTF_16);
        }
        Matcher declared = DECLARED.matcher(new String(head, StandardCharsets.ISO_8859_1));
        return strictly(bytes, declared.find() ? named(declared.group(1)) : StandardCharsets.UTF_8);
    }

    private static Reader strictly(InputStream bytes, Charset charset) {
        return new StrictReader(new InputStreamReader(bytes, charset));
    }
    /**
     * Refuses what the decoder puts for bytes that are no text: only so is their place known. The JDK's own decoder would print to standard
     * error.
     */
    private static final class StrictReader extends FilterReader {
        private static final char NO_TEXT = '\ufffd';

        private long line = 1;
        private long column;

        StrictReader(Reader in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            char[] one = new char[1];
            return read(one, 0, 1) < 0 ? -1 : one[0];
        }

        @Override
        public int read(char[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            for (int i = from; i < from + count; i++) {
                column++;
                if (into[i] == '\n') {
                    line++;
                    column = 0;
                } else if (into[i] == NO_TEXT) {
                    throw new InputException(
                            "these bytes are no text in the file's encoding; save the file as UTF-8",
                            Place.of(line, column));
                }
            }
            return count;
        }
    }

    private static Charset named(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new InputException("the encoding '" + name + "' is unknown; save the file as UTF-8", Place.of(1, 1));
        }
    }

    private static boolean startsWith(byte[] head, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if (i >= head.length || (head[i] & 0xff) != mark[i]) {
                return false;
            }
        }
        return true;
    }
}
