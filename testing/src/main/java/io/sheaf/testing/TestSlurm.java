package io.sheaf.testing;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A {@link RealSlurm} for all tests of a class: registered as a static extension, it is started before the first and stopped after the last. */
public final class TestSlurm implements BeforeAllCallback, AfterAllCallback {
    private final RealSlurm.SlurmShape shape;
    private final Consumer<RealSlurm> prepared;
    private @Nullable RealSlurm cluster;

    private TestSlurm(RealSlurm.SlurmShape shape, Consumer<RealSlurm> prepared) {
        this.shape = shape;
        this.prepared = prepared;
    }

    public static TestSlurm of(RealSlurm.SlurmShape shape) {
        return new TestSlurm(shape, started -> {});
    }

    /** One to which something is done before the first test. */
    public static TestSlurm of(RealSlurm.SlurmShape shape, Consumer<RealSlurm> prepared) {
        return new TestSlurm(shape, prepared);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        RealSlurm started = RealSlurm.start(shape);
        cluster = started;
        prepared.accept(started);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** The cluster; there only during tests. */
    public RealSlurm get() {
        if (cluster == null) {
            throw new AssertionError("no cluster; is this extension registered, and static?");
        }
        return cluster;
    }
}
