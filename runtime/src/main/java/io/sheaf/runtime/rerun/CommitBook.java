package io.sheaf.runtime.rerun;

import io.sheaf.runtime.record.Result;

/** Keeps what tasks that are committed did, for later runs; used by the event loop's thread. */
public interface CommitBook extends AutoCloseable {
    /** Nobody wants to know. */
    CommitBook NONE = new CommitBook() {
        @Override
        public void committed(Result result) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** The attempt of a task that counts has succeeded. After a restart it is told again of all. */
    void committed(Result result);

    /** What was told is about to be made durable in the journal. */
    void flush();

    /** Everything is durable when this returns. */
    @Override
    void close();
}
