package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantHeapTest {
    private record Entry(long at, long tie, int value) {}

    private static final Comparator<Entry> ORDER =
            Comparator.comparingLong(Entry::at).thenComparingLong(Entry::tie);

    @ParameterizedTest
    @ValueSource(ints = {3, 40, 300})
    void agreesWithATreeSet(int values) {
        RandomStream random = new RandomStream(values);
        InstantHeap heap = new InstantHeap();
        InstantHeap copy = new InstantHeap();
        TreeSet<Entry> expected = new TreeSet<>(ORDER);
        for (int step = 0; step < 20_000; step++) {
            int value = random.nextInt(values);
            boolean present = expected.removeIf(t -> t.value == value);
            assertThat(heap.remove(value)).isEqualTo(present);
            if (!present || random.chance(0.4)) {
                Entry entry = new Entry(random.nextInt(50), step, value);
                heap.add(entry.at, entry.tie, value);
                expected.add(entry);
            }
            if (step % 500 == 0) {
                copy.copyFrom(heap);
                drain(copy, expected);
            }
            assertThat(heap.first()).isEqualTo(expected.isEmpty() ? BatchEngine.NEVER : expected.first().at);
        }
        drain(heap, expected);
    }

    private static void drain(InstantHeap heap, SortedSet<Entry> expected) {
        for (Entry t : expected) {
            assertThat(heap.first()).isEqualTo(t.at);
            assertThat(heap.firstTie()).isEqualTo(t.tie);
            assertThat(heap.remove()).isEqualTo(t.value);
        }
        assertThat(heap.isEmpty()).isTrue();
    }
}
