package io.sheaf.testing;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A {@link RealOar} for all tests of a class: registered as a static extension, it is started before the first and stopped after the last. */
public final class TestOar implements BeforeAllCallback, AfterAllCallback {
    private final int nodes;
    private final int cores;
    private @Nullable RealOar cluster;

    private TestOar(int nodes, int cores) {
        this.nodes = nodes;
        this.cores = cores;
    }

    public static TestOar of(int nodes, int cores) {
        return new TestOar(nodes, cores);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        cluster = RealOar.start(nodes, cores);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** The cluster; there only during tests. */
    public RealOar get() {
        if (cluster == null) {
            throw new AssertionError("no cluster; is this extension registered, and static?");
        }
        return cluster;
    }
}
