package io.sheaf.testing;

import java.util.List;

/** A real Grid Engine on this machine for all tests of a class. */
public final class TestGridEngine extends TestCluster<RealCluster> {
    private static final RealCluster.Ports PORTS = new RealCluster.Ports(25_000, 10, 50, List.of(0, 1));

    private final int slots;

    private TestGridEngine(int slots) {
        this.slots = slots;
    }

    public static TestGridEngine of(int slots) {
        return new TestGridEngine(slots);
    }

    /** Starts one that belongs to the caller. */
    @Override
    public RealCluster start() {
        return new RealCluster("gridengine", PORTS, List.of(), "slots=" + slots);
    }
}
