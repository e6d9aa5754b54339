package io.sheaf.formats.yaml;

import io.sheaf.text.Place;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A part of a YAML file with its place: a text, a list or a map. Texts are never converted to numbers or booleans. */
public sealed interface Node {
    long place();

    /** The number of nodes in this one; nodes behind aliases count each time. */
    int weight();

    /** The style of a text in the file. */
    enum Style {
        PLAIN,
        QUOTED,
        /** A block after {@code |}, whose lines are those of the file. */
        LITERAL
    }

    record Text(String text, Style style, long place) implements Node {
        @Override
        public int weight() {
            return 1;
        }

        /** Whether it is empty: no text, or YAML's null. */
        public boolean isNothing() {
            return style == Style.PLAIN
                    && switch (text) {
                        case "", "~", "null", "Null", "NULL" -> true;
                        default -> false;
                    };
        }

        /** The place of the character at this offset, as well as it is known. */
        long placeOf(int offset) {
            if (style != Style.LITERAL) {
                return place;
            }
            long line = Place.line(place) + 1;
            for (int i = 0; i < offset; i++) {
                if (text.charAt(i) == '\n') {
                    line++;
                }
            }
            return Place.of(line, 0);
        }
    }

    record Items(List<Node> items, long place, int weight) implements Node {}

    /** A map in the order of the file; its keys differ. */
    record Mapping(List<Text> keys, List<Node> values, boolean inBraces, long place, int weight) implements Node {
        public int size() {
            return keys.size();
        }

        public void forEach(BiConsumer<Text, Node> entry) {
            for (int i = 0; i < keys.size(); i++) {
                entry.accept(keys.get(i), values.get(i));
            }
        }

        /** The value of a key; null if it is not there. */
        public @Nullable Node get(String key) {
            for (int i = 0; i < keys.size(); i++) {
                if (keys.get(i).text().equals(key)) {
                    return values.get(i);
                }
            }
            return null;
        }
    }
}
