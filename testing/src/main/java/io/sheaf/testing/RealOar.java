package io.sheaf.testing;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A real OAR on this machine that belongs to a test. */
public final class RealOar extends RealCluster {
    private static final Ports PORTS = new Ports(26_000, 10, 50, List.of(0, 1, 2));

    private RealOar(int nodes, int cores, String... conf) {
        super("oar", PORTS, List.of(conf), "nodes=" + nodes, "cores=" + cores);
    }

    /**
     * A cluster with idle nodes.
     *
     * @param conf lines of oar.conf that count more than the usual ones
     */
    public static RealOar start(int nodes, int cores, String... conf) {
        return new RealOar(nodes, cores, conf);
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
}
