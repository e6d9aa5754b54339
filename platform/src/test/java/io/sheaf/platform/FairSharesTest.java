package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests max-min fair sharing with cases solved by hand and with properties of every solution. */
class FairSharesTest {
    private static final double FREE = Double.POSITIVE_INFINITY;

    private static double[] solve(int[][] links, double[] penalty, double[] bound, double[] capacity, int... flows) {
        double[] share = new double[links.length];
        new FairShares(links, penalty, bound, capacity, 1).solve(flows, share);
        return share;
    }

    @Test
    void equalFlowsShareALinkEqually() {
        // 3 flows on a link of 12.
        assertThat(solve(new int[][] {{0}}, new double[] {1}, new double[] {FREE}, new double[] {12}, 3))
                .containsExactly(4);
    }

    @Test
    void aLongFlowLeavesTheRestToShortOnes() {
        // Link 0 of 10 carries the long flow and a short one, link 1 of 4 the long flow and another short one. Link 1
        // is full at 2 each, so the long flow has 2 and the short flow on link 0 the other 8.
        double[] share = solve(
                new int[][] {{0, 1}, {0}, {1}},
                new double[] {1, 1, 1},
                new double[] {FREE, FREE, FREE},
                new double[] {10, 4},
                1,
                1,
                1);
        assertThat(share).containsExactly(2, 8, 2);
    }

    @Test
    void sharesAreInverselyProportionalToPenalties() {
        // L/1 + L/3 = 12, so L = 9.
        double[] share =
                solve(new int[][] {{0}, {0}}, new double[] {1, 3}, new double[] {FREE, FREE}, new double[] {12}, 1, 1);
        assertThat(share).containsExactly(9, 3);
    }

    @Test
    void otherFlowsShareTheRestOfABoundedFlow() {
        // Of 12, the bounded flow takes 2; two others share 10.
        double[] share =
                solve(new int[][] {{0}, {0}}, new double[] {1, 1}, new double[] {2, FREE}, new double[] {12}, 1, 2);
        assertThat(share).containsExactly(2, 5);
    }

    @Test
    void linksAreFilledInThreeStages() {
        // Link 0 of 3 carries a, b and c with 1 each. Link 1 of 9 carries b and two flows of d with (9 − 1) / 2 = 4
        // each. Link 2 of 20 carries c and one flow of e with 20 − 1 = 19.
        double[] share = solve(
                new int[][] {{0}, {0, 1}, {0, 2}, {1}, {2}},
                new double[] {1, 1, 1, 1, 1},
                new double[] {FREE, FREE, FREE, FREE, FREE},
                new double[] {3, 9, 20},
                1,
                1,
                1,
                2,
                1);
        assertThat(share).containsExactly(1, 1, 1, 4, 19);
    }

    @Test
    void groupsWithoutFlowsHaveNoShare() {
        double[] share =
                solve(new int[][] {{0}, {0}}, new double[] {1, 1}, new double[] {FREE, FREE}, new double[] {12}, 0, 2);
        assertThat(share).containsExactly(0, 6);
    }

    /**
     * No link exceeds its capacity. Its bound or a full link, on which no flow has a higher level, limits every flow.
     */
    @Test
    void everySolutionIsFeasibleAndMaxMinFair() {
        RandomStream random = new RandomStream(11);
        for (int round = 0; round < 2000; round++) {
            int linkCount = random.between(1, 6);
            int groups = random.between(1, 9);
            double[] capacity = new double[linkCount];
            Arrays.setAll(capacity, link -> random.uniform(1, 1000));
            int[][] links = new int[groups][];
            double[] penalty = new double[groups];
            double[] bound = new double[groups];
            int[] flows = new int[groups];
            for (int group = 0; group < groups; group++) {
                links[group] = Arrays.copyOf(random.permutation(linkCount), random.between(1, linkCount));
                penalty[group] = random.uniform(0.1, 10);
                bound[group] = random.chance(0.3) ? random.uniform(0.1, 100) : FREE;
                flows[group] = random.between(0, 4);
            }
            check(links, penalty, bound, capacity, flows, solve(links, penalty, bound, capacity, flows));
        }
    }

    private static void check(
            int[][] links, double[] penalty, double[] bound, double[] capacity, int[] flows, double[] share) {
        double[] used = new double[capacity.length];
        double[] highest = new double[capacity.length];
        for (int group = 0; group < links.length; group++) {
            for (int link : links[group]) {
                used[link] += flows[group] * share[group];
                highest[link] = Math.max(highest[link], share[group] * penalty[group]);
            }
        }
        for (int link = 0; link < capacity.length; link++) {
            assertThat(used[link]).isLessThanOrEqualTo(capacity[link] * (1 + 1e-12));
        }
        for (int group = 0; group < links.length; group++) {
            if (flows[group] == 0) {
                assertThat(share[group]).isZero();
                continue;
            }
            double level = share[group] * penalty[group];
            boolean limited = share[group] >= bound[group] * (1 - 1e-12);
            for (int link : links[group]) {
                limited |= used[link] >= capacity[link] * (1 - 1e-9) && level >= highest[link] * (1 - 1e-9);
            }
            assertThat(limited).as("group " + group).isTrue();
            assertThat(share[group]).isLessThanOrEqualTo(bound[group]);
        }
    }
}
