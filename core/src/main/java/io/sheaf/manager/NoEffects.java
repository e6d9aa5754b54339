package io.sheaf.manager;

/** Carries nothing out, for a manager that is only thought of or looked at; whoever takes note of some of it overrides that. */
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
