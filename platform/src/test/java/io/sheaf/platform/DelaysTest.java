package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the order of events in lines of fixed delays with that of a heap. */
class DelaysTest {
    private static final double[] DELAYS = {0.25, 0.5, 1};

    /** Dates are multiples of a quarter, so that many are equal and the sequence decides. */
    @Test
    void eventsOfDelaysAndTheirCopiesAreOrderedLikeAHeap() {
        Random random = new Random(7);
        Delays delays = new Delays(DELAYS);
        EventHeap heap = new EventHeap();
        double now = 0;
        for (int step = 0; step < 5_000; step++) {
            int count = random.nextInt(step < 3_000 ? 4 : 2);
            for (int i = 0; i < count; i++) {
                int line = random.nextInt(DELAYS.length);
                int token = 10 * step + i;
                delays.add(line, now, token, token);
                heap.add(now + DELAYS[line], token, token);
            }
            if (step % 1_000 == 999) {
                Delays copy = new Delays(DELAYS);
                copy.copy(delays);
                delays = copy;
            }
            assertThat(delays.isEmpty()).isEqualTo(heap.size() == 0);
            if (heap.size() > 0) {
                assertThat(delays.firstDate()).isEqualTo(heap.firstKey());
                assertThat(delays.firstSequence()).isEqualTo(heap.firstSequence());
                now = heap.firstKey();
                assertThat(delays.pop()).isEqualTo(heap.pop());
            }
        }
    }
}
