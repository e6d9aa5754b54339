package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.Estimator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Contests whose outcomes are given: who wins, who is given up, and what is not played at all. */
class ContestTest {
    private static final long NOW = 1_000_000;

    /** How long each takes in each future; none beyond what is of interest. */
    private static final class Given implements Futures.Moment {
        private final Map<String, long[]> lasts;
        final List<String> played = new ArrayList<>();

        Given(Map<String, long[]> lasts) {
            this.lasts = lasts;
        }

        @Override
        public long end(Strategy strategy, Memo memo, int future, long until) {
            played.add(strategy.name() + future);
            long[] known = lasts.get(strategy.name());
            long end = known == null || known[future] < 0 ? Decision.NEVER : NOW + known[future];
            return end > until ? Decision.NEVER : end;
        }
    }

    private static Contest.Entrant entrant(String name) {
        Strategy none = new Strategy() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Decision decide(View view, Memo memo, Estimator estimator, Considered considered) {
                return Decision.nothing(memo);
            }
        };
        return new Contest.Entrant(name, none, Memo.NONE, false);
    }

    private static String winner(Given moment, int budget, double margin, String... names) {
        List<Contest.Entrant> entrants = new ArrayList<>();
        for (String name : names) {
            entrants.add(entrant(name));
        }
        return Contest.held(moment, NOW, entrants, 4, budget, 0, margin)
                .winner()
                .name();
    }

    @Test
    void theBestMeanWins() {
        Given moment = new Given(
                Map.of("a", new long[] {1000, 1000, 1000, 1000}, "b", new long[] {900, 890, 910, 900}, "c", new long[] {
                    990, 990, 990, 990
                }));
        assertThat(winner(moment, 40, 0.01, "a", "b", "c")).isEqualTo("b");
    }

    /** 1 % better in the mean, but by 100 ± 260 in single futures: the standard error of the mean gain of 10 is far above it. */
    @Test
    void whatChanceExplainsChangesNothing() {
        Given moment =
                new Given(Map.of("a", new long[] {1000, 1200, 800, 1000}, "b", new long[] {1100, 900, 960, 1000}));
        assertThat(winner(moment, 40, 0, "a", "b")).isEqualTo("a");
    }

    /** 0.5 % better in each future: sure, and enough for a margin of 0.1 % but not for 1 %. */
    @Test
    void aSmallGainCountsIfItIsSureAndAboveTheMargin() {
        Given moment =
                new Given(Map.of("a", new long[] {1000, 2000, 1000, 2000}, "b", new long[] {995, 1990, 995, 1990}));
        assertThat(winner(moment, 40, 0.001, "a", "b")).isEqualTo("b");
        assertThat(winner(moment, 40, 0.01, "a", "b")).isEqualTo("a");
    }

    /** c is 40 % behind in the first future, d 20 %: c is given up after it, d after the second. e takes more than 1.5 times as long as the best and is broken off. */
    @Test
    void hopelessOnesAreNotPlayedOn() {
        Given moment = new Given(Map.of(
                "a", new long[] {1000, 1000, 1000, 1000},
                "c", new long[] {1400, 900, 900, 900},
                "d", new long[] {1200, 1200, 100, 100},
                "e", new long[] {1600, 100, 100, 100}));
        assertThat(winner(moment, 40, 0.001, "a", "c", "d", "e")).isEqualTo("a");
        assertThat(moment.played).containsExactly("a0", "c0", "d0", "e0", "a1", "d1", "a2", "a3");
    }

    /** With five plays the second future is played for both, the third for one only: it does not count, or b would win. */
    @Test
    void noMoreIsPlayedThanTheBudgetAllows() {
        Given moment = new Given(Map.of("a", new long[] {1000, 1000, 5000, 5000}, "b", new long[] {1010, 1010, 1, 1}));
        assertThat(winner(moment, 5, 0.001, "a", "b")).isEqualTo("a");
        assertThat(moment.played).containsExactly("a0", "b0", "a1", "b1", "a2");
    }

    @Test
    void oneThatWouldNotEndIsReplacedByTheBestOther() {
        Given moment = new Given(Map.of("a", new long[] {-1, -1, -1, -1}, "b", new long[] {20, 20, 20, 20}));
        assertThat(winner(moment, 40, 0.5, "a", "b")).isEqualTo("b");
    }
}
