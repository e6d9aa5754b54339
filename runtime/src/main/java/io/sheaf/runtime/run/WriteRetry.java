package io.sheaf.runtime.run;

import io.sheaf.runtime.journal.SupersededException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Repeats a file operation until it succeeds, for example until a full disk has space.
 *
 * @param interrupted whether to stop waiting
 */
public record WriteRetry(Consumer<String> messages, BooleanSupplier interrupted) {
    /** The pause between attempts. */
    static final long RETRY_MILLIS = 1_000;

    /** An idempotent operation on files. */
    public interface Writing {
        long run() throws IOException;
    }

    /**
     * The result of the operation once it succeeds. Throws an {@link InterruptedIOException} if the thread is interrupted.
     *
     * @param subject the object of the operation, for messages
     * @param verb the participle of what is done with it, such as {@code written}
     */
    public long run(String subject, String verb, Writing writing) throws IOException {
        boolean noted = false;
        while (true) {
            try {
                long outcome = writing.run();
                if (noted) {
                    messages.accept(subject + " can be " + verb + " again");
                }
                return outcome;
            } catch (SupersededException e) {
                throw e;
            } catch (IOException e) {
                if (interrupted.getAsBoolean()) {
                    throw e;
                }
                if (!noted) {
                    messages.accept(subject + " cannot be " + verb + " (" + e.getMessage()
                            + "); the run waits until it can be");
                    noted = true;
                }
                try {
                    Thread.sleep(RETRY_MILLIS);
                } catch (InterruptedException interrupt) {
                    Thread.currentThread().interrupt();
                    InterruptedIOException end = new InterruptedIOException(subject + " cannot be " + verb + " ("
                            + e.getMessage() + "), and the thread is interrupted");
                    end.initCause(e);
                    throw end;
                }
            }
        }
    }
}
