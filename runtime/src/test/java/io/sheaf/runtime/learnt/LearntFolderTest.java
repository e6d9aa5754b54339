package io.sheaf.runtime.learnt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.LearnedWaits;
import io.sheaf.predict.TaskHistory;
import io.sheaf.predict.TaskRecord;
import io.sheaf.predict.WaitObservation;
import io.sheaf.random.RandomStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LearntFolderTest {
    private static final long DAY = 86_400_000;

    @TempDir
    Path temp = Path.of("");

    private static Observation observation(String writer, int number) {
        return new Observation(
                writer,
                number,
                1_000L * number + writer.hashCode() % 7,
                SharedWaits.text(new WaitObservation(4, 3_600_000, 20_000, number)));
    }

    private static LearntFolder folder(Path place) {
        return new LearntFolder(place, SharedWaits.SUFFIX, SharedWaits::kind);
    }

    private static List<Observation> filled(LearntFolder folder, int writers, int each) throws IOException {
        List<Observation> all = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            for (int i = 0; i < each; i++) {
                Observation one = observation("w" + w, i);
                folder.append(one);
                all.add(one);
            }
        }
        all.sort(Observation.ORDER);
        return all;
    }

    @Test
    void observationsOfSeveralWritersAreReadInOneOrder() throws IOException {
        LearntFolder folder = folder(temp.resolve("a"));
        assertThat(folder.read()).isEmpty();
        List<Observation> all = filled(folder, 3, 5);
        assertThat(folder.read()).isEqualTo(all);
    }

    @Test
    void aTruncatedFileKeepsItsCompleteLines() throws IOException {
        LearntFolder folder = folder(temp);
        List<Observation> all = filled(folder, 1, 5);
        Path file = temp.resolve("w0.waits");
        byte[] bytes = Files.readAllBytes(file);
        for (int length = 0; length <= bytes.length; length++) {
            Files.write(file, Arrays.copyOf(bytes, length));
            int complete = 0;
            for (int i = 0; i < length; i++) {
                complete += bytes[i] == '\n' ? 1 : 0;
            }
            assertThat(folder.read()).as("cut at %d", length).isEqualTo(all.subList(0, complete));
            // The next process continues in its own file.
            Observation next = observation("x", 9);
            folder.append(next);
            assertThat(folder.read()).hasSize(complete + 1).contains(next);
            Files.delete(temp.resolve("x.waits"));
        }
    }

    @Test
    void aKilledMergeLosesAndDuplicatesNothing() throws IOException {
        Path whole = temp.resolve("whole");
        LearntFolder folder = folder(whole);
        List<Observation> all = filled(folder, 2, 2);
        List<Path> before = folder.files();
        List<byte[]> contents = new ArrayList<>();
        for (Path file : before) {
            contents.add(Files.readAllBytes(file));
        }
        folder.merge(before, "m");
        byte[] merged = Files.readAllBytes(whole.resolve("m.waits"));
        assertThat(folder.files()).containsExactly(whole.resolve("m.waits"));
        assertThat(folder.read()).isEqualTo(all);
        // Killed while the new file is written, at each byte of it; then renamed; then with each number of old files
        // removed.
        for (int step = 0; step <= merged.length + 1 + before.size(); step++) {
            Path copy = Files.createDirectory(temp.resolve("copy" + step));
            int removed = Math.max(0, step - merged.length - 1);
            for (int i = removed; i < before.size(); i++) {
                Files.write(copy.resolve(before.get(i).getFileName()), contents.get(i));
            }
            String name = step > merged.length ? "m.waits" : "m.waits.1.tmp";
            Files.write(copy.resolve(name), Arrays.copyOf(merged, Math.min(step, merged.length)));
            LearntFolder killed = folder(copy);
            assertThat(killed.read()).as("step %d", step).isEqualTo(all);
            // Another process merges the files that it finds.
            killed.merge(killed.files(), "n");
            assertThat(killed.read()).as("step %d", step).isEqualTo(all);
        }
    }

    @Test
    void twoMergingProcessesLoseNothing() throws IOException {
        LearntFolder folder = folder(temp);
        List<Observation> all = filled(folder, 4, 2);
        List<Path> listed = folder.files();
        // One process merges three of the files, and a new writer appends, before another process merges.
        folder.merge(listed.subList(0, 3), "other");
        Observation late = observation("late", 100);
        folder.append(late);
        all.add(late);
        all.sort(Observation.ORDER);
        folder.merge(folder.files(), "one");
        assertThat(folder.read()).isEqualTo(all);
    }

    @Test
    void onlyOldFilesAreMergedAndTheLatestEntriesKept() throws IOException {
        LearntFolder folder = folder(temp);
        long now = 100 * DAY;
        filled(folder, LearntFolder.MANY, LearntFolder.LATEST);
        for (Path file : folder.files()) {
            Files.setLastModifiedTime(file, FileTime.fromMillis(now - DAY));
        }
        folder.merge(now, "m");
        assertThat(folder.files()).hasSize(LearntFolder.MANY);
        List<Observation> before = folder.read();
        assertThat(before).hasSize(LearntFolder.LATEST);
        folder.merge(now + 2 * DAY, "m");
        assertThat(folder.files()).hasSize(1);
        assertThat(folder.read()).isEqualTo(before);
    }

    @Test
    void processesLearnFromEachOther() {
        AtomicLong clock = new AtomicLong(DAY);
        List<String> messages = new ArrayList<>();
        Path folder = SharedWaits.folder(temp, "Big/Cluster", "");
        SharedWaits one = new SharedWaits(folder, LearnedWaits.LearnerSettings.PAPER, clock::get, messages::add);
        SharedWaits other = new SharedWaits(folder, LearnedWaits.LearnerSettings.PAPER, clock::get, messages::add);
        other.expect(4, 3_600_000, 0, new RandomStream(1));
        for (int i = 0; i < 20; i++) {
            one.learn(new WaitObservation(4, 3_600_000, 10_000, 800_000));
            clock.addAndGet(10_000);
        }
        assertThat(one.expect(4, 3_600_000, 0, new RandomStream(1))).isEqualTo(800_000);
        assertThat(other.expect(4, 3_600_000, 0, new RandomStream(1))).isEqualTo(800_000);
        assertThat(messages).isEmpty();
    }

    @Test
    void anUnwritableFolderIsReportedOnceAndLearningContinues() throws IOException {
        Path file = Files.createFile(temp.resolve("no-folder"));
        List<String> messages = new ArrayList<>();
        SharedWaits waits = new SharedWaits(file, LearnedWaits.LearnerSettings.PAPER, () -> DAY, messages::add);
        waits.learn(new WaitObservation(1, 60_000, 10_000, 20_000));
        waits.learn(new WaitObservation(1, 60_000, 10_000, 20_000));
        assertThat(messages).hasSize(1);
        assertThat(waits.expect(1, 60_000, 0, new RandomStream(1))).isPositive();
    }

    @Test
    void aTruncatedHistoryKeepsItsCompleteAttempts() throws IOException {
        List<TaskRecord> all = List.of(
                new TaskRecord("align reads\nquickly", 4, 1_000, 60_000, -1, false),
                new TaskRecord("", 1, -1, 5_000, 7_000_000, false),
                new TaskRecord("", 1, -1, 1, -1, true));
        List<String> messages = new ArrayList<>();
        SharedHistory history = new SharedHistory(temp, () -> DAY, messages::add);
        all.forEach(history::add);
        try (Stream<Path> files = Files.list(temp)) {
            Path file = files.findFirst().orElseThrow();
            byte[] bytes = Files.readAllBytes(file);
            for (int length = 0; length <= bytes.length; length++) {
                Files.write(file, Arrays.copyOf(bytes, length));
                int complete = (int) new String(bytes, 0, length, StandardCharsets.UTF_8)
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
                List<TaskRecord> read = new LearntFolder(temp, SharedHistory.SUFFIX, SharedHistory::kind)
                        .read().stream()
                                .map(each -> SharedHistory.read(each.value()))
                                .toList();
                assertThat(read).as("cut at %d", length).isEqualTo(all.subList(0, complete));
                TaskHistory known = new SharedHistory(temp, () -> DAY, messages::add).read();
                assertThat(known.expected("align reads\nquickly", 4, -1, 0.9) != null)
                        .isEqualTo(complete > 0);
            }
        }
        assertThat(messages).isEmpty();
    }

    @Test
    void failuresDoNotDisplaceSuccessfulAttempts() throws IOException {
        SharedHistory history = new SharedHistory(temp, () -> DAY, each -> {});
        history.add(new TaskRecord("align", 1, -1, 60_000, -1, false));
        for (int i = 0; i <= LearntFolder.LATEST; i++) {
            history.add(new TaskRecord("align", 1, -1, 1, -1, true));
        }
        assertThat(history.read().expected("align", 1, -1, 0.9)).isNotNull();
    }

    /** A folder that all users share would belong to the first of them. */
    @Test
    void withoutAHomeEachUserHasAFolder() {
        assertThat(StateFolder.of(Map.of()).toString()).contains("sheaf-" + System.getProperty("user.name"));
        assertThat(StateFolder.of(Map.of("HOME", "/h"))).isEqualTo(Path.of("/h/.local/state/sheaf"));
    }
}
