package io.sheaf.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal on a full file system. */
class FullDiskIT {
    @TempDir
    Path folder = Path.of("");

    @Test
    void commitsSucceedOnceTheDiskHasSpace() throws IOException, InterruptedException {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk.toString()), "cannot mount a tmpfs");
        try {
            int[] replayed = new int[1];
            Path filler = disk.resolve("filler");
            try (Journal journal = Journal.open(disk.resolve("journal"), "me", message -> {})) {
                journal.append((byte) 1, new byte[1000]);
                journal.commit();
                fill(filler);
                journal.append((byte) 1, new byte[20_000]);
                assertThat(commits(journal)).isFalse();
                assertThat(commits(journal)).isFalse();
                Files.delete(filler);
                assertThat(commits(journal)).isTrue();
            }
            Journal.readWithoutLease(disk.resolve("journal"), entry -> replayed[0] += entry.payload().length);
            assertThat(replayed[0]).isEqualTo(21_000);
        } finally {
            run("umount", disk.toString());
        }
    }

    private static void fill(Path filler) {
        try {
            Files.write(filler, new byte[1 << 20]);
        } catch (IOException e) {
            // Expected: the disk is full.
        }
    }

    private static boolean commits(Journal journal) {
        try {
            journal.commit();
            return true;
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
            return false;
        }
    }

    private boolean run(String... command) throws IOException, InterruptedException {
        try {
            return Finished.run(folder, Map.of(), 10, List.of(command)).status() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
