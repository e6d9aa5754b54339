package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contests between strategies with fixed makespans: the winner, and the simulations that are stopped or skipped. */
class ContestTest {
    private static final long NOW = 1_000_000;

    /**
     * Simulations with a fixed makespan for each strategy and future, of {@code STEPS} steps of ten. The end is unknown
     * if the makespan is negative or exceeds the limit.
     */
    private static final class FixedFutures implements Lookahead.Fork {
        private static final int STEPS = 3;

        private final Map<String, long[]> makespans;
        final List<String> simulated = new ArrayList<>();
        final Map<String, Long> untils = new HashMap<>();

        FixedFutures(Map<String, long[]> makespans) {
            this.makespans = makespans;
        }

        @Override
        public Lookahead.SteppedSimulation simulate(Strategy strategy, Memo memo, int future, long until) {
            simulated.add(strategy.name() + future);
            untils.put(strategy.name() + future, until);
            long[] known = makespans.get(strategy.name());
            long end = known == null || known[future] < 0 ? Decision.NEVER : NOW + known[future];
            return new Lookahead.SteppedSimulation() {
                private int steps;

                @Override
                public long step() {
                    return steps++ < STEPS ? 10 : 0;
                }

                @Override
                public long end() {
                    assertThat(steps).as("simulated to its end").isGreaterThan(STEPS);
                    return end > until ? Decision.NEVER : end;
                }

                @Override
                public @Nullable Request firstRequest() {
                    return null;
                }
            };
        }
    }

    private static Contender contender(String name) {
        Strategy none = new Strategy() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
                return Decision.nothing(memo);
            }
        };
        return new Contender(name, none, Memo.NONE, false);
    }

    private static Contest contest(FixedFutures futures, int budget, double margin, String... names) {
        List<Contender> contenders =
                Stream.of(names).map(ContestTest::contender).toList();
        return new Contest(futures, NOW, contenders, new Contest.Terms(4, budget, margin, 0));
    }

    private static String winner(FixedFutures futures, int budget, double margin, String... names) {
        Contest contest = contest(futures, budget, margin, names);
        return Objects.requireNonNull(contest.proceed(Long.MAX_VALUE)).winner().name();
    }

    @Test
    void theBestMeanWins() {
        FixedFutures futures = new FixedFutures(
                Map.of("a", new long[] {1000, 1000, 1000, 1000}, "b", new long[] {900, 890, 910, 900}, "c", new long[] {
                    990, 990, 990, 990
                }));
        assertThat(winner(futures, 40, 0.01, "a", "b", "c")).isEqualTo("b");
    }

    /**
     * b is 1 % better in the mean, but its gain varies by hundreds between futures: the standard error of the mean gain
     * is far above 10.
     */
    @Test
    void anInsignificantGainDoesNotWin() {
        FixedFutures futures = new FixedFutures(
                Map.of("a", new long[] {1000, 1200, 800, 1000}, "b", new long[] {1090, 900, 960, 1000}));
        assertThat(winner(futures, 40, 0, "a", "b")).isEqualTo("a");
    }

    /** b is 0.5 % better in each future, which is significant, and enough for a margin of 0.1 % but not for 1 %. */
    @Test
    void aSmallGainWinsIfSignificantAndAboveTheMargin() {
        FixedFutures futures = new FixedFutures(
                Map.of("a", new long[] {1000, 2000, 1000, 2000}, "b", new long[] {995, 1990, 995, 1990}));
        assertThat(winner(futures, 40, 0.001, "a", "b")).isEqualTo("b");
        assertThat(winner(futures, 40, 0.01, "a", "b")).isEqualTo("a");
    }

    /**
     * c is 12 % behind in the first future, d 8 % in the first two: c is dropped after the first future, d after the
     * second. Both simulations stop as soon as that is certain. Then only a is left.
     */
    @Test
    void hopelessContendersAreSimulatedNoFurther() {
        FixedFutures futures = new FixedFutures(Map.of(
                "a", new long[] {1000, 1000, 1000, 1000},
                "c", new long[] {1120, 900, 900, 900},
                "d", new long[] {1080, 1080, 100, 100}));
        assertThat(winner(futures, 40, 0.001, "a", "c", "d")).isEqualTo("a");
        assertThat(futures.simulated).containsExactly("a0", "c0", "d0", "a1", "d1");
        assertThat(futures.untils)
                .containsEntry("a0", Decision.NEVER)
                .containsEntry("c0", NOW + 1100)
                .containsEntry("d1", NOW + 2100 - 1080);
    }

    /**
     * In the first future b and c end at the same instant, so that c counts as equal to b and is simulated no further.
     * Otherwise it would win.
     */
    @Test
    void aContenderEqualToAnotherIsSimulatedNoFurther() {
        FixedFutures futures = new FixedFutures(Map.of(
                "a", new long[] {1000, 1000, 1000, 1000},
                "b", new long[] {990, 990, 990, 990},
                "c", new long[] {990, 900, 900, 900}));
        assertThat(winner(futures, 40, 0.001, "a", "b", "c")).isEqualTo("b");
        assertThat(futures.simulated).doesNotContain("c1");
    }

    /** The current strategy, a, is behind, but is needed for the comparison. */
    @Test
    void theCurrentStrategyIsSimulatedInEveryFuture() {
        FixedFutures futures = new FixedFutures(
                Map.of("a", new long[] {2000, 2000, 2000, 2000}, "b", new long[] {900, 910, 900, 910}));
        assertThat(winner(futures, 40, 0.001, "a", "b")).isEqualTo("b");
        assertThat(futures.simulated).contains("a3", "b3");
    }

    /**
     * In pieces of 25, a simulation of three steps of ten takes two pieces. There is no outcome before the last piece,
     * and it is the same.
     */
    @Test
    void proceedingInPiecesGivesTheSameOutcome() {
        Map<String, long[]> makespans =
                Map.of("a", new long[] {1000, 1000, 1000, 1000}, "b", new long[] {990, 1010, 980, 970});
        FixedFutures futures = new FixedFutures(makespans);
        Contest contest = contest(futures, 40, 0, "a", "b");
        int pieces = 1;
        Contest.Outcome outcome = contest.proceed(25);
        while (outcome == null && pieces < 100) {
            outcome = contest.proceed(25);
            pieces++;
        }
        assertThat(pieces).isBetween(8, 12);
        FixedFutures whole = new FixedFutures(makespans);
        assertThat(Objects.requireNonNull(outcome).winner().name()).isEqualTo(winner(whole, 40, 0, "a", "b"));
        assertThat(futures.simulated).isEqualTo(whole.simulated);
    }

    /**
     * Five simulations cover the second future for both, the third for one only. The third does not count, or b would
     * win.
     */
    @Test
    void simulationsStayWithinTheBudget() {
        FixedFutures futures =
                new FixedFutures(Map.of("a", new long[] {1000, 1000, 5000, 5000}, "b", new long[] {1010, 1010, 1, 1}));
        assertThat(winner(futures, 5, 0.001, "a", "b")).isEqualTo("a");
        assertThat(futures.simulated).containsExactly("a0", "b0", "a1", "b1", "a2");
    }

    @Test
    void aStrategyWhoseRunWouldNotEndIsReplaced() {
        FixedFutures futures =
                new FixedFutures(Map.of("a", new long[] {-1, -1, -1, -1}, "b", new long[] {20, 20, 20, 20}));
        assertThat(winner(futures, 40, 0.5, "a", "b")).isEqualTo("b");
    }

    /** b throws an exception in the first future: its error is not hidden. */
    @Test
    void anExceptionOfAContenderEndsTheContest() {
        FixedFutures futures = new FixedFutures(Map.of("a", new long[] {1000, 1000, 1000, 1000}));
        Lookahead.Fork fork = (strategy, memo, future, until) -> {
            if (strategy.name().equals("a")) {
                return futures.simulate(strategy, memo, future, until);
            }
            Lookahead.SteppedSimulation broken = futures.simulate(strategy, memo, future, until);
            return new Lookahead.SteppedSimulation() {
                @Override
                public long step() {
                    throw new IllegalStateException("no plan");
                }

                @Override
                public long end() {
                    return broken.end();
                }

                @Override
                public @Nullable Request firstRequest() {
                    return null;
                }
            };
        };
        Contest contest =
                new Contest(fork, NOW, List.of(contender("b"), contender("a")), new Contest.Terms(4, 40, 0.5, 0));
        assertThatIllegalStateException()
                .isThrownBy(() -> contest.proceed(Long.MAX_VALUE))
                .withMessage("no plan");
    }

    /** The contest is concluded within the second future, which does not count. b was 4 % ahead in the first. */
    @Test
    void anEarlyConclusionCountsOnlyCompleteFutures() {
        FixedFutures futures =
                new FixedFutures(Map.of("a", new long[] {1000, 1, 1, 1}, "b", new long[] {960, 960, 960, 960}));
        Contest contest = contest(futures, 40, 0, "a", "b");
        assertThat(contest.proceed(9 * 10)).isNull();
        assertThat(futures.simulated).containsExactly("a0", "b0", "a1");
        assertThat(contest.conclude().winner().name()).isEqualTo("b");
    }

    /**
     * The contest is concluded within the first future: b was not simulated and is dropped, although it would be
     * better.
     */
    @Test
    void inTheFirstFutureOnlySimulatedContendersCount() {
        FixedFutures futures =
                new FixedFutures(Map.of("a", new long[] {1000, 1000, 1000, 1000}, "b", new long[] {10, 10, 10, 10}));
        Contest contest = contest(futures, 40, 0, "a", "b");
        assertThat(contest.proceed(40)).isNull();
        assertThat(contest.conclude().winner().name()).isEqualTo("a");
    }
}
