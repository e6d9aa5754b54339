package io.sheaf.manager;

/** What a strategy remembers from one decision to the next: a value, so that a run can be forked and resumed. */
public interface Memo {
    Memo NONE = new Memo() {
        @Override
        public String toString() {
            return "nothing";
        }
    };
}
