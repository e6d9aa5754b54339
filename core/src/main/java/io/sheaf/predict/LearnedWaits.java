package io.sheaf.predict;

import io.sheaf.random.RandomStream;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Learnt waits: an {@linkplain AsaLearner ASA learner} for each {@linkplain Geometry geometry}. Not thread-safe. */
public final class LearnedWaits implements WaitMemory {
    /** The settings of the learners. */
    public record LearnerSettings(Alternatives alternatives, WaitLoss loss, Sampling sampling, long seed) {
        /** The settings of the paper's experiments. */
        public static final LearnerSettings PAPER =
                new LearnerSettings(Alternatives.SOUZA, WaitLoss.OPTIMAL, Sampling.TUNED, 0);
    }

    private final LearnerSettings settings;
    private final Map<Geometry, AsaLearner> learners =
            new TreeMap<>(Comparator.comparingInt(Geometry::nodes).thenComparingLong(Geometry::walltime));

    public LearnedWaits(LearnerSettings settings) {
        this.settings = settings;
    }

    /** Initializes a class without observations with earlier waits, e.g. from a log. */
    public void setPrior(Geometry kind, long... waits) {
        learners.putIfAbsent(kind, learner(kind, WaitPrior.fromWaits(settings.alternatives, waits)));
    }

    @Override
    public long expect(int nodes, long walltime, long estimate, RandomStream random) {
        Geometry kind = Geometry.of(nodes, walltime);
        AsaLearner known = learners.get(kind);
        if (known == null) {
            double[] prior = estimate == UNKNOWN
                    ? WaitPrior.uniform(settings.alternatives)
                    : WaitPrior.around(settings.alternatives, estimate);
            known = learner(kind, prior);
        }
        return settings.alternatives.millis(known.choose(random));
    }

    @Override
    public void learn(WaitObservation observation) {
        Geometry kind = Geometry.of(observation.nodes(), observation.walltime());
        AsaLearner learner = learners.computeIfAbsent(kind, k -> learner(k, WaitPrior.uniform(settings.alternatives)));
        learner.score(settings.alternatives.nearest(observation.expected()), observation.waited());
    }

    /** The learner of a class; null if there is none. */
    public @Nullable AsaLearner learner(Geometry kind) {
        return learners.get(kind);
    }

    private AsaLearner learner(Geometry kind, double[] prior) {
        long seed = settings.seed * 31 + kind.nodes() * 1_000_003L + kind.walltime();
        return new AsaLearner(settings.alternatives, settings.loss, settings.sampling, prior, seed);
    }
}
