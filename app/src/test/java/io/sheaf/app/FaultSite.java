package io.sheaf.app;

import io.sheaf.testing.RealGridEngine;
import io.sheaf.testing.RealOar;
import io.sheaf.testing.RealSlurm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where runs of a fault campaign run: the embedded cluster, or a batch system of their own. */
abstract class FaultSite implements AutoCloseable {
    static final int NODES = 4;

    static FaultSite of(String name) {
        return switch (name) {
            case "embedded" -> new Embedded();
            case "slurm" -> new Slurm();
            case "gridengine" -> new GridEngine();
            case "oar" -> new Oar();
            default -> throw new IllegalArgumentException("no such system: " + name);
        };
    }

    abstract FaultSchedule.Where where();

    /** The variables by which it is found. */
    abstract Map<String, String> environment();

    /** The options of a run with a strategy. */
    abstract List<String> options(String strategy);

    /** Its commands to submit, to list and to cancel jobs; none on the embedded cluster. */
    abstract List<String> commands();

    /** What its commands print if the server does not answer. */
    abstract String away();

    /** Whether its nodes see a file system that is mounted after they have started. */
    boolean seesMounts() {
        return true;
    }

    abstract String queue();

    /** The numbers of the jobs in the queue. */
    List<String> jobs() {
        List<String> jobs = new ArrayList<>();
        Matcher number = Pattern.compile("(?m)^ *(\\d+) ").matcher(queue());
        while (number.find()) {
            jobs.add(number.group(1));
        }
        return jobs;
    }

    abstract void cancel(String job);

    void stopController() {}

    void startController() {}

    void killNode(int node) {}

    void startNode(int node) {}

    @Override
    public void close() {}

    private static List<String> words(String system, String strategy, String... more) {
        List<String> options =
                new ArrayList<>(List.of("--on", system, "--strategy", strategy, "--queue-interval", "2s"));
        options.addAll(List.of(more));
        return options;
    }

    private static final class Embedded extends FaultSite {
        @Override
        FaultSchedule.Where where() {
            return FaultSchedule.Where.ANYWHERE;
        }

        @Override
        Map<String, String> environment() {
            return Map.of();
        }

        @Override
        List<String> options(String strategy) {
            return List.of("--strategy", strategy, "--nodes", String.valueOf(NODES));
        }

        @Override
        List<String> commands() {
            return List.of();
        }

        @Override
        String away() {
            return "";
        }

        @Override
        String queue() {
            return "";
        }

        @Override
        void cancel(String job) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Slurm extends FaultSite {
        private final RealSlurm cluster =
                RealSlurm.start(RealSlurm.Shape.of(NODES).conf("MinJobAge=10", "SlurmdTimeout=10"));

        @Override
        FaultSchedule.Where where() {
            return FaultSchedule.Where.SLURM;
        }

        @Override
        Map<String, String> environment() {
            return cluster.environment();
        }

        @Override
        List<String> options(String strategy) {
            return words("slurm", strategy);
        }

        @Override
        List<String> commands() {
            return List.of("sbatch", "squeue", "scancel");
        }

        @Override
        String away() {
            return "slurm_load_jobs error: Socket timed out on send/recv operation";
        }

        @Override
        String queue() {
            return cluster.run("squeue", "-h").text();
        }

        @Override
        void cancel(String job) {
            cluster.run("scancel", job);
        }

        @Override
        void stopController() {
            cluster.stopController();
        }

        @Override
        void startController() {
            cluster.startController();
        }

        @Override
        void killNode(int node) {
            cluster.killNode(node);
        }

        @Override
        void startNode(int node) {
            cluster.startNode(node);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    private static final class GridEngine extends FaultSite {
        private final RealGridEngine cluster = new RealGridEngine(NODES);

        GridEngine() {
            cluster.start();
        }

        @Override
        FaultSchedule.Where where() {
            return FaultSchedule.Where.BATCH;
        }

        @Override
        Map<String, String> environment() {
            return cluster.environment();
        }

        @Override
        List<String> options(String strategy) {
            return words("gridengine", strategy, "--", "-pe", "any");
        }

        @Override
        List<String> commands() {
            return List.of("qsub", "qstat", "qdel");
        }

        @Override
        String away() {
            return "error: commlib error: got read error (closing \"localhost/qmaster/1\")";
        }

        @Override
        String queue() {
            return cluster.run("qstat").text();
        }

        @Override
        void cancel(String job) {
            cluster.run("qdel", job);
        }

        @Override
        public void close() {
            cluster.stop();
        }
    }

    private static final class Oar extends FaultSite {
        private final RealOar cluster = RealOar.start(NODES, 2);

        /** Its nodes have mounts of their own. */
        @Override
        boolean seesMounts() {
            return false;
        }

        @Override
        FaultSchedule.Where where() {
            return FaultSchedule.Where.BATCH;
        }

        @Override
        Map<String, String> environment() {
            return cluster.environment();
        }

        @Override
        List<String> options(String strategy) {
            return words("oar", strategy);
        }

        @Override
        List<String> commands() {
            return List.of("oarsub", "oarstat", "oardel");
        }

        @Override
        String away() {
            return "[ERROR] Cannot connect to executor localhost:6666.";
        }

        @Override
        String queue() {
            return cluster.run("oarstat").text();
        }

        @Override
        void cancel(String job) {
            cluster.run("oardel", job);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
