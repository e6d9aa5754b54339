package io.sheaf.sim;

/** Reports of a queue in which there are no own jobs. */
abstract class BackgroundReports implements SimulatedQueue.JobListener {
    static final BackgroundReports IGNORED = new BackgroundReports() {};

    @Override
    public final void started(int handle) {
        throw new IllegalStateException("an own job, handle " + handle + ", starts where there should be none");
    }

    @Override
    public final void expired(int handle) {
        throw new IllegalStateException("an own job, handle " + handle + ", expires where there should be none");
    }
}
