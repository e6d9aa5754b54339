package io.sheaf.testing;

import java.util.function.Consumer;

/** A {@link RealSlurm} for all tests of a class. */
public final class TestSlurm extends TestCluster<RealSlurm> {
    private final RealSlurm.SlurmShape shape;
    private final Consumer<RealSlurm> prepared;

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
    RealSlurm start() {
        return RealSlurm.start(shape);
    }

    @Override
    void prepare(RealSlurm started) {
        prepared.accept(started);
    }
}
