package io.sheaf.predict;

/** Estimates when batch jobs would start. Used by one thread at a time unless a class documents otherwise. */
public interface StartEstimator {
    /** An estimator without a queue: a single job starts at once, and queued jobs are unknown. */
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

    /** Answers a query; overwrites the previous content of the answer. */
    void estimate(StartQuery query, StartTimes answer);

    /** Answers a query with a new object. */
    default StartTimes estimate(StartQuery query) {
        StartTimes answer = new StartTimes();
        estimate(query, answer);
        return answer;
    }

    /** The basis of the next answer or, if it differs between queries, of the last one. */
    Basis basis();
}
