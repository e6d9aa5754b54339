package io.sheaf.predict;

import io.sheaf.random.RandomStream;

/**
 * The learner of ASA (Souza, Ghoshal, Ramakrishnan, Pelckmans and Tordsson, "ASA – The adaptive scheduling algorithm", Algorithm 1): which of some
 * waits is the one that jobs of one kind have?
 *
 * <h2>Idea</h2>
 * It keeps a probability for each alternative and expects a wait drawn from them. When the job has started the alternative that was drawn gets its {@linkplain WaitLoss
 * loss}. Losses are collected in a round until one alternative has more than 1; then each probability is multiplied by e^(−γ·loss), and the next round
 * begins. Alternatives that were right keep theirs, so that they come to be drawn more and more often. What is never drawn is never lowered either: when waits
 * change, the alternative that was right loses its lead as fast as it had won it, and the search begins anew.
 *
 * <h2>What the paper leaves open</h2>
 * <ul>
 *   <li>The step γ, "a non-increasing sequence": 1 throughout, which is what the proof of Theorem 1 reckons with. A falling one would learn ever more slowly,
 *       and waits change for ever.
 *   <li>{@linkplain Alternatives#SOUZA Which 53 alternatives} there are.
 *   <li>What <em>tuned</em> repeats: see {@link Sampling}.
 * </ul>
 *
 * <p>All of it follows from the seed and what was scored, in that order; a fork goes on by itself.
 */
public final class AsaLearner {
    private static final double STEP = 1;

    /** A round is over when an alternative has more loss than this. */
    private static final double ROUND = 1;

    private final Alternatives alternatives;
    private final WaitLoss loss;
    private final Sampling sampling;
    private final RandomStream seed;
    /** Logarithms of the probabilities at the beginning of the round, up to a constant. */
    private final double[] weight;

    private final double[] probability;
    private final double[] roundLoss;
    private int rounds;
    private long scored;

    /**
     * A learner that has seen nothing.
     *
     * @param prior a positive probability for each alternative
     */
    public AsaLearner(Alternatives alternatives, WaitLoss loss, Sampling sampling, double[] prior, long seed) {
        this(alternatives, loss, sampling, new RandomStream(seed).split("learner"), prior.length);
        if (prior.length != alternatives.size()) {
            throw new IllegalArgumentException(prior.length + " priors for " + alternatives.size() + " alternatives");
        }
        for (int i = 0; i < prior.length; i++) {
            if (!(prior[i] > 0)) {
                throw new IllegalArgumentException("prior " + i + " is " + prior[i] + ": it could never be learnt");
            }
            weight[i] = StrictMath.log(prior[i]);
        }
        normalise();
    }

    private AsaLearner(Alternatives alternatives, WaitLoss loss, Sampling sampling, RandomStream seed, int size) {
        this.alternatives = alternatives;
        this.loss = loss;
        this.sampling = sampling;
        this.seed = seed;
        weight = new double[size];
        probability = new double[size];
        roundLoss = new double[size];
    }

    /** An independent copy. */
    public AsaLearner fork() {
        AsaLearner copy = new AsaLearner(alternatives, loss, sampling, seed, weight.length);
        System.arraycopy(weight, 0, copy.weight, 0, weight.length);
        System.arraycopy(probability, 0, copy.probability, 0, weight.length);
        System.arraycopy(roundLoss, 0, copy.roundLoss, 0, weight.length);
        copy.rounds = rounds;
        copy.scored = scored;
        return copy;
    }

    /** The alternative to expect (line 4), drawn with these random numbers. */
    public int choose(RandomStream random) {
        return sampling.greedy() ? leastLoss() : draw(random);
    }

    /** A job for which this alternative was expected has waited so long (lines 5 to 7). */
    public void score(int chosen, long waited) {
        RandomStream again = seed.split(scored++);
        collect(chosen, waited);
        for (int i = 0; i < sampling.repetitions(); i++) {
            collect(draw(again), waited);
        }
    }

    /** The probability of an alternative. */
    public double probability(int alternative) {
        return probability[alternative];
    }

    /** Rounds that are over: the mini-batches of Theorem 1. */
    public int rounds() {
        return rounds;
    }

    /** How many waits were scored. */
    public long scored() {
        return scored;
    }

    private int draw(RandomStream random) {
        double left = random.nextDouble();
        int last = 0;
        for (int i = 0; i < probability.length; i++) {
            left -= probability[i];
            if (probability[i] > 0) {
                last = i;
            }
            if (left < 0) {
                return i;
            }
        }
        // Rounding may leave a rest.
        return last;
    }

    /** The alternative with the least loss so far; of several the shortest. */
    private int leastLoss() {
        int best = 0;
        for (int i = 1; i < weight.length; i++) {
            if (weight[i] - STEP * roundLoss[i] > weight[best] - STEP * roundLoss[best]) {
                best = i;
            }
        }
        return best;
    }

    private void collect(int chosen, long waited) {
        roundLoss[chosen] += loss.of(alternatives, chosen, waited);
        if (roundLoss[chosen] > ROUND) {
            for (int i = 0; i < weight.length; i++) {
                weight[i] -= STEP * roundLoss[i];
                roundLoss[i] = 0;
            }
            normalise();
            rounds++;
        }
    }

    private void normalise() {
        double most = Double.NEGATIVE_INFINITY;
        for (double each : weight) {
            most = Math.max(most, each);
        }
        double sum = 0;
        for (int i = 0; i < weight.length; i++) {
            weight[i] -= most;
            probability[i] = StrictMath.exp(weight[i]);
            sum += probability[i];
        }
        for (int i = 0; i < weight.length; i++) {
            probability[i] /= sum;
        }
    }
}
