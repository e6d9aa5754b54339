package io.sheaf.predict;

import io.sheaf.random.RandomStream;

/**
 * ASA's learner of queue waits (Souza, Ghoshal, Ramakrishnan, Pelckmans and Tordsson, "ASA – The adaptive scheduling algorithm", Algorithm 1).
 *
 * <h2>Idea</h2>
 * Keep a probability for each of m alternative waits. Sample one as the expected wait, and lower the probabilities of alternatives that turn out wrong.
 *
 * <h2>Algorithm 1</h2>
 * <pre>
 * Require: p₀ₐ ← 1/m for all actions a                 the constructor, with any prior
 * 1: for t ← 1, 2, … do                                a round; {@link #rounds()} counts those completed
 * 2:   ℓₜₐ ← 0 for all a                               {@code nextRound}
 * 3:   while maxₐ ℓₜₐ ≤ 1 do                           {@code addLoss}
 * 4:     sample action a according to pₜ               {@link #choose}
 * 5:     ℓₜₐ ← ℓₜₐ + ℓ(a)                              {@link #score}
 * 7:   pₜ₊₁,ₐ ← exp(−γₜ ℓₜₐ) pₜ,ₐ / Nₜ for all a        {@code nextRound}
 * </pre>
 * The caller runs the inner loop: it submits a job between lines 4 and 5, and the job's wait gives the {@linkplain WaitLoss loss}.
 *
 * <h2>What the paper leaves open</h2>
 * <ul>
 *   <li>The step γ, "a non-increasing sequence": 1 throughout, as in the proof of Theorem 1. With a decreasing step the learner would follow
 *       changes of the queue ever more slowly.
 *   <li>{@linkplain Alternatives#SOUZA Which 53 alternatives} exist.
 *   <li>What <em>tuned</em> repeats: see {@link Sampling}.
 * </ul>
 *
 * <p>The state depends only on the seed and the sequence of scored waits. Not thread-safe.
 */
public final class AsaLearner {
    /** γ of line 7. */
    private static final double STEP = 1;

    /** The bound of line 3. */
    private static final double ROUND_LOSS = 1;

    private final Alternatives alternatives;
    private final WaitLoss loss;
    private final Sampling sampling;
    private final RandomStream seed;
    /** log pₜ, up to a constant. */
    private final double[] weight;

    /** pₜ. */
    private final double[] probability;
    /** ℓₜ. */
    private final double[] roundLoss;

    private int rounds;
    private long scored;

    /**
     * A learner that has seen nothing.
     *
     * @param prior a positive probability for each alternative
     */
    public AsaLearner(Alternatives alternatives, WaitLoss loss, Sampling sampling, double[] prior, long seed) {
        if (prior.length != alternatives.size()) {
            throw new IllegalArgumentException(prior.length + " priors for " + alternatives.size() + " alternatives");
        }
        this.alternatives = alternatives;
        this.loss = loss;
        this.sampling = sampling;
        this.seed = new RandomStream(seed).split("learner");
        weight = new double[prior.length];
        probability = new double[prior.length];
        roundLoss = new double[prior.length];
        for (int i = 0; i < prior.length; i++) {
            if (!(prior[i] > 0)) {
                throw new IllegalArgumentException("prior " + i + " is " + prior[i] + ": it could never be learnt");
            }
            weight[i] = StrictMath.log(prior[i]);
        }
        normalise();
    }

    /** The alternative to expect (line 4), sampled with these random numbers. */
    public int choose(RandomStream random) {
        return sampling.greedy() ? minLoss() : sample(random);
    }

    /** Scores the wait, in milliseconds, of a job for which this alternative was chosen (line 5, and line 7 at the end of a round). */
    public void score(int chosen, long waited) {
        RandomStream random = seed.split(scored++);
        addLoss(chosen, waited);
        for (int i = 0; i < sampling.repetitions(); i++) {
            addLoss(sample(random), waited);
        }
    }

    /** The probability of an alternative. */
    public double probability(int alternative) {
        return probability[alternative];
    }

    /** Completed rounds: the mini-batches of Theorem 1. */
    public int rounds() {
        return rounds;
    }

    /** The number of scored waits. */
    public long scored() {
        return scored;
    }

    private int sample(RandomStream random) {
        double remaining = random.nextDouble();
        int last = 0;
        for (int i = 0; i < probability.length; i++) {
            remaining -= probability[i];
            if (probability[i] > 0) {
                last = i;
            }
            if (remaining < 0) {
                return i;
            }
        }
        // Rounding may leave a remainder.
        return last;
    }

    /** The alternative with the least loss so far; of several the shortest. */
    private int minLoss() {
        int best = 0;
        for (int i = 1; i < weight.length; i++) {
            if (weight[i] - STEP * roundLoss[i] > weight[best] - STEP * roundLoss[best]) {
                best = i;
            }
        }
        return best;
    }

    private void addLoss(int action, long waited) {
        roundLoss[action] += loss.of(alternatives, action, waited);
        if (roundLoss[action] > ROUND_LOSS) {
            nextRound();
        }
    }

    private void nextRound() {
        for (int i = 0; i < weight.length; i++) {
            weight[i] -= STEP * roundLoss[i];
            roundLoss[i] = 0;
        }
        normalise();
        rounds++;
    }

    /** Nₜ: makes the probabilities sum up to 1. */
    private void normalise() {
        double max = Double.NEGATIVE_INFINITY;
        for (double each : weight) {
            max = Math.max(max, each);
        }
        double sum = 0;
        for (int i = 0; i < weight.length; i++) {
            weight[i] -= max;
            probability[i] = StrictMath.exp(weight[i]);
            sum += probability[i];
        }
        for (int i = 0; i < weight.length; i++) {
            probability[i] /= sum;
        }
    }
}
