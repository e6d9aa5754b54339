package io.sheaf.sim.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the lower bound on a cluster that is small enough to work out by hand. */
class LowerBoundTest {
    /** Two of four nodes are free: 100 ms of work take 50 ms. A path of 70 ms takes 70 ms. */
    @Test
    void freeNodesCountFromTheStart() {
        assertThat(LowerBound.bound(new long[] {500, 500}, 4, 10, 100, 1)).isEqualTo(50);
        assertThat(LowerBound.bound(new long[] {500, 500}, 4, 70, 100, 1)).isEqualTo(70);
        assertThat(LowerBound.bound(new long[0], 4, 10, 100, 2))
                .as("two cores a node")
                .isEqualTo(13);
    }

    /**
     * One node is free from 20 ms on, a second from 30 ms on: 10 node-milliseconds until 30 ms, the other 90 take 45
     * ms. A path of 70 ms ends at 90 ms.
     */
    @Test
    void busyNodesCountFromTheEndOfTheirJobs() {
        assertThat(LowerBound.bound(new long[] {900, 30, 20}, 3, 10, 100, 1)).isEqualTo(75);
        assertThat(LowerBound.bound(new long[] {900, 30, 20}, 3, 70, 100, 1)).isEqualTo(90);
        assertThat(LowerBound.bound(new long[] {900, 30, 20}, 3, 0, 0, 1)).isEqualTo(20);
    }
}
