package io.sheaf.manager;

/**
 * What a strategy remembers from one decision to the next: a value, so that a run can be forked, written down and resumed.
 *
 * <p>{@link Strategy#memo} makes it again from its text.
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

    /** All there is to it in one line, for the strategy to read again. */
    String text();
}
