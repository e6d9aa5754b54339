package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantHeapTest {
    private record Thing(long at, long tie, int value) {}

    private static final Comparator<Thing> ORDER =
            Comparator.comparingLong(Thing::at).thenComparingLong(Thing::tie);

    @ParameterizedTest
    @ValueSource(ints = {3, 40, 300})
    void agreesWithATreeSet(int things) {
        RandomStream random = new RandomStream(things);
        InstantHeap heap = new InstantHeap();
        InstantHeap copy = new InstantHeap();
        TreeSet<Thing> expected = new TreeSet<>(ORDER);
        for (int step = 0; step < 20_000; step++) {
            int value = random.nextInt(things);
            boolean present = expected.removeIf(t -> t.value == value);
            assertThat(heap.remove(value)).isEqualTo(present);
            if (!present || random.chance(0.4)) {
                Thing thing = new Thing(random.nextInt(50), step, value);
                heap.add(thing.at, thing.tie, value);
                expected.add(thing);
            }
            if (step % 500 == 0) {
                copy.copyFrom(heap);
                drain(copy, expected);
            }
            assertThat(heap.first()).isEqualTo(expected.isEmpty() ? BatchEngine.NEVER : expected.first().at);
        }
        drain(heap, expected);
    }

    private static void drain(InstantHeap heap, SortedSet<Thing> expected) {
        for (Thing t : expected) {
            assertThat(heap.first()).isEqualTo(t.at);
            assertThat(heap.firstTie()).isEqualTo(t.tie);
            assertThat(heap.remove()).isEqualTo(t.value);
        }
        assertThat(heap.isEmpty()).isTrue();
    }
}
