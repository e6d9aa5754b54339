package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.platform.PortfolioRound.Candidate;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests choices of the portfolio during a run, on a generated workflow. */
class PlatformPortfolioTest {
    private static final Scenario SCENARIO = new Scenario(Small.layers(5, 30, 7), Platforms.of("P4"), Model.PAPER);
    private static final List<Algorithm> ALL = Algorithms.of(Model.PAPER);
    private static final PortfolioSettings USUAL = PortfolioSettings.PUBLISHED;

    private static PlatformPortfolio.Run run(PortfolioSettings settings) {
        return PlatformPortfolio.run(SCENARIO, ALL, settings);
    }

    private static List<Integer> chosen(PlatformPortfolio.Run run) {
        return run.rounds().stream().map(PortfolioRound::chosen).toList();
    }

    @Test
    void thePortfolioIsNoWorseThanTheBestAlgorithm() {
        double best = ALL.stream()
                .mapToDouble(algorithm ->
                        PlatformSimulation.run(SCENARIO, algorithm).execution().makespan())
                .min()
                .orElseThrow();
        PlatformPortfolio.Run run = run(USUAL);
        assertThat(run.simulation().execution().makespan()).isLessThanOrEqualTo(best);
        assertThat(run.evaluations()).isEqualTo(36L * run.rounds().size());
        assertThat(run.rounds().stream().map(PortfolioRound::chosen).distinct().count())
                .isEqualTo(chosen(run).stream().distinct().count());
    }

    @Test
    void choicesAreTheBestCandidatesAndTheLastIsExact() {
        PlatformPortfolio.Run run = run(USUAL);
        for (PortfolioRound round : run.rounds()) {
            Candidate best = round.candidates().stream()
                    .min(Comparator.comparingDouble(Candidate::reported))
                    .orElseThrow();
            assertThat(round.chosen()).isEqualTo(best.algorithm());
        }
        PortfolioRound last = run.rounds().get(run.rounds().size() - 1);
        assertThat(last.candidates().get(last.chosen()).simulated())
                .isEqualTo(run.simulation().execution().makespan());
    }

    @Test
    void theRunDoesNotDependOnTheThreads() {
        PortfolioSettings settings = USUAL.withError(0.2, 1003).withPruning(true);
        PlatformPortfolio.Run one = run(settings.withThreads(1));
        PlatformPortfolio.Run four = run(settings.withThreads(4));
        assertThat(four.rounds()).isEqualTo(one.rounds());
        assertThat(four.simulation().execution().makespan())
                .isEqualTo(one.simulation().execution().makespan());
    }

    @Test
    void pruningDoesNotChangeAnyChoice() {
        for (Objective objective : Objective.values()) {
            PortfolioSettings settings = USUAL.withError(0.1, 1001).withObjective(objective);
            PlatformPortfolio.Run all = run(settings);
            PlatformPortfolio.Run pruned = run(settings.withPruning(true));
            assertThat(chosen(pruned)).isEqualTo(chosen(all));
            assertThat(pruned.rounds().stream()
                            .flatMap(round -> round.candidates().stream())
                            .filter(Candidate::givenUp)
                            .count())
                    .isPositive();
        }
    }

    @Test
    void aBudgetLimitsCandidatesButAllAreSimulatedInTurn() {
        PlatformPortfolio.Run run = run(USUAL.withBudget(12));
        assertThat(run.rounds())
                .allSatisfy(round -> assertThat(round.candidates()).hasSize(12));
        assertThat(run.rounds().stream()
                        .flatMap(round -> round.candidates().stream())
                        .map(Candidate::algorithm)
                        .distinct()
                        .count())
                .isEqualTo(36);
    }

    @Test
    void aSmallerFractionMeansMoreDecisions() {
        int tenths = run(USUAL).rounds().size();
        assertThat(tenths).isBetween(8, 10);
        assertThat(run(USUAL.withAlpha(0.5, false)).rounds()).hasSize(2);
        assertThat(run(USUAL.withAlpha(0.05, false)).rounds().size()).isGreaterThan(tenths);
    }

    @Test
    void decisionsCanBeMadeAtTheEndsOfLevels() {
        PlatformPortfolio.Run run = run(USUAL.withAlpha(1, true));
        // At the start and at the end of every level but the last.
        assertThat(run.rounds()).hasSize(5);
        PlatformExecution execution = run.simulation().execution();
        double firstLevel =
                IntStream.range(0, 30).mapToDouble(execution::end).max().orElseThrow();
        assertThat(run.rounds().get(1).date()).isEqualTo(firstLevel);
    }

    @Test
    void aHorizonEndsSimulationsEarly() {
        PortfolioRound first = run(USUAL.withBeta(0.2)).rounds().get(0);
        PortfolioRound whole = run(USUAL).rounds().get(0);
        for (int x = 0; x < 36; x++) {
            assertThat(first.candidates().get(x).simulated())
                    .isLessThan(0.6 * whole.candidates().get(x).simulated());
        }
    }

    @Test
    void theEnergyObjectiveChoosesOtherAlgorithms() {
        PlatformPortfolio.Run frugal = run(USUAL.withObjective(Objective.ENERGY));
        assertThat(chosen(frugal)).isNotEqualTo(chosen(run(USUAL)));
        assertThat(ALL).allSatisfy(algorithm -> assertThat(
                        frugal.simulation().execution().joules())
                .isLessThanOrEqualTo(
                        PlatformSimulation.run(SCENARIO, algorithm).execution().joules()));
    }

    /** Tasks of one category take five times their expected run time. Only forensics make the simulation correct. */
    @Test
    void forensicsCorrectWrongRunTimes() {
        double[] actual = SCENARIO.seconds.clone();
        for (int task = 0; task < actual.length; task++) {
            actual[task] *= SCENARIO.workflow().category(task).name().equals("c1") ? 5 : 1;
        }
        Scenario truth = SCENARIO.withSeconds(actual);
        PlatformPortfolio.Run corrected =
                PlatformPortfolio.run(new CandidateCache(truth, ALL), USUAL, new Forensics(SCENARIO, true));
        PlatformPortfolio.Run uncorrected =
                PlatformPortfolio.run(new CandidateCache(truth, ALL), USUAL, new Forensics(SCENARIO, false));
        assertThat(lastError(corrected)).isLessThan(0.01);
        assertThat(lastError(uncorrected)).isGreaterThan(0.1);
    }

    /** The expected run times are drawn at random; another seed draws other ones. */
    @Test
    void forensicsCorrectRandomlyWrongRunTimes() {
        PortfolioSettings wrong = USUAL.withError(0, 7).withBelief(0.7, false);
        assertThat(lastError(run(wrong))).isGreaterThan(0.05);
        assertThat(lastError(run(wrong.withBelief(0.7, true)))).isLessThan(0.01);
        assertThat(lastError(run(wrong.withError(0, 8)))).isNotEqualTo(lastError(run(wrong)));
    }

    /** The relative error of the makespan that was simulated for the chosen algorithm at the last choice. */
    private static double lastError(PlatformPortfolio.Run run) {
        PortfolioRound round = run.rounds().get(run.rounds().size() - 1);
        double simulated = round.candidates().get(round.chosen()).simulated();
        return Math.abs(simulated / run.simulation().execution().makespan() - 1);
    }
}
