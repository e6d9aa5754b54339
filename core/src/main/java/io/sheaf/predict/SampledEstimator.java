package io.sheaf.predict;

import java.util.Arrays;
import java.util.List;

/**
 * Estimates by drawn queues: the median of what the estimators of several queues answer that differ in what is not known, such as when jobs end.
 *
 * <p>A job of which one of them knows nothing is {@link StartTimes#UNKNOWN}. If a query asks for quantiles, those of all drawn waits are part of the answer.
 */
public final class SampledEstimator implements StartEstimator {
    /** Queues that are drawn for an instant. */
    public interface Draws {
        /** Their estimators; as many each time, an odd number, so that there is one in the middle. */
        List<? extends StartEstimator> at(long now);
    }

    private final Draws draws;
    private StartTimes[] answers = new StartTimes[0];
    private long[] sample = new long[0];

    public SampledEstimator(Draws draws) {
        this.draws = draws;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        List<? extends StartEstimator> drawn = draws.at(query.now());
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
            if (query.wantsQuantiles()
                    && sample[0] != StartTimes.UNKNOWN
                    && sample[sample.length - 1] != StartTimes.NEVER) {
                answer.waits(k, Quantiles.ofWaits(sample, query.now()));
            }
        }
    }

    /** The one in the middle of the sample, which is sorted then. */
    private long median() {
        Arrays.sort(sample);
        return sample[0] == StartTimes.UNKNOWN ? StartTimes.UNKNOWN : sample[sample.length / 2];
    }

    @Override
    public Basis basis() {
        return Basis.LEARNED;
    }
}
