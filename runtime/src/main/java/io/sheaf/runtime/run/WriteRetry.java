package io.sheaf.runtime.run;

import io.sheaf.runtime.journal.SupersededException;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Repeats a write operation until it succeeds, for example until a full disk has space.
 *
 * @param interrupted whether to stop waiting
 */
public record WriteRetry(Consumer<String> messages, BooleanSupplier interrupted) {
    /** The pause between attempts. */
    static final long RETRY_MILLIS = 1_000;

    /** An idempotent operation that writes to the disk. */
    public interface Writing {
        long run() throws IOException;
    }

    /** The result of the operation once it succeeds. */
    public long run(Writing writing) throws IOException {
        boolean noted = false;
        while (true) {
            try {
                long outcome = writing.run();
                if (noted) {
                    messages.accept("the journal can be written again");
                }
                return outcome;
            } catch (SupersededException e) {
                throw e;
            } catch (IOException e) {
                if (interrupted.getAsBoolean()) {
                    throw e;
                }
                if (!noted) {
                    messages.accept(
                            "the journal cannot be written (" + e.getMessage() + "); the run waits until it can be");
                    noted = true;
                }
                try {
                    Thread.sleep(RETRY_MILLIS);
                } catch (InterruptedException interrupt) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
