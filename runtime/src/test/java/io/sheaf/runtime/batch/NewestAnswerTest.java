package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NewestAnswerTest {
    /** An estimate makes several calls; the event loop waits for all of them. */
    @Test
    void callersOfABatchSystemThatHangsWaitOnce() {
        NewestAnswer<String> answers = new NewestAnswer<>(now -> "never read", work -> {}, 200);
        long begin = System.nanoTime();
        for (int call = 0; call < 50; call++) {
            assertThat(answers.newest(0)).isNull();
        }
        // One wait each would be ten seconds.
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isBetween(200L, 5_000L);
    }

    @Test
    void theFirstAnswerIsAwaited() {
        NewestAnswer<String> answers = new NewestAnswer<>(now -> "answer", work -> new Thread(work, "reader").start());
        assertThat(answers.newest(0)).isEqualTo("answer");
    }
}
