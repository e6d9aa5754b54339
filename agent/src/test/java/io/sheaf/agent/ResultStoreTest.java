package io.sheaf.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that results survive their agent until the manager acknowledges them. */
class ResultStoreTest {
    @TempDir
    Path folder = Path.of("");

    private static Ended ended(int task, String reason) {
        return new Ended(
                new AttemptId(task, 1),
                AttemptOutcome.FAILED,
                1,
                reason,
                new Usage(5, 6, 7, 8),
                List.of(),
                List.of("line"));
    }

    private static Ended ended(int task) {
        return ended(task, "why");
    }

    @Test
    void storedResultsAreReadByTheNextAgent() throws IOException {
        ResultStore results = new ResultStore(folder);
        results.store(List.of(ended(1), ended(2)));
        results.store(List.of(ended(3)));
        assertThat(ResultStore.read(folder)).containsExactly(ended(1), ended(2), ended(3));
        assertThat(new ResultStore(folder).stored()).containsExactly(ended(1), ended(2), ended(3));
    }

    @Test
    void theFileIsEmptiedAfterTheLastAcknowledgement() throws IOException {
        ResultStore results = new ResultStore(folder);
        results.store(List.of(ended(1), ended(2)));
        results.acknowledge(List.of(new AttemptId(1, 1)));
        assertThat(results.stored()).containsExactly(ended(2));
        assertThat(results.has(new AttemptId(1, 1))).isFalse();
        results.acknowledge(List.of(new AttemptId(2, 1), new AttemptId(9, 9)));
        assertThat(folder.resolve("results")).isEmptyFile();
        results.store(List.of(ended(3)));
        assertThat(ResultStore.read(folder)).containsExactly(ended(3));
    }

    @Test
    void aLongFileIsRewrittenWithThePendingResults() throws IOException {
        ResultStore results = new ResultStore(folder);
        String longReason = "x".repeat(100_000);
        for (int i = 0; i < 50; i++) {
            results.store(List.of(ended(i, longReason)));
        }
        results.acknowledge(List.of(new AttemptId(0, 1)));
        for (int i = 1; i < 49; i++) {
            results.acknowledge(List.of(new AttemptId(i, 1)));
        }
        assertThat(folder.resolve("results").toFile().length()).isLessThan(5_000_000);
        assertThat(ResultStore.read(folder)).contains(ended(49, longReason));
        assertThat(results.stored()).containsExactly(ended(49, longReason));
    }

    @Test
    void aTruncatedEndLosesOnlyTheLastResult() throws IOException {
        new ResultStore(folder).store(List.of(ended(1), ended(2)));
        Path file = folder.resolve("results");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 3));
        assertThat(ResultStore.read(folder)).containsExactly(ended(1));
        ResultStore next = new ResultStore(folder);
        next.store(List.of(ended(3)));
        assertThat(ResultStore.read(folder)).containsExactly(ended(1), ended(3));
    }

    @Test
    void aMissingFileHasNoResults() throws IOException {
        assertThat(ResultStore.read(folder)).isEmpty();
    }
}
