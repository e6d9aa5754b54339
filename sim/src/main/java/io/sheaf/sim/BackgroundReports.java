package io.sheaf.sim;

/** Reports of a queue in which there are no own jobs. */
public abstract class BackgroundReports implements SimulatedQueue.JobListener {
    public static final BackgroundReports IGNORED = new BackgroundReports() {};

    /** Records the start of each job of the log, by its number. */
    public static BackgroundReports startsTo(long[] start) {
        return new BackgroundReports() {
            @Override
            public void backgroundStarted(int job, long at) {
                start[job] = at;
            }
        };
    }

    @Override
    public final void started(int handle) {
        throw new IllegalStateException("an own job, handle " + handle + ", starts where there should be none");
    }

    @Override
    public final void expired(int handle) {
        throw new IllegalStateException("an own job, handle " + handle + ", expires where there should be none");
    }
}
