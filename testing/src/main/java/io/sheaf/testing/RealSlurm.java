package io.sheaf.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A real Slurm on this machine that belongs to a test. */
public final class RealSlurm extends RealCluster {
    private static final Ports PORTS = new Ports(27_000, 200, 25, List.of(0, 1, 101, 102));

    private RealSlurm(SlurmShape shape, String name, String database, String hidden) {
        super(
                "slurm",
                PORTS,
                shape.conf(),
                "nodes=" + shape.nodes(),
                "cores=" + (shape.eachCores().isEmpty() ? shape.cores() : shape.eachCores()),
                "gpus=" + shape.gpus(),
                "memory=" + shape.memory(),
                "types=" + shape.types(),
                "database=" + database,
                "name=" + name,
                "hide=" + hidden,
                "speed=" + shape.speed());
    }

    /**
     * What a cluster shall be like.
     *
     * @param speed the speed of its clock as a multiple of the real clock
     * @param conf lines of slurm.conf in place of the usual ones
     * @param memory MiB of the nodes in turn, separated by commas; empty: a thousand for each core
     * @param types GPU types of the nodes in turn, separated by commas; empty: none
     * @param eachCores cores of the nodes in turn, separated by commas; empty: all have the same
     */
    public record SlurmShape(
            int nodes,
            int cores,
            int gpus,
            boolean database,
            int speed,
            List<String> conf,
            String memory,
            String types,
            String eachCores) {
        public SlurmShape {
            conf = List.copyOf(conf);
        }

        /** With equal nodes. */
        public SlurmShape(int nodes, int cores, int gpus, boolean database, int speed, List<String> conf) {
            this(nodes, cores, gpus, database, speed, conf, "", "", "");
        }

        public static SlurmShape of(int nodes) {
            return new SlurmShape(nodes, 1, 0, false, 1, List.of());
        }

        public SlurmShape withDatabase() {
            return new SlurmShape(nodes, cores, gpus, true, speed, conf, memory, types, eachCores);
        }

        public SlurmShape speed(int times) {
            return new SlurmShape(nodes, cores, gpus, database, times, conf, memory, types, eachCores);
        }

        public SlurmShape conf(String... lines) {
            return new SlurmShape(nodes, cores, gpus, database, speed, List.of(lines), memory, types, eachCores);
        }

        /** With nodes of these memories in MiB and GPU types, in turn. */
        public SlurmShape unequal(String memories, String gpuTypes) {
            return new SlurmShape(nodes, cores, gpus, database, speed, conf, memories, gpuTypes, eachCores);
        }

        /** With nodes of these numbers of simulated cores, in turn. */
        public SlurmShape unequal(String eachOne) {
            return new SlurmShape(nodes, cores, gpus, database, speed, conf, memory, types, eachOne);
        }

        /** With nodes of this many simulated cores and GPUs. */
        public SlurmShape nodesOf(int someCores, int someGpus) {
            return new SlurmShape(nodes, someCores, someGpus, database, speed, conf, memory, types, eachCores);
        }
    }

    /** A cluster with idle nodes. */
    public static RealSlurm start(SlurmShape shape) {
        return start(shape, "tests");
    }

    public static RealSlurm start(SlurmShape shape, String name) {
        return new RealSlurm(shape, name, shape.database() ? "yes" : "no", "");
    }

    /** A further cluster that shares the database of this one: commands of either reach both by their names. To be closed first. */
    public RealSlurm beside(SlurmShape shape, String name) {
        return new RealSlurm(shape, name, folder().toString(), "");
    }

    /** A cluster whose nodes see an empty folder in place of this one. */
    public static RealSlurm hiding(Path folder, SlurmShape shape, String name) {
        return new RealSlurm(shape, name, "no", folder.toString());
    }

    /** The search path for its commands, which may be another version's than this system's. */
    public String path() {
        return environment().getOrDefault("PATH", System.getenv("PATH"));
    }

    /** Submits a job of another user: nodes × seconds of the cluster's clock. Returns its number. */
    public String job(int nodes, int seconds, String... options) {
        List<String> words = new ArrayList<>(List.of(
                "sbatch", "--parsable", "-N", String.valueOf(nodes), "-t", String.valueOf((seconds + 59) / 60 + 1)));
        words.addAll(List.of("-o", "/dev/null", "-J", "other"));
        words.addAll(List.of(options));
        words.addAll(List.of("--wrap", "sleep " + seconds));
        return query(words.toArray(String[]::new));
    }

    /** Ends slurmctld; jobs continue. */
    public void stopController() {
        stop("slurmctld", "TERM");
    }

    /** Starts slurmctld again, with what it had saved. */
    public void startController() {
        query("slurmctld", "-f", folder().resolve("slurm.conf").toString());
    }

    public void stopDatabase() {
        stop("slurmdbd", "TERM");
    }

    public void startDatabase() {
        query("slurmdbd");
    }

    /** Kills the slurmd of a node, and nothing else. */
    public void killNode(int node) {
        stop("slurmd.n" + node, "KILL");
    }

    public void startNode(int node) {
        query("slurmd", "-N", "n" + node, "-f", folder().resolve("slurm.conf").toString());
    }

    /** Ends a daemon and waits until its process has ended. */
    private void stop(String daemon, String signal) {
        try {
            Path file = folder().resolve("run").resolve(daemon + ".pid");
            long pid = Long.parseLong(Files.readString(file).strip());
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            run("kill", "-" + signal, String.valueOf(pid));
            for (int i = 0; i < 300 && process.isAlive(); i++) {
                Thread.sleep(100);
            }
            if (process.isAlive()) {
                throw new AssertionError(daemon + " does not end");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
