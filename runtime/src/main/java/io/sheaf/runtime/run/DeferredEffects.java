package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Request;
import io.sheaf.predict.WaitMemory;
import io.sheaf.predict.WaitObservation;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.limits.SubmissionGate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The manager's effects, deferred until they are durable and then carried out in order. */
final class DeferredEffects implements Effects {
    private final Cluster cluster;
    private final SubmissionGate gate;
    private final Assignments assignments;
    private final Agents link;
    private final RunListener listener;
    private final List<Runnable> deferred = new ArrayList<>();
    private final List<Runnable> last = new ArrayList<>();
    private final Set<Long> submissions = new LinkedHashSet<>();
    private long wakeAt = Decision.NEVER;
    /** Keeps the strategy's learned waits. */
    WaitMemory learner = WaitMemory.NONE;

    DeferredEffects(Cluster cluster, SubmissionGate gate, Assignments assignments, Agents link, RunListener listener) {
        this.cluster = cluster;
        this.gate = gate;
        this.assignments = assignments;
        this.link = link;
        this.listener = listener;
    }

    /** Appends another action. */
    void later(Runnable effect) {
        deferred.add(effect);
    }

    /** Adds an action to run after all others. */
    void afterAll(Runnable effect) {
        last.add(effect);
    }

    /** Carries out all effects; returns whether there were any. */
    boolean carryOut() {
        List<Runnable> now = new ArrayList<>(deferred);
        deferred.clear();
        submissions.clear();
        now.forEach(Runnable::run);
        link.flush();
        last.forEach(Runnable::run);
        last.clear();
        return !now.isEmpty();
    }

    /** Tokens of the pilot jobs to submit. */
    Set<Long> submissions() {
        return submissions;
    }

    /** The instant of the manager's next wake-up. */
    long wakeAt() {
        return wakeAt;
    }

    /** Whether the wake-up is due; true once. */
    boolean isDue(long now) {
        boolean due = wakeAt <= now;
        wakeAt = due ? Decision.NEVER : wakeAt;
        return due;
    }

    @Override
    public void submit(long token, Request request) {
        submissions.add(token);
        deferred.add(() -> gate.submit(token, request));
    }

    @Override
    public void cancel(long token) {
        cluster.ending(token);
        deferred.add(() -> gate.cancel(token));
    }

    @Override
    public void shorten(long token, long walltime) {
        deferred.add(() -> gate.shorten(token, walltime));
    }

    @Override
    public void release(long token) {
        cluster.ending(token);
        deferred.add(() -> cluster.release(token));
    }

    @Override
    public void start(long token, int[] nodes, int task, int attempt) {
        start(token, nodes.clone(), 0, new AttemptId(task, attempt));
    }

    @Override
    public void share(long token, int node, int core, int task, int attempt) {
        start(token, new int[] {node}, core, new AttemptId(task, attempt));
    }

    private void start(long token, int[] nodes, int sharedCore, AttemptId attempt) {
        deferred.add(() -> {
            assignments.start(token, nodes, sharedCore, attempt);
            listener.started(token, nodes[0], attempt.task(), attempt.attempt());
        });
    }

    @Override
    public void stop(long token, int task, int attempt) {
        deferred.add(() -> assignments.stop(token, new AttemptId(task, attempt)));
    }

    @Override
    public void wake(long at) {
        wakeAt = at;
    }

    @Override
    public void learn(WaitObservation lesson) {
        deferred.add(() -> learner.learn(lesson));
    }
}
