package io.sheaf.runtime.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal keeps its commits when files are truncated, disks fail or the owner changes. */
class JournalTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void aJournalContinuesFromItsCommits() throws IOException {
        try (Journal first = open()) {
            assertThat(first.epoch()).isEqualTo(1);
            add(first, "a", "b");
            first.commit();
            add(first, "lost with the process");
        }
        try (Journal second = open()) {
            assertThat(second.epoch()).isEqualTo(2);
            assertThat(replayed(second)).containsExactly("a", "b");
            add(second, "c");
            second.commit();
        }
        try (Journal third = open()) {
            assertThat(replayed(third)).containsExactly("a", "b", "c");
        }
        assertThat(stored()).containsExactly("a", "b", "c");
        assertThat(Journal.owner(folder)).isEqualTo("me");
    }

    /** A file of a later Sheaf: only its header is read. */
    @Test
    void aLaterVersionIsRefusedAndNotChanged() throws IOException {
        open().close();
        Path file = folder.resolve("000001.log");
        byte[] old = Files.readAllBytes(file);
        byte[] payload = Framing.payload(old, 0, Framing.end(old, old.length, 0));
        // The version follows the magic word, whose first two bytes are its length.
        int at = Short.BYTES + ByteBuffer.wrap(payload).getShort();
        ByteBuffer.wrap(payload).putInt(at, 3);
        Framing framing = new Framing();
        framing.add(Framing.HEADER, payload);
        byte[] made = new byte[framing.size()];
        framing.buffer().get(made);
        Files.write(file, made);
        for (ThrowingCallable reading :
                List.<ThrowingCallable>of(this::open, this::stored, () -> Journal.owner(folder))) {
            assertThatThrownBy(reading)
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("000001.log: this journal has version 3, this Sheaf reads versions up to 2");
        }
        assertThat(folder).isDirectoryNotContaining("glob:**000002.log");
    }

    /** Commits of two records each; the file may end anywhere. */
    @Test
    void aTruncatedFileKeepsItsCompleteCommits() throws IOException {
        List<Integer> ends = threeCommits();
        Path file = folder.resolve("000001.log");
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length <= whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            int cut = length;
            int complete = (int) ends.stream().skip(1).filter(end -> end <= cut).count();
            List<String> messages = new ArrayList<>();
            try (Journal next = Journal.open(folder, "next", messages::add)) {
                assertThat(replayed(next))
                        .containsExactlyElementsOf(
                                List.of("1a", "1b", "2a", "2b", "3a", "3b").subList(0, 2 * complete));
            }
            assertThat(messages).hasSize(ends.contains(length) || length < ends.get(0) ? 0 : 1);
            Files.delete(folder.resolve("000002.log"));
        }
    }

    /** Wherever the file ends, either all entries of the new beginning are read or all earlier ones. */
    @Test
    void aJournalThatBeginsAnewShowsOldOrNewEntries() throws IOException {
        threeCommits();
        try (Journal second = open()) {
            second.beginAnew();
            add(second, "all", "that", "counts");
            second.commit();
            assertThat(second.outlived()).containsExactly(folder.resolve("000001.log"));
        }
        Path file = folder.resolve("000002.log");
        byte[] whole = Files.readAllBytes(file);
        List<String> old = List.of("1a", "1b", "2a", "2b", "3a", "3b");
        for (int length = 0; length <= whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(stored()).isEqualTo(length < whole.length ? old : List.of("all", "that", "counts"));
        }
        Files.delete(folder.resolve("000001.log"));
        try (Journal third = open()) {
            assertThat(third.outlived()).isEmpty();
            assertThat(replayed(third)).containsExactly("all", "that", "counts");
            add(third, "more");
            third.commit();
        }
        assertThat(stored()).containsExactly("all", "that", "counts", "more");
    }

    @Test
    void aCommitFailsWhileTheFileIsMissing() throws IOException {
        try (Journal journal = open()) {
            add(journal, "a");
            journal.commit();
            Path moved = folder.resolveSibling("moved");
            Files.move(folder, moved);
            add(journal, "b");
            assertThatThrownBy(journal::commit)
                    .isNotInstanceOf(SupersededException.class)
                    .hasMessageContaining("000001.log no longer exists");
            Files.move(moved, folder);
            journal.commit();
        }
        assertThat(stored()).containsExactly("a", "b");
    }

    /** A process that was assumed dead begins anew after its successor has opened the journal. */
    @Test
    void aManagerWithoutTheLeaseCannotBeginAnew() throws IOException {
        threeCommits();
        try (Journal second = open();
                Journal third = open()) {
            second.beginAnew();
            add(second, "too late");
            assertThatThrownBy(second::commit).isInstanceOf(SupersededException.class);
            assertThat(third.outlived()).isEmpty();
            assertThat(replayed(third)).hasSize(6);
        }
    }

    @Test
    void aFlippedBitBeforeTheLastCommitIsAnError() throws IOException {
        List<Integer> ends = threeCommits();
        Path file = folder.resolve("000001.log");
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << (at % 8));
            Files.write(file, flipped);
            if (at < ends.get(2)) {
                assertThatThrownBy(this::stored)
                        .isInstanceOf(DamagedException.class)
                        .hasMessageContaining("000001.log");
            } else {
                // In the last commit it cannot be distinguished from a write that was not completed.
                assertThat(stored()).containsExactly("1a", "1b", "2a", "2b");
            }
        }
    }

    @Test
    void aFlippedBitInAnEarlierEpochIsAlwaysAnError() throws IOException {
        threeCommits();
        open().close();
        Path file = folder.resolve("000001.log");
        byte[] whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << (at % 8));
            Files.write(file, flipped);
            assertThatThrownBy(this::stored).isInstanceOf(DamagedException.class);
        }
        Files.delete(file);
        assertThatThrownBy(this::stored).isInstanceOf(DamagedException.class);
    }

    /** A folder of another user may contain anything: a pipe without a writer, or zeros that need no disk space. */
    @Test
    void pipesAndGiantFilesAreRefused() throws IOException, InterruptedException {
        try (Journal journal = open()) {
            add(journal, "one");
            journal.commit();
        }
        Path file = folder.resolve("000001.log");
        try (RandomAccessFile giant = new RandomAccessFile(file.toFile(), "rw")) {
            giant.setLength(1L << 40);
        }
        assertThatThrownBy(() -> Journal.readWithoutLease(folder, entry -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("do not fit into memory");
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        assertTimeoutPreemptively(
                Duration.ofSeconds(30), () -> assertThatThrownBy(() -> Journal.readWithoutLease(folder, entry -> {}))
                        .isInstanceOf(DamagedException.class));
    }

    @Test
    void anOlderEpochCannotCommit() throws IOException {
        try (Journal old = open()) {
            add(old, "a");
            old.commit();
            try (Journal young = open()) {
                add(old, "too late");
                assertThatThrownBy(old::commit).isInstanceOf(SupersededException.class);
                assertThatThrownBy(old::checkLease).isInstanceOf(SupersededException.class);
                add(young, "b");
                young.commit();
            }
        }
        assertThat(stored()).containsExactly("a", "b");
    }

    /** The old manager has checked the lease, and is suspended for hours before its write. */
    @Test
    void lateWritesOfAnOlderEpochDoNotCount() throws IOException {
        List<Journal> successors = new ArrayList<>();
        Journal old = Journal.open(folder, "old", JournalTest::checkMessage, channel -> new FailingDisk(channel) {
            @Override
            void beforeWrite(long position) throws IOException {
                if (position > 0 && successors.isEmpty()) {
                    successors.add(open());
                }
            }

            @Override
            void beforeForce(long position) {}
        });
        add(old, "never acted on");
        assertThatThrownBy(old::commit).isInstanceOf(SupersededException.class);
        Journal young = successors.get(0);
        add(young, "b");
        young.commit();
        assertThat(stored()).containsExactly("b");
        old.close();
        young.close();
    }

    @Test
    void anEpochHasOneOwner() throws Exception {
        ConcurrentLinkedQueue<Long> epochs = new ConcurrentLinkedQueue<>();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> {
                    try {
                        go.await();
                        try (Journal journal = open()) {
                            epochs.add(journal.epoch());
                        }
                    } catch (SupersededException e) {
                        // Refused: another process was faster.
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(epochs).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void aCommitToAFullDiskIsRetried() throws IOException {
        List<String> failures = new ArrayList<>(List.of("write", "force", "write"));
        try (Journal journal =
                Journal.open(folder, "me", JournalTest::checkMessage, channel -> new FailingDisk(channel) {
                    @Override
                    void beforeWrite(long position) throws IOException {
                        fail("write", position);
                    }

                    @Override
                    void beforeForce(long position) throws IOException {
                        fail("force", position);
                    }

                    private void fail(String what, long position) throws IOException {
                        if (position > 0
                                && !failures.isEmpty()
                                && failures.get(0).equals(what)) {
                            failures.remove(0);
                            throw new IOException("No space left on device");
                        }
                    }
                })) {
            add(journal, "a");
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(journal::commit).hasMessage("No space left on device");
                assertThat(journal.isPending()).isTrue();
                add(journal, "b" + i);
            }
            journal.commit();
            assertThat(journal.isPending()).isFalse();
        }
        assertThat(failures).isEmpty();
        assertThat(stored()).containsExactly("a", "b0", "b1", "b2");
    }

    @Test
    void anEpochThatFailedToBeginIsSkipped() throws IOException {
        threeCommits();
        assertThatThrownBy(() ->
                        Journal.open(folder, "me", JournalTest::checkMessage, channel -> new FailingDisk(channel) {
                            @Override
                            void beforeWrite(long position) throws IOException {
                                throw new IOException("No space left on device");
                            }

                            @Override
                            void beforeForce(long position) {}
                        }))
                .hasMessage("No space left on device");
        try (Journal journal = open()) {
            assertThat(journal.epoch()).isEqualTo(3);
            assertThat(replayed(journal)).hasSize(6);
        }
        try (Journal journal = open()) {
            assertThat(replayed(journal)).hasSize(6);
        }
    }

    /** A disk that fails on demand, after half of a write. */
    private abstract static class FailingDisk implements Disk {
        private final Disk disk;
        private long position;

        FailingDisk(FileChannel channel) {
            disk = Disk.of(channel);
        }

        abstract void beforeWrite(long at) throws IOException;

        abstract void beforeForce(long at) throws IOException;

        @Override
        public void write(ByteBuffer bytes, long at) throws IOException {
            position = at;
            disk.write(bytes.duplicate().limit(bytes.limit() / 2), at);
            beforeWrite(at);
            disk.write(bytes, at);
        }

        @Override
        public void force() throws IOException {
            beforeForce(position);
            disk.force();
        }

        @Override
        public void close() throws IOException {
            disk.close();
        }
    }

    /** Where the header and the three commits end. */
    private List<Integer> threeCommits() throws IOException {
        List<Integer> ends = new ArrayList<>();
        try (Journal journal = open()) {
            ends.add(size());
            for (int i = 1; i <= 3; i++) {
                add(journal, i + "a", i + "b");
                journal.commit();
                ends.add(size());
            }
        }
        return ends;
    }

    private static void checkMessage(String message) {
        assertThat(message).isNotEmpty();
    }

    private int size() throws IOException {
        return (int) Files.size(folder.resolve("000001.log"));
    }

    private Journal open() throws IOException {
        return Journal.open(folder, "me", JournalTest::checkMessage);
    }

    private static void add(Journal journal, String... texts) {
        for (String text : texts) {
            journal.append((byte) 7, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static List<String> replayed(Journal journal) throws IOException {
        List<String> texts = new ArrayList<>();
        journal.replay(entry -> texts.add(text(entry)));
        return texts;
    }

    private List<String> stored() throws IOException {
        List<String> texts = new ArrayList<>();
        Journal.readWithoutLease(folder, entry -> texts.add(text(entry)));
        return texts;
    }

    private static String text(JournalEntry entry) {
        assertThat(entry.type()).isEqualTo((byte) 7);
        return new String(entry.payload(), StandardCharsets.UTF_8);
    }
}
