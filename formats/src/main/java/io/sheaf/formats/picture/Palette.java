package io.sheaf.formats.picture;

/**
 * Colours that readers with any common colour vision can distinguish: those of Okabe and Ito ("Color Universal Design", 2008),
 * without black, which is invisible on a dark page, and with a grey.
 *
 * <p>From the ninth category on, the colours repeat with a mark: a dot, then an outline, then both.
 */
public final class Palette {
    /** How a colour is used. */
    enum Mark {
        FILLED,
        DOTTED,
        OUTLINED,
        OUTLINED_AND_DOTTED;

        boolean isFilled() {
            return this == FILLED || this == DOTTED;
        }

        boolean hasDot() {
            return this == DOTTED || this == OUTLINED_AND_DOTTED;
        }
    }

    private static final String[] COLOURS = {
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c"
    };
    /** The colours with white letters. */
    private static final boolean[] DARK = {true, false, false, false, false, false, false, false};

    /** For lines and bars on white, where yellow is hard to see. */
    private static final String[] LINES = {
        "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999933", "#888888", "#332288", "#aa4499",
        "#117733"
    };

    private Palette() {}

    /** The colour of a line or a bar. */
    public static String line(int number) {
        return LINES[number % LINES.length];
    }

    static String colour(int category) {
        return COLOURS[category % COLOURS.length];
    }

    static String letters(int category) {
        return DARK[category % COLOURS.length] ? "#ffffff" : "#000000";
    }

    static Mark mark(int category) {
        Mark[] marks = Mark.values();
        return marks[category / COLOURS.length % marks.length];
    }
}
