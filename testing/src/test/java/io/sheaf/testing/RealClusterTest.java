package io.sheaf.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RealClusterTest {
    private static final RealCluster.Ports PORTS = new RealCluster.Ports(24_000, 10, 3, List.of(0));

    /** A second cluster of this process gets other ports, and other processes still cannot lock those of the first. */
    @Test
    void portsBelongToOneCluster() throws IOException, InterruptedException {
        int freed;
        try (RealCluster.PortRange first = PORTS.free();
                RealCluster.PortRange second = PORTS.free()) {
            assertThat(second.port()).isNotEqualTo(first.port());
            assertThat(RealCluster.PortRange.take(first.port())).isNull();
            assertThat(lockedElsewhere(first.port())).isFalse();
            assertThat(lockedElsewhere(second.port())).isFalse();
            freed = first.port();
        }
        assertThat(lockedElsewhere(freed)).isTrue();
    }

    /** Whether another process can lock a port. */
    private static boolean lockedElsewhere(int port) throws IOException, InterruptedException {
        Process python = new ProcessBuilder(
                        "python3",
                        "-c",
                        "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)",
                        RealCluster.PortRange.file(port).toString())
                .start();
        return python.waitFor() == 0;
    }
}
