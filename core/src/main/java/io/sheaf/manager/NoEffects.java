package io.sheaf.manager;

/** Effects that do nothing, for managers that are only read or replayed. Subclasses override the commands that they record. */
public class NoEffects implements Effects {
    @Override
    public void submit(long token, Request request) {}

    @Override
    public void cancel(long token) {}

    @Override
    public void shorten(long token, long walltime) {}

    @Override
    public void start(long token, int[] nodes, int task, int attempt) {}

    @Override
    public void stop(long token, int task, int attempt) {}

    @Override
    public void release(long token) {}

    @Override
    public void wake(long at) {}
}
