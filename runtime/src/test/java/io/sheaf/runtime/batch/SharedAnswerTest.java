package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers that processes of a user share. */
class SharedAnswerTest {
    private static final int LONG = 600_000;

    @TempDir
    Path folder = Path.of("");

    private int queries;

    private SharedAnswer answer(int interval) {
        return new SharedAnswer(folder.resolve("state/answer"), interval);
    }

    private String query() {
        return "answer " + ++queries + "\nof two lines\n";
    }

    @Test
    void aRecentAnswerServesTheNextProcess() throws Exception {
        SharedAnswer.Answer first = answer(LONG).current(this::query);
        SharedAnswer.Answer second = answer(LONG).current(this::query);
        assertThat(first).isNotNull().isEqualTo(second);
        assertThat(second).extracting(SharedAnswer.Answer::text).isEqualTo("answer 1\nof two lines\n");
        assertThat(answer(0).current(this::query))
                .extracting(SharedAnswer.Answer::text)
                .isEqualTo("answer 2\nof two lines\n");
    }

    @Test
    void theOldAnswerIsUsedWhileAnotherProcessQueries() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        Path lock = Files.createFile(folder.resolve("state/answer.lock"));
        assertThat(answer(LONG).current(this::query)).isNull();
        Files.delete(lock);
        answer(LONG).current(this::query);
        Files.createFile(lock);
        assertThat(answer(0).current(this::query))
                .extracting(SharedAnswer.Answer::text)
                .isEqualTo("answer 1\nof two lines\n");
        assertThat(queries).isEqualTo(1);
    }

    /** Its owner has died. The first call removes the lock, the second one queries. */
    @Test
    void anOldLockIsRemoved() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        Path lock = Files.createFile(folder.resolve("state/answer.lock"));
        Files.setLastModifiedTime(lock, FileTime.fromMillis(System.currentTimeMillis() - 3_600_000));
        assertThat(answer(LONG).current(this::query)).isNull();
        assertThat(answer(LONG).current(this::query)).isNotNull();
    }

    @Test
    void garbageIsReplacedAndAFailedQueryLeavesNoLock() throws Exception {
        Path file = Files.createDirectories(folder.resolve("state")).resolve("answer");
        Files.writeString(file, "garbage");
        assertThatThrownBy(() -> answer(LONG).current(() -> {
                    throw new UnreachableException("away");
                }))
                .isInstanceOf(IOException.class);
        assertThat(folder.resolve("state/answer.lock")).doesNotExist();
        assertThat(answer(LONG).current(this::query)).isNotNull();
        assertThat(file).content().startsWith("asked ").endsWith("of two lines\n");
    }
}
