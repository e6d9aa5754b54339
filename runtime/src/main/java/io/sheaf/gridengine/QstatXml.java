package io.sheaf.gridengine;

import io.sheaf.text.InputException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Parses {@code qstat -xml}: elements for jobs and queues whose children contain text. */
final class QstatXml {
    private QstatXml() {}

    /**
     * All elements of this name, as maps from child name to text; a repeated child counts once. A child with a name
     * attribute is in the map by both names, too: {@code hard_request h_rt}.
     */
    static List<Map<String, String>> elements(String name, String text) {
        List<Map<String, String>> found = new ArrayList<>();
        try {
            XMLInputFactory factory = XMLInputFactory.newInstance();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_COALESCING, true);
            XMLStreamReader in = factory.createXMLStreamReader(new StringReader(text));
            while (in.hasNext()) {
                if (in.next() == XMLStreamConstants.START_ELEMENT
                        && in.getLocalName().equals(name)) {
                    found.add(children(in));
                }
            }
        } catch (XMLStreamException e) {
            throw new InputException("qstat printed invalid XML: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
        return found;
    }

    private static Map<String, String> children(XMLStreamReader in) throws XMLStreamException {
        Map<String, String> children = new HashMap<>();
        for (int event = in.next(); event != XMLStreamConstants.END_ELEMENT; event = in.next()) {
            if (event == XMLStreamConstants.START_ELEMENT) {
                String name = in.getLocalName();
                String attribute = in.getAttributeValue(null, "name");
                String text = ownText(in);
                children.putIfAbsent(name, text);
                children.putIfAbsent(name + " " + attribute, text);
            }
        }
        return children;
    }

    /** The text of an element without that of nested elements. */
    private static String ownText(XMLStreamReader in) throws XMLStreamException {
        StringBuilder text = new StringBuilder();
        for (int depth = 1; depth > 0; ) {
            int event = in.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                depth++;
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            } else if (depth == 1 && in.isCharacters()) {
                text.append(in.getText());
            }
        }
        return text.toString().strip();
    }
}
