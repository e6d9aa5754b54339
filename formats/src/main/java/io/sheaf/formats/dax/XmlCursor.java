package io.sheaf.formats.dax;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.IOException;
import java.io.InputStream;
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
            xml = factory.createXMLStreamReader(XmlDecoding.of(in));
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
}
