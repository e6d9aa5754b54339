package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.RealCluster;
import io.sheaf.testing.RealOar;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestGridEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cluster of the runs of a fault campaign: the embedded one, or a batch system of their own.
 *
 * @param where which faults can happen there
 * @param environment the variables that select it
 * @param words the options of a run besides its strategy
 * @param commands to submit, to list and to cancel jobs; none on the embedded cluster
 * @param unreachableMessage the error that they print if the server does not answer
 * @param seesMounts whether its nodes see a file system that is mounted after they have started
 * @param setsClock whether its commands can run with a changed clock; those of Grid Engine hang
 * @param run runs a command there
 * @param slurm the cluster whose controller and nodes can be stopped; null if none can
 * @param stop stops what was started
 */
record FaultSite(
        FaultSchedule.Where where,
        Map<String, String> environment,
        List<String> words,
        List<String> commands,
        String unreachableMessage,
        boolean seesMounts,
        boolean setsClock,
        Function<String[], RealCluster.CommandResult> run,
        @Nullable RealSlurm slurm,
        Runnable stop)
        implements AutoCloseable {
    static final int NODES = 4;

    private static final Pattern JOB = Pattern.compile("(?m)^ *(\\d+) ");

    static FaultSite of(String name) {
        return switch (name) {
            case "embedded" -> embedded();
            case "slurm" ->
                slurm(RealSlurm.start(RealSlurm.SlurmShape.of(NODES).conf("MinJobAge=10", "SlurmdTimeout=10")));
            case "gridengine" -> gridEngine(TestGridEngine.of(NODES).start());
            case "oar" -> oar(RealOar.start(NODES, 2));
            default -> throw new IllegalArgumentException("no such system: " + name);
        };
    }

    private static FaultSite embedded() {
        return new FaultSite(
                FaultSchedule.Where.ANYWHERE,
                Map.of(),
                List.of("--nodes", String.valueOf(NODES)),
                List.of(),
                "",
                true,
                true,
                words -> new RealCluster.CommandResult(0, ""),
                null,
                () -> {});
    }

    private static FaultSite slurm(RealSlurm cluster) {
        return new FaultSite(
                FaultSchedule.Where.SLURM,
                cluster.environment(),
                List.of("--on", "slurm", "--queue-interval", "2s"),
                List.of("sbatch", "squeue", "scancel"),
                "slurm_load_jobs error: Socket timed out on send/recv operation",
                // Another version of Slurm runs in a root with its own mounts.
                System.getenv("SLURM_ROOT") == null,
                true,
                cluster::run,
                cluster,
                cluster::close);
    }

    private static FaultSite gridEngine(RealCluster cluster) {
        return new FaultSite(
                FaultSchedule.Where.BATCH,
                cluster.environment(),
                List.of("--on", "gridengine", "--queue-interval", "2s", "--", "-pe", "any"),
                List.of("qsub", "qstat", "qdel"),
                "error: commlib error: got read error (closing \"localhost/qmaster/1\")",
                true,
                false,
                cluster::run,
                null,
                cluster::close);
    }

    private static FaultSite oar(RealOar cluster) {
        return new FaultSite(
                FaultSchedule.Where.BATCH,
                cluster.environment(),
                List.of("--on", "oar", "--queue-interval", "2s"),
                List.of("oarsub", "oarstat", "oardel"),
                "[ERROR] Cannot connect to executor localhost:6666.",
                false,
                true,
                cluster::run,
                null,
                cluster::close);
    }

    /** The options of a run with a strategy. */
    List<String> options(String strategy) {
        List<String> options = new ArrayList<>(List.of("--strategy", strategy));
        options.addAll(words);
        return options;
    }

    /** The output of the command that lists its jobs; empty if there are none. */
    String queue() {
        if (commands.isEmpty()) {
            return "";
        }
        return run.apply(slurm == null ? new String[] {commands.get(1)} : new String[] {"squeue", "-h"})
                .text();
    }

    /** The numbers of the jobs in the queue. */
    List<String> jobs() {
        List<String> jobs = new ArrayList<>();
        Matcher number = JOB.matcher(queue());
        while (number.find()) {
            jobs.add(number.group(1));
        }
        return jobs;
    }

    void cancel(String job) {
        assertThat(run.apply(new String[] {commands.get(2), job})).isNotNull();
    }

    @Override
    public void close() {
        stop.run();
    }
}
