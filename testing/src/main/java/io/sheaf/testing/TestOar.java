package io.sheaf.testing;

/** A {@link RealOar} for all tests of a class. */
public final class TestOar extends TestCluster<RealOar> {
    private final int nodes;
    private final int cores;

    private TestOar(int nodes, int cores) {
        this.nodes = nodes;
        this.cores = cores;
    }

    public static TestOar of(int nodes, int cores) {
        return new TestOar(nodes, cores);
    }

    @Override
    RealOar start() {
        return RealOar.start(nodes, cores);
    }
}
