package io.sheaf.formats.picture;

/**
 * Colours of categories, distinguishable with any usual colour vision: those of Okabe and Ito ("Color Universal Design", 2008) with grey
 * instead of black.
 *
 * <p>From the ninth category on, colours repeat with a mark: a dot, then an outline, then both.
 */
final class Palette {
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
    /** On which of them white letters are read better than black ones. */
    private static final boolean[] DARK = {true, false, false, false, false, false, false, false};

    private Palette() {}

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
