package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreemptionsTest {
    private static final long HOUR = 3_600_000;

    @TempDir
    Path folder = Path.of("");

    /** Two preemptions in 2 hours and the first guess of 4: (2 + 4) / (2 + 1) = 2 hours. A job that ends by itself adds 3: (5 + 4) / 3. */
    @Test
    void theMeanIsLearntPerPartition() throws IOException {
        assertThat(new Preemptions(folder).mean("spot")).isEqualTo(4 * HOUR);
        Preemptions book = new Preemptions(folder.resolve("new"));
        book.ended("spot", HOUR, true);
        book.ended("spot", HOUR, true);
        book.ended("other", 2, true);
        assertThat(new Preemptions(folder.resolve("new")).mean("spot")).isEqualTo(2 * HOUR);
        book.ended("spot", 3 * HOUR, false);
        Files.writeString(
                folder.resolve("new/preemptions"), Files.readString(folder.resolve("new/preemptions")) + "spot 1");
        assertThat(book.mean("spot")).as("a torn line is ignored").isEqualTo(3 * HOUR);
        assertThat(book.mean("other")).isEqualTo(2 * HOUR + 1);
    }
}
