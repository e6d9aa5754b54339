package io.sheaf.runtime.run;

import io.sheaf.runtime.journal.SupersededException;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Does what writes to a disk until it could be written, however long that takes: a disk that is full is waited for. */
public final class UntilWritten {
    /** Between attempts. */
    static final long RETRY_MILLIS = 1_000;

    /** Something that writes to the disk and can be done again if that fails. */
    public interface Writing {
        long tried() throws IOException;
    }

    private final Consumer<String> messages;
    private final BooleanSupplier interrupted;

    /**
     * Nothing yet.
     *
     * @param interrupted whether it is not worth waiting any more
     */
    public UntilWritten(Consumer<String> messages, BooleanSupplier interrupted) {
        this.messages = messages;
        this.interrupted = interrupted;
    }

    /** What came of it at last. */
    public long done(Writing writing) throws IOException {
        boolean told = false;
        while (true) {
            try {
                long outcome = writing.tried();
                if (told) {
                    messages.accept("the journal can be written again");
                }
                return outcome;
            } catch (SupersededException e) {
                throw e;
            } catch (IOException e) {
                if (interrupted.getAsBoolean()) {
                    throw e;
                }
                if (!told) {
                    messages.accept(
                            "the journal cannot be written (" + e.getMessage() + "); nothing is done until it can be");
                    told = true;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
