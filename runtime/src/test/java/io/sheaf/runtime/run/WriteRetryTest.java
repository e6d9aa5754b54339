package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WriteRetryTest {
    private final List<String> messages = new ArrayList<>();
    private int calls;

    @Test
    void messagesNameTheFile() throws Exception {
        long result = new WriteRetry(messages::add, () -> false).run("the folder of control requests", "read", () -> {
            if (calls++ == 0) {
                throw new IOException("stale file handle");
            }
            return 7;
        });
        assertThat(result).isEqualTo(7);
        assertThat(messages)
                .containsExactly(
                        "the folder of control requests cannot be read (stale file handle); the run waits until it can be",
                        "the folder of control requests can be read again");
    }

    @Test
    @Timeout(10)
    void anInterruptEndsTheRetries() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> new WriteRetry(messages::add, () -> false).run("the journal", "written", () -> {
                    calls++;
                    throw new IOException("no space left");
                }))
                .isInstanceOf(InterruptedIOException.class)
                .hasMessageContaining("no space left");
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(calls).isOne();
    }
}
