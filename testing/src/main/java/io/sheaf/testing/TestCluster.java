package io.sheaf.testing;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A {@link RealCluster} for all tests of a class: registered as a static extension, it is started before the first and stopped after the last.
 *
 * @param <C> the kind of cluster
 */
public abstract class TestCluster<C extends RealCluster> implements BeforeAllCallback, AfterAllCallback {
    private @Nullable C cluster;

    abstract C start();

    /** Does something to the cluster before the first test. */
    void prepare(C started) {}

    @Override
    public final void beforeAll(ExtensionContext context) {
        C started = start();
        cluster = started;
        prepare(started);
    }

    @Override
    public final void afterAll(ExtensionContext context) {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** The cluster; there only during tests. */
    public final C get() {
        if (cluster == null) {
            throw new AssertionError("no cluster; is this extension registered, and static?");
        }
        return cluster;
    }
}
