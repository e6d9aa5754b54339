package io.sheaf.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AsaLearnerTest {
    private static final Alternatives SOUZA = Alternatives.SOUZA;
    private static final double DELTA = 0.05;
    private static final int RUNS = 60;

    private static AsaLearner learner(String sampling, WaitLoss loss, long seed) {
        return new AsaLearner(SOUZA, loss, Sampling.of(sampling), WaitPrior.uniform(SOUZA), seed);
    }

    /** Runs iterations and returns the number of those that did not choose the alternative nearest to the wait. */
    private static int iterate(AsaLearner learner, RandomStream random, int from, int to, IntToLongFunction wait) {
        int wrong = 0;
        for (int i = from; i < to; i++) {
            int chosen = learner.choose(random);
            wrong += chosen == SOUZA.nearest(wait.applyAsLong(i)) ? 0 : 1;
            learner.score(chosen, wait.applyAsLong(i));
        }
        return wrong;
    }

    @Test
    void thereAre53AlternativesUpTo100000Seconds() {
        assertThat(SOUZA.size()).isEqualTo(53);
        assertThat(SOUZA.millis(0)).isEqualTo(10_000);
        assertThat(SOUZA.millis(52)).isEqualTo(100_000_000);
        assertThat(SOUZA.millis(SOUZA.nearest(0))).isEqualTo(10_000);
        assertThat(SOUZA.millis(SOUZA.nearest(125_000))).isEqualTo(100_000);
        assertThat(SOUZA.millis(SOUZA.nearest(125_001))).isEqualTo(150_000);
        assertThat(SOUZA.millis(SOUZA.nearest(Long.MAX_VALUE))).isEqualTo(100_000_000);
    }

    /** Alternatives 0, 1 and 2, of which 1 is right. Round 1: 0 fails twice; ln p = −2, 0, 0 before normalization. */
    @Test
    void aRoundEndsWhenAnAlternativeHasMoreThanOneLoss() {
        Alternatives three = Alternatives.of(1_000, 2_000, 3_000);
        AsaLearner learner = new AsaLearner(three, WaitLoss.OPTIMAL, Sampling.DEFAULT, WaitPrior.uniform(three), 1);
        learner.score(0, 2_000);
        learner.score(1, 2_000);
        assertThat(learner.rounds()).isZero();
        assertThat(learner.probability(0)).isCloseTo(1.0 / 3, within(1e-12));
        learner.score(0, 2_000);
        assertThat(learner.rounds()).isEqualTo(1);
        double sum = StrictMath.exp(-2) + 2;
        assertThat(learner.probability(0)).isCloseTo(StrictMath.exp(-2) / sum, within(1e-12));
        assertThat(learner.probability(1)).isCloseTo(1 / sum, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"default, optimal", "tuned, optimal", "greedy, optimal", "default, distance", "tuned:7, distance"})
    void probabilitiesAreValidAndSumToOne(String sampling, String loss) {
        AsaLearner learner = learner(sampling, WaitLoss.named(loss), 3);
        RandomStream random = new RandomStream(4);
        for (int i = 0; i < 3_000; i++) {
            iterate(learner, random, i, i + 1, at -> at < 2_000 ? 45_000 : random.nextLong(90_000_000));
            double sum = 0;
            for (int a = 0; a < SOUZA.size(); a++) {
                assertThat(learner.probability(a)).isBetween(0.0, 1.0);
                sum += learner.probability(a);
            }
            assertThat(sum).isCloseTo(1, within(1e-9));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 45, 600, 4_000, 70_000})
    void convergesOnAFixedWait(long seconds) {
        for (long seed = 0; seed < 5; seed++) {
            AsaLearner plain = learner("default", WaitLoss.OPTIMAL, seed);
            RandomStream random = new RandomStream(seed).split("jobs");
            iterate(plain, random, 0, 2_000, i -> seconds * 1_000);
            assertThat(iterate(plain, random, 0, 100, i -> seconds * 1_000)).isLessThan(15);
            AsaLearner tuned = learner("tuned", WaitLoss.OPTIMAL, seed);
            iterate(tuned, random, 0, 20, i -> seconds * 1_000);
            assertThat(iterate(tuned, random, 0, 100, i -> seconds * 1_000)).isLessThan(10);
        }
    }

    @Test
    void recoversAfterTheWaitsChange() {
        IntToLongFunction changing = i -> new long[] {300, 40_000, 20, 5_000, 60}[i / 200] * 1_000;
        for (long seed = 0; seed < 5; seed++) {
            AsaLearner tuned = learner("tuned", WaitLoss.OPTIMAL, seed);
            RandomStream random = new RandomStream(seed).split("jobs");
            for (int phase = 0; phase < 5; phase++) {
                iterate(tuned, random, 200 * phase, 200 * phase + 20, changing);
                assertThat(iterate(tuned, random, 200 * phase + 20, 200 * phase + 200, changing))
                        .as("phase %d", phase)
                        .isLessThan(10);
            }
        }
    }

    private static long wait(String waits, int t, RandomStream random) {
        return 1_000
                * switch (waits) {
                    case "fixed" -> 700;
                    case "changing" -> 50 + 3_000L * (t / 250);
                    case "two" -> random.chance(0.7) ? 60 : 2_000;
                    default -> random.nextLong(2_000);
                };
    }

    /**
     * Theorem 1: with probability 1 − δ the losses exceed those of the best fixed alternative by at most 4η(t) + ln m +
     * √(2t ln(m/δ)). Checked after every iteration, with the paper's example of four alternatives, and with waits that
     * are fixed, that change, and that are random.
     */
    @ParameterizedTest
    @ValueSource(strings = {"fixed", "changing", "two", "any"})
    void regretStaysWithinTheBoundOfTheorem1(String waits) {
        assertThat(runsBeyondTheorem1(Alternatives.of(1_000, 10_000, 100_000, 1_000_000), waits))
                .isLessThanOrEqualTo((int) (DELTA * RUNS));
    }

    /**
     * From (12) to (13) the proof drops the weight of a loss, the probability of the drawn alternative. With 53
     * alternatives this matters.
     */
    @Test
    void withManyAlternativesTheBoundOfTheorem1DoesNotHold() {
        assertThat(runsBeyondTheorem1(SOUZA, "fixed")).isGreaterThan(RUNS / 2);
    }

    private static int runsBeyondTheorem1(Alternatives alternatives, String waits) {
        int exceeded = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            RandomStream random = new RandomStream(seed).split(waits);
            AsaLearner learner = new AsaLearner(
                    alternatives, WaitLoss.OPTIMAL, Sampling.DEFAULT, WaitPrior.uniform(alternatives), seed);
            double[] losses = new double[alternatives.size()];
            double own = 0;
            boolean within = true;
            for (int t = 1; t <= 500; t++) {
                long wait = wait(waits, t, random);
                int chosen = learner.choose(random);
                own += WaitLoss.OPTIMAL.of(alternatives, chosen, wait);
                learner.score(chosen, wait);
                double best = Double.MAX_VALUE;
                for (int a = 0; a < losses.length; a++) {
                    losses[a] += WaitLoss.OPTIMAL.of(alternatives, a, wait);
                    best = Math.min(best, losses[a]);
                }
                double m = alternatives.size();
                double bound = 4 * learner.rounds() + Math.log(m) + Math.sqrt(2 * t * Math.log(m / DELTA));
                within &= own - best <= bound;
            }
            exceeded += within ? 0 : 1;
        }
        return exceeded;
    }

    /**
     * Inequality (12) of the proof, which always holds: over the completed rounds, Σ p(a) · (loss of a in the round)
     * exceeds the losses of the best alternative when drawn by at most 4η + ln m.
     */
    @ParameterizedTest
    @CsvSource({"fixed, optimal", "changing, optimal", "two, optimal", "any, optimal", "two, distance", "any, distance"
    })
    void weightedRegretStaysWithinTheBoundOfInequality12(String waits, String lossName) {
        WaitLoss loss = WaitLoss.named(lossName);
        for (long seed = 0; seed < 10; seed++) {
            RandomStream random = new RandomStream(seed).split(waits);
            AsaLearner learner = learner("default", loss, seed);
            double[] all = new double[SOUZA.size()];
            double[] round = new double[SOUZA.size()];
            double weighted = 0;
            for (int t = 1; t <= 1_000; t++) {
                int chosen = learner.choose(random);
                long wait = wait(waits, t, random);
                round[chosen] += loss.of(SOUZA, chosen, wait);
                int rounds = learner.rounds();
                double[] before = IntStream.range(0, SOUZA.size())
                        .mapToDouble(learner::probability)
                        .toArray();
                learner.score(chosen, wait);
                if (learner.rounds() > rounds) {
                    double best = Double.MAX_VALUE;
                    for (int a = 0; a < round.length; a++) {
                        weighted += before[a] * round[a];
                        all[a] += round[a];
                        round[a] = 0;
                        best = Math.min(best, all[a]);
                    }
                    assertThat(weighted - best).isLessThanOrEqualTo(4 * learner.rounds() + Math.log(SOUZA.size()));
                }
            }
        }
    }

    @Test
    void greedyDoesNotDrawRandomly() {
        AsaLearner greedy = learner("greedy", WaitLoss.OPTIMAL, 1);
        assertThat(greedy.choose(new RandomStream(1))).isZero();
        greedy.score(0, 20_000);
        assertThat(greedy.choose(new RandomStream(2))).isEqualTo(1);
    }

    @Test
    void theSameSeedAndWaitsGiveTheSameProbabilities() {
        AsaLearner one = learner("tuned", WaitLoss.OPTIMAL, 9);
        iterate(one, new RandomStream(1), 0, 10, i -> 100_000);
        AsaLearner same = learner("tuned", WaitLoss.OPTIMAL, 9);
        iterate(same, new RandomStream(1), 0, 10, i -> 100_000);
        for (int a = 0; a < SOUZA.size(); a++) {
            assertThat(one.probability(a)).isEqualTo(same.probability(a));
        }
        iterate(one, new RandomStream(2), 0, 30, i -> 9_000_000);
        assertThat(one.probability(SOUZA.nearest(9_000_000))).isGreaterThan(0.9);
        assertThat(one.scored()).isEqualTo(40);
    }

    @Test
    void aPriorPrefersTheEstimate() {
        double[] prior = WaitPrior.around(SOUZA, 600_000);
        int nearest = SOUZA.nearest(600_000);
        for (int a = 0; a < SOUZA.size(); a++) {
            assertThat(prior[a]).isPositive().isLessThanOrEqualTo(prior[nearest]);
        }
        double[] seen = WaitPrior.fromWaits(SOUZA, 20_000, 20_000, 5_000_000);
        assertThat(seen[SOUZA.nearest(20_000)]).isGreaterThan(seen[SOUZA.nearest(5_000_000)]);
        assertThat(seen[SOUZA.nearest(5_000_000)]).isGreaterThan(seen[SOUZA.nearest(90_000)]);
    }

    @Test
    void eachJobGeometryHasItsOwnLearner() {
        LearnedWaits waits = new LearnedWaits(LearnedWaits.LearnerSettings.PAPER);
        for (int i = 0; i < 10; i++) {
            waits.learn(new WaitObservation(3, 3_000_000, 10_000, 700_000));
        }
        RandomStream random = new RandomStream(5);
        assertThat(waits.expect(4, 3_600_000, 20_000, random)).isEqualTo(700_000);
        waits.setPrior(Geometry.of(16, 1), 8_000_000, 8_000_000, 8_000_000);
        assertThat(waits.learner(Geometry.of(4, 3_600_000))).isNotNull();
        assertThat(waits.learner(Geometry.of(5, 3_600_000))).isNull();
        int near = 0;
        for (int i = 0; i < 200; i++) {
            near += waits.expect(16, 60_000, 20_000, random) == 8_000_000 ? 1 : 0;
        }
        assertThat(near).isBetween(150, 200);
    }

    @Test
    void refusesInvalidParameters() {
        assertThatThrownBy(() -> Sampling.of("tuned:0")).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> WaitLoss.named("least")).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> Alternatives.of(5, 5)).isInstanceOf(IllegalArgumentException.class);
    }
}
