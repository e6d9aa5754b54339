package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.StartEstimator;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Failed queries for start-time estimates are reported once. */
class ForecastWatchTest {
    private static final long MINUTE = 60_000;

    private final List<String> messages = new ArrayList<>();

    /** The answers to read in turn. */
    private final Queue<String> answers = new ArrayDeque<>();

    private NewestAnswer<String> newest() {
        return new NewestAnswer<>(
                now -> {
                    String answer = answers.remove();
                    if (answer.startsWith("failed")) {
                        throw new IOException(answer);
                    }
                    if (answer.startsWith("unreadable")) {
                        throw new InputException(answer);
                    }
                    return answer.isEmpty() ? null : answer;
                },
                Runnable::run);
    }

    /** The messages after reads of some answers, minutes apart. */
    private List<String> messages(long minutes, String... read) {
        answers.addAll(List.of(read));
        NewestAnswer<String> newest = newest();
        QueueForecast forecast = new QueueForecast() {
            @Override
            public StartEstimator estimator() {
                return StartEstimator.UNINFORMED;
            }

            @Override
            public @Nullable String failure(long now) {
                return newest.failure(now);
            }
        };
        ForecastWatch watch = new ForecastWatch(forecast, "Q", messages::add);
        for (int i = 0; i < read.length; i++) {
            newest.refresh(i * minutes * MINUTE);
            watch.turn(i * minutes * MINUTE);
        }
        return messages;
    }

    @Test
    void failedQueriesAreReportedOnceUntilOneSucceeds() {
        assertThat(messages(1, "", "failed: 1", "unreadable: 2", "", "all", "all"))
                .containsExactly(
                        "the queue of Q cannot be read (failed: 1); the run continues without start-time estimates,"
                                + " and Sheaf retries",
                        "the queue of Q can be read again");
    }

    @Test
    void unreadableOutputIsReported() {
        assertThat(messages(1, "unreadable: no XML")).singleElement().asString().contains("(unreadable: no XML)");
    }

    /** The last answer is used for ten minutes. */
    @Test
    void aFailureIsReportedWhenTheLastAnswerIsTooOld() {
        assertThat(messages(5, "all", "failed: 1", "failed: 2")).isEmpty();
        assertThat(messages(5, "all", "failed: 1", "failed: 2", "failed: 3")).hasSize(1);
    }
}
