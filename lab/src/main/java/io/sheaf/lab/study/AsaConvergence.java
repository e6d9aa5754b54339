package io.sheaf.lab.study;

import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Section;
import io.sheaf.predict.Alternatives;
import io.sheaf.predict.AsaLearner;
import io.sheaf.predict.Sampling;
import io.sheaf.predict.WaitLoss;
import io.sheaf.predict.WaitPrior;
import io.sheaf.random.RandomStream;
import io.sheaf.text.DecimalText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Figure 5 of Souza et al.: the convergence of the learner to a constant wait that changes a few times.
 *
 * <p>Waits are random alternatives that differ between repetitions. A row is a stretch between two changes: the share of estimates that are the best
 * alternative, and the iterations until nine of ten are.
 */
public final class AsaConvergence implements Study {
    private static final StudyColumns COLUMNS = new StudyColumns(
            List.of("sampling", "loss", "stretch"),
            List.of(
                    "repetition",
                    "true_wait_seconds",
                    "hit_percent",
                    "settled_after",
                    "hit_percent_at_end",
                    "regret",
                    "theorem1_bound"));

    public static final ExperimentKind KIND = StudyExperiment.kind(
            "asa-convergence",
            COLUMNS,
            (section, inputs) -> new AsaConvergence(section),
            "sampling",
            "loss",
            "iterations",
            "changes",
            "alternatives",
            "repetitions");

    private static final int SETTLED = 10;
    private static final double DELTA = 0.05;

    private final List<String> samplings;
    private final List<String> losses;
    private final int iterations;
    private final int changes;
    private final Alternatives alternatives;
    private final int repetitions;

    AsaConvergence(Section section) {
        samplings = section.each("sampling", List.of("default", "tuned", "greedy"), AsaConvergence::sampling);
        losses = section.each("loss", List.of("optimal"), AsaConvergence::loss);
        iterations = section.one("iterations", 1000, Section.whole(1));
        changes = section.one("changes", 5, Section.whole(1));
        repetitions = section.one("repetitions", 20, Section.whole(1));
        List<Long> waits = section.each("alternatives", List.of(), Section::time);
        alternatives = waits.isEmpty()
                ? Alternatives.SOUZA
                : Alternatives.of(
                        waits.stream().mapToLong(Long::longValue).sorted().toArray());
    }

    private static String sampling(String text) {
        Sampling.of(text.strip());
        return text.strip();
    }

    private static String loss(String text) {
        WaitLoss.named(text.strip());
        return text.strip();
    }

    @Override
    public int settings() {
        return samplings.size() * losses.size();
    }

    @Override
    public int repetitions() {
        return repetitions;
    }

    @Override
    public List<List<String>> rows(int setting, int repetition) {
        String lossName = losses.get(setting % losses.size());
        String sampling = samplings.get(setting / losses.size());
        WaitLoss loss = WaitLoss.named(lossName);
        RandomStream random = new RandomStream(repetition).split("convergence");
        long[] waits = new long[changes];
        for (int i = 0; i < changes; i++) {
            waits[i] = alternatives.millis(random.split("waits").split(i).nextInt(alternatives.size()));
        }
        AsaLearner learner =
                new AsaLearner(alternatives, loss, Sampling.of(sampling), WaitPrior.uniform(alternatives), repetition);
        RandomStream jobs = random.split(sampling);
        List<List<String>> rows = new ArrayList<>();
        double[] losses = new double[alternatives.size()];
        double own = 0;
        int done = 0;
        for (int stretch = 0; stretch < changes; stretch++) {
            int until = iterations * (stretch + 1) / changes;
            boolean[] hit = new boolean[until - done];
            long wait = waits[stretch];
            for (int i = 0; i < hit.length; i++) {
                int chosen = learner.choose(jobs);
                hit[i] = chosen == alternatives.nearest(wait);
                own += loss.of(alternatives, chosen, wait);
                for (int a = 0; a < losses.length; a++) {
                    losses[a] += loss.of(alternatives, a, wait);
                }
                learner.score(chosen, wait);
            }
            done = until;
            double best = Arrays.stream(losses).min().orElse(0);
            double m = alternatives.size();
            double bound =
                    4 * learner.rounds() + StrictMath.log(m) + StrictMath.sqrt(2 * done * StrictMath.log(m / DELTA));
            rows.add(List.of(
                    sampling,
                    lossName,
                    Integer.toString(stretch + 1),
                    Integer.toString(repetition),
                    DecimalText.fixed(wait / 1000.0, 0),
                    DecimalText.fixed(100 * share(hit, 0), 1),
                    Integer.toString(settled(hit)),
                    DecimalText.fixed(100 * share(hit, hit.length - hit.length / 4), 1),
                    DecimalText.fixed(own - best, 1),
                    DecimalText.fixed(bound, 1)));
        }
        return rows;
    }

    private static double share(boolean[] hit, int from) {
        int hits = 0;
        for (int i = from; i < hit.length; i++) {
            hits += hit[i] ? 1 : 0;
        }
        return hits / (double) Math.max(1, hit.length - from);
    }

    /** The number of iterations until nine of ten in a row are hits; all iterations if that never happens. */
    private static int settled(boolean[] hit) {
        int hits = 0;
        for (int i = 0; i < hit.length; i++) {
            hits += hit[i] ? 1 : 0;
            hits -= i >= SETTLED && hit[i - SETTLED] ? 1 : 0;
            if (i >= SETTLED - 1 && hits >= SETTLED - 1) {
                return i + 1 - SETTLED;
            }
        }
        return hit.length;
    }
}
