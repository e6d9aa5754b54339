package io.sheaf.predict;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Estimates the median over several sampled queues, which differ in unknown quantities such as the ends of jobs.
 *
 * <p>A job that one of the estimators does not know is {@link StartTimes#UNKNOWN}. If a query requests quantiles, the answer includes those of all
 * sampled waits.
 */
public final class SampledEstimator implements StartEstimator {
    private final LongFunction<? extends List<? extends StartEstimator>> draws;
    private StartTimes[] answers = new StartTimes[0];
    private long[] sample = new long[0];

    /** @param draws the estimators of the sampled queues of an instant; always the same odd number, so that the median is one of them */
    public SampledEstimator(LongFunction<? extends List<? extends StartEstimator>> draws) {
        this.draws = draws;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        List<? extends StartEstimator> drawn = draws.apply(query.now());
        if (answers.length != drawn.size()) {
            answers = new StartTimes[drawn.size()];
            Arrays.setAll(answers, i -> new StartTimes());
            sample = new long[answers.length];
        }
        answer.begin(query, basis());
        int jobs = query.jobs();
        for (int i = 0; i < answers.length; i++) {
            drawn.get(i).estimate(query, answers[i]);
            jobs = Math.min(jobs, answers[i].answered());
        }
        answer.answered(jobs);
        for (int k = 0; k < query.queued(); k++) {
            for (int i = 0; i < answers.length; i++) {
                sample[i] = answers[i].queued(k);
            }
            answer.queued(k, median());
        }
        for (int k = 0; k < jobs; k++) {
            for (int i = 0; i < answers.length; i++) {
                sample[i] = answers[i].job(k);
            }
            answer.job(k, median());
            if (query.needsQuantiles()
                    && sample[0] != StartTimes.UNKNOWN
                    && sample[sample.length - 1] != StartTimes.NEVER) {
                answer.waits(k, Quantiles.ofWaits(sample, query.now()));
            }
        }
    }

    /** The median of the sample; sorts the sample. */
    private long median() {
        Arrays.sort(sample);
        return sample[0] == StartTimes.UNKNOWN ? StartTimes.UNKNOWN : sample[sample.length / 2];
    }

    @Override
    public Basis basis() {
        return Basis.LEARNED;
    }
}
