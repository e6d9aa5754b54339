package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.random.RandomStream;
import org.junit.jupiter.api.Test;

/** Tests the times of flows and disk operations. */
class KernelTest {
    /** The rate of a single flow on a link of 100 MB/s: 100 · 0.97 / 1.05 MB/s. */
    private static final double ALONE = 100e6 * 0.97 / 1.05;

    private static final double DELAY = 13.01 * 50e-6;

    private final Kernel kernel = new Kernel(Platforms.of("P1"));

    private void expect(int token, double time) {
        assertThat(kernel.next()).isEqualTo(token);
        assertThat(kernel.now()).isCloseTo(time, within(1e-9));
    }

    @Test
    void aMessageTakesItsLatencyAndTransferTime() {
        kernel.send(0, 1e6, 7);
        expect(7, DELAY + 1e6 / ALONE);
        assertThat(kernel.next()).isEqualTo(-1);
    }

    @Test
    void anEmptyMessageTakesItsLatency() {
        kernel.send(0, 0, 7);
        expect(7, DELAY);
    }

    @Test
    void twoFlowsShareALinkEqually() {
        // Both flows start after DELAY. The second ends when each has sent 1 MB, 2 MB in total. Then the first sends
        // its last MB alone.
        kernel.send(0, 2e6, 1);
        kernel.send(0, 1e6, 2);
        expect(2, DELAY + 2e6 / ALONE);
        expect(1, DELAY + 3e6 / ALONE);
    }

    @Test
    void aDiskIsSharedEqually() {
        // The disk has 100 MB/s. At 0.5 s the first has 50 MB; then both have 50 MB/s. The second's 25 MB are done at 1
        // s, when the first has 25 MB left.
        kernel.disk(1, 100e6, 1);
        kernel.after(0.5, 9);
        expect(9, 0.5);
        kernel.disk(1, 25e6, 2);
        expect(2, 1.0);
        expect(1, 1.25);
    }

    @Test
    void disksOfClusterAndUserAreIndependent() {
        kernel.disk(0, 100e6, 1);
        kernel.disk(1, 200e6, 2);
        expect(1, 1);
        expect(2, 2);
    }

    @Test
    void simultaneousEventsKeepTheOrderOfTheirRequests() {
        kernel.after(1, 5);
        kernel.after(1, 4);
        kernel.after(1, 3);
        expect(5, 1);
        expect(4, 1);
        expect(3, 1);
    }

    @Test
    void aCopyContinuesIdentically() {
        RandomStream random = new RandomStream(3);
        Kernel busy = new Kernel(Platforms.of("P4"));
        for (int i = 0; i < 50; i++) {
            busy.send(random.nextInt(9), random.uniform(1, 1e8), i);
            busy.disk(random.nextInt(4), random.uniform(1, 1e8), 100 + i);
        }
        for (int i = 0; i < 30; i++) {
            busy.next();
        }
        Kernel copy = new Kernel(Platforms.of("P4"));
        copy.copy(busy);
        for (int token = busy.next(); token >= 0; token = busy.next()) {
            assertThat(copy.next()).isEqualTo(token);
            assertThat(copy.now()).isEqualTo(busy.now());
        }
        assertThat(copy.next()).isEqualTo(-1);
    }

    /** A link that always has a flow is fully used, so the last flow ends when the link can have carried all bytes. */
    @Test
    void aBusyLinkTransfersAllBytesAtItsFullRate() {
        RandomStream random = new RandomStream(5);
        for (int round = 0; round < 200; round++) {
            Kernel one = new Kernel(Platforms.of("P1"));
            double all = 0;
            for (int i = 0; i < 20; i++) {
                double bytes = random.uniform(1, 1e7);
                all += bytes;
                one.send(0, bytes, i);
            }
            int ended = 0;
            while (one.next() >= 0) {
                ended++;
            }
            assertThat(ended).isEqualTo(20);
            assertThat(one.now()).isCloseTo(DELAY + all / ALONE, within(1e-7));
        }
    }
}
