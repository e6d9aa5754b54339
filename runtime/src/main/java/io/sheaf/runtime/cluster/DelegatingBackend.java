package io.sheaf.runtime.cluster;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.sim.KnownQueue;
import io.sheaf.strategy.Profile;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A back end that stands before another one, and passes on what it does not care about. */
public abstract class DelegatingBackend implements Cluster {
    protected final Cluster inner;

    protected DelegatingBackend(Cluster inner) {
        this.inner = inner;
    }

    @Override
    public void submit(long token, Request request) {
        inner.submit(token, request);
    }

    @Override
    public void cancel(long token) {
        inner.cancel(token);
    }

    @Override
    public void shorten(long token, long walltime) {
        inner.shorten(token, walltime);
    }

    @Override
    public void release(long token) {
        inner.release(token);
    }

    @Override
    public long turn(long now, Consumer<Event> to) throws IOException {
        return inner.turn(now, to);
    }

    @Override
    public void reconcile(Collection<Long> tokens) {
        inner.reconcile(tokens);
    }

    @Override
    public void heard(AgentId agent, Message message) {
        inner.heard(agent, message);
    }

    @Override
    public WholeWorkflow accept(Workflow workflow, Profile profile, int cap) {
        return inner.accept(workflow, profile, cap);
    }

    @Override
    public @Nullable KnownQueue known() {
        return inner.known();
    }

    @Override
    public StartEstimator estimator() {
        return inner.estimator();
    }

    @Override
    public StartEstimator likely() {
        return inner.likely();
    }

    @Override
    public long kept() {
        return inner.kept();
    }

    @Override
    public long longest() {
        return inner.longest();
    }

    @Override
    public int nodes() {
        return inner.nodes();
    }

    @Override
    public int coresPerNode() {
        return inner.coresPerNode();
    }

    @Override
    public void abandon() throws InterruptedException {
        inner.abandon();
    }

    @Override
    public void close() {
        inner.close();
    }
}
