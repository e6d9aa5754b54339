package io.sheaf.testing;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real Grid Engine on this machine for all tests of a class, registered as a static extension: a {@link RealCluster}. */
public final class RealGridEngine implements BeforeAllCallback, AfterAllCallback {
    private static final RealCluster.Ports PORTS = new RealCluster.Ports(25_000, 10, 50, List.of(0, 1));

    private final int slots;
    private @Nullable RealCluster cluster;

    public RealGridEngine(int slots) {
        this.slots = slots;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    /** Starts it outside a test class. */
    public void start() {
        cluster = new RealCluster("gridengine", PORTS, List.of(), "slots=" + slots);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        stop();
    }

    public void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private RealCluster cluster() {
        return Objects.requireNonNull(cluster, "it has not been started");
    }

    /** The variables by which its commands find it. */
    public Map<String, String> environment() {
        return cluster().environment();
    }

    /** Runs a command with its variables. */
    public RealCluster.CommandResult run(String... words) {
        return cluster().run(words);
    }

    /** What a command that must succeed printed. */
    public String query(String... words) {
        return cluster().query(words);
    }
}
