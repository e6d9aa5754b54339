package io.sheaf.runtime.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submissions that come one soon after the other are taken together. */
class GatheringTest {
    @TempDir
    Path run = Path.of("");

    @Test
    void withoutPatienceEverythingIsTakenAtOnce() throws IOException {
        WishFolder folder = new WishFolder(run);
        assertThat(folder.due()).isEmpty();
        folder.put(new Wish.Drain());
        assertThat(folder.due()).hasSize(1);
    }

    @Test
    void whileMoreMayComeNothingIsTaken() throws IOException {
        WishFolder folder = new WishFolder(run);
        folder.gather(3_600_000);
        folder.put(new Wish.Drain());
        folder.put(new Wish.Drop("a"));
        assertThat(folder.isGathering()).isTrue();
        assertThat(folder.due()).isEmpty();
        assertThat(folder.isEmpty()).isFalse();
    }

    /** Names tell when: one of long ago is quiet; one of an hour hence is due too, since a clock may have been set. */
    @Test
    void whatHasWaitedLongEnoughIsTaken() throws IOException {
        WishFolder folder = new WishFolder(run);
        folder.gather(60_000);
        Path inbox = run.resolve("inbox");
        Path old = Files.writeString(inbox.resolve("0001000000000000000-0123456789abcdef.wish"), "");
        assertThat(folder.due()).hasSize(1);
        Files.delete(old);
        long hence = (System.currentTimeMillis() + 3_600_000) * 1_000;
        Files.writeString(inbox.resolve("000" + hence + "-0123456789abcdef.wish"), "");
        assertThat(folder.names()).hasSize(1);
        assertThat(folder.due()).hasSize(1);
    }
}
