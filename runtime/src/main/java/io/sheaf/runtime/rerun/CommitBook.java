package io.sheaf.runtime.rerun;

import io.sheaf.runtime.record.Result;

/** Records committed tasks for later runs. Confined to the event loop's thread. */
public interface CommitBook extends AutoCloseable {
    /** Records nothing. */
    CommitBook NONE = new CommitBook() {
        @Override
        public void committed(Result result) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    /** Records the successful attempt of a task. After a restart it is called again for every task. */
    void committed(Result result);

    /** Called before the journal makes the recorded commits durable. */
    void flush();

    /** Makes all records durable. */
    @Override
    void close();
}
