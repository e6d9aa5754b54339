package io.sheaf.testing;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A real OAR on this machine that belongs to a test: a {@link RealCluster}. */
public final class RealOar implements AutoCloseable {
    private static final RealCluster.Ports PORTS = new RealCluster.Ports(26_000, 10, 50, List.of(0, 1, 2));

    private final RealCluster cluster;

    private RealOar(RealCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * A cluster with idle nodes.
     *
     * @param conf lines of oar.conf that count more than the usual ones
     */
    public static RealOar start(int nodes, int cores, String... conf) {
        return new RealOar(RealCluster.start("oar", PORTS, List.of(conf), "nodes=" + nodes, "cores=" + cores));
    }

    /** The variables by which its commands find it. */
    public Map<String, String> environment() {
        return cluster.environment();
    }

    /** The folder of its configuration, its logs ({@code log}) and its process ids ({@code run}). */
    public Path folder() {
        return cluster.folder();
    }

    /** Runs a command with the cluster's variables. */
    public RealCluster.CommandResult run(String... words) {
        return cluster.run(words);
    }

    /** What a command that must succeed printed. */
    public String query(String... words) {
        return cluster.query(words);
    }

    /** Submits a job of another user: nodes × seconds. */
    public void job(int nodes, int seconds) {
        query(
                "oarsub",
                "--name=other",
                "--directory=/",
                "--stdout=/dev/null",
                "--stderr=/dev/null",
                "--resource=/nodes=%d,walltime=%d:%02d:%02d"
                        .formatted(nodes, seconds / 3600, seconds / 60 % 60, seconds % 60),
                "sleep " + seconds);
    }

    /** Adds an admission rule, in Perl, to those of the site; null removes it again. */
    public void rule(@Nullable String perl) {
        String sql = perl == null
                ? "DELETE FROM admission_rules WHERE priority = 90"
                : "INSERT INTO admission_rules (priority, enabled, rule) VALUES (90, 'YES', $rule$" + perl + "$rule$)";
        query(
                "/bin/bash",
                "-c",
                ". <(grep ^DB_PORT= \"$0\") && psql -q -h 127.0.0.1 -p \"$DB_PORT\" -U oar oar -c \"$1\"",
                folder().resolve("oar.conf").toString(),
                sql);
    }

    /** Deletes all jobs. */
    public void deleteAll() {
        run("/bin/bash", "-c", "oardel $(oarstat | awk '$1 ~ /^[0-9]+$/ { print $1 }')");
    }

    @Override
    public void close() {
        cluster.close();
    }
}
