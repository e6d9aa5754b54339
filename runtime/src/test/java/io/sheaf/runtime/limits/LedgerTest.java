package io.sheaf.runtime.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The account of slots that all processes of a user share. */
class LedgerTest {
    private static final long NOW = 1_000_000_000_000L;

    @TempDir
    Path folder = Path.of("");

    /** The number of slots of a kind that were acquired in the hour before an instant. */
    static int inUse(Path folder, String kind, long now) throws IOException {
        int count = 0;
        try (DirectoryStream<Path> slots = Files.newDirectoryStream(folder.resolve(kind), "[0-9]*")) {
            for (Path slot : slots) {
                String instant = Files.readString(slot).split(" ", 2)[0];
                count += !instant.isEmpty() && Long.parseLong(instant) > now - Ledger.HOUR ? 1 : 0;
            }
        }
        return count;
    }

    @Test
    void aSlotIsFreeAfterAnHour() throws IOException {
        Ledger ledger = new Ledger(folder);
        assertThat(ledger.acquire("s", 2, "", NOW)).isTrue();
        assertThat(ledger.acquire("s", 2, "", NOW + 1)).isTrue();
        assertThat(ledger.acquire("s", 2, "", NOW + 2)).isFalse();
        assertThat(inUse(folder, "s", NOW + 2)).isEqualTo(2);
        assertThat(ledger.acquire("s", 2, "", NOW + Ledger.HOUR)).isTrue();
        assertThat(ledger.acquire("s", 2, "", NOW + Ledger.HOUR)).isFalse();
        assertThat(ledger.acquire("s", 2, "", NOW + Ledger.HOUR + 1)).isTrue();
    }

    @Test
    void aHolderKeepsAndReleasesItsSlot() throws IOException {
        Ledger ledger = new Ledger(folder);
        assertThat(ledger.acquire("q", 1, "run/1", NOW)).isTrue();
        assertThat(ledger.acquire("q", 1, "run/2", NOW)).isFalse();
        assertThat(ledger.acquire("q", 1, "run/1", NOW + Ledger.HOUR / 2)).isTrue();
        assertThat(ledger.acquire("q", 1, "run/2", NOW + Ledger.HOUR)).isFalse();
        ledger.release("q", "run/1");
        assertThat(ledger.isHeld("q", "run/1")).isFalse();
        assertThat(ledger.acquire("q", 1, "run/2", NOW + Ledger.HOUR)).isTrue();
    }

    @Test
    void anEmptySlotFileCountsAsInUse() throws IOException {
        Ledger ledger = new Ledger(folder);
        Files.createDirectories(folder.resolve("s"));
        Files.writeString(folder.resolve("s/0.1"), "");
        long now = System.currentTimeMillis();
        assertThat(ledger.acquire("s", 1, "", now)).isFalse();
        assertThat(ledger.acquire("s", 1, "", now + Ledger.HOUR + 60_000)).isTrue();
        Files.writeString(folder.resolve("s/garbage"), "x");
        assertThat(inUse(folder, "s", now + Ledger.HOUR + 60_000)).isEqualTo(1);
    }

    /**
     * Eight threads use ledgers of their own, as processes do: of 10 slots, new or used long ago, exactly 10 are
     * acquired.
     */
    @Test
    void concurrentProcessesDoNotExceedTheLimit() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(8);
        try {
            for (long hour = 0; hour < 3; hour++) {
                long now = NOW + 2 * hour * Ledger.HOUR;
                CountDownLatch go = new CountDownLatch(1);
                List<Future<Integer>> all = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    all.add(pool.submit(() -> {
                        go.await(10, TimeUnit.SECONDS);
                        int acquired = 0;
                        for (int k = 0; k < 5; k++) {
                            acquired += new Ledger(folder).acquire("s", 10, "", now) ? 1 : 0;
                        }
                        return acquired;
                    }));
                }
                go.countDown();
                int acquired = 0;
                for (Future<Integer> one : all) {
                    acquired += one.get(30, TimeUnit.SECONDS);
                }
                assertThat(acquired).isEqualTo(10);
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
