package io.sheaf.manager;

/**
 * The immutable state that a strategy keeps between decisions. A run can fork, store and restore it.
 *
 * <p>{@link Strategy#memo} parses it from its text.
 */
public interface Memo {
    Memo NONE = new Memo() {
        @Override
        public String text() {
            return "";
        }

        @Override
        public String toString() {
            return "nothing";
        }
    };

    /** The complete memo in one line of text. */
    String text();
}
