package io.sheaf.predict;

/** Estimates when batch jobs would start. Used by one thread at a time unless a class documents otherwise. */
public interface StartEstimator {
    /** An estimator without a queue: a job by itself starts at once, and nothing is known of queued jobs. */
    StartEstimator UNINFORMED = new StartEstimator() {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            answer.begin(query, Basis.NONE);
            answer.fill(query.isWithQueued() ? StartTimes.NEVER : query.now());
        }

        @Override
        public Basis basis() {
            return Basis.NONE;
        }
    };

    /** Answers a query; what the answer held before is overwritten. */
    void estimate(StartQuery query, StartTimes answer);

    /** The same with an answer of its own. */
    default StartTimes estimate(StartQuery query) {
        StartTimes answer = new StartTimes();
        estimate(query, answer);
        return answer;
    }

    /** What the next answer is based on, or, where this differs from query to query, the last one. */
    Basis basis();
}
