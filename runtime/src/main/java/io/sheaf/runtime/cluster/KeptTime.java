package io.sheaf.runtime.cluster;

import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;

/**
 * A back end whose pilot jobs have the walltime that was asked for: its jobs ask for what agents keep of it in addition.
 *
 * <p>Where a job may not be as long as that, it is as long as it may be; estimates say that it never starts, so that a strategy that has a choice asks for less.
 */
public final class KeptTime extends DelegatingBackend {
    private final long kept;

    private KeptTime(Cluster inner) {
        super(inner);
        kept = inner.kept();
    }

    public static Cluster of(Cluster inner) {
        return inner.kept() == 0 ? inner : new KeptTime(inner);
    }

    /** What is asked of the batch system for a pilot job that is to have this walltime. */
    public static Request asked(Request request, long kept, long longest) {
        return new Request(
                request.pool(),
                request.units(),
                asked(request.walltime(), kept, longest),
                request.notBefore(),
                request.afterToken());
    }

    private static long asked(long walltime, long kept, long longest) {
        return Math.min(walltime + kept, Math.max(walltime, longest));
    }

    @Override
    public void submit(long token, Request request) {
        inner.submit(token, asked(request, kept, inner.longest()));
    }

    @Override
    public void shorten(long token, long walltime) {
        inner.shorten(token, asked(walltime, kept, inner.longest()));
    }

    @Override
    public StartEstimator estimator() {
        return new Asking(inner.estimator());
    }

    @Override
    public StartEstimator likely() {
        return new Asking(inner.likely());
    }

    /** Asks for walltimes as jobs would. */
    private final class Asking implements StartEstimator {
        private final StartEstimator asked;
        private final StartQuery longer = new StartQuery();

        Asking(StartEstimator asked) {
            this.asked = asked;
        }

        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            asked.estimate(longer.copy(query, query.now(), kept), answer);
        }

        @Override
        public Basis basis() {
            return asked.basis();
        }
    }
}
