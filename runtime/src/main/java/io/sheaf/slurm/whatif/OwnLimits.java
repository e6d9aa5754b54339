package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/**
 * The user's limits in the accounting database: the strictest of association and QOS. A limit of cores allows as many nodes as have these cores.
 *
 * @param running maximum running jobs
 * @param submitted maximum jobs in the system
 * @param inUse maximum nodes and cores in use
 * @param perJob maximum nodes and cores of a job
 * @param walltime maximum per job, in milliseconds
 * @param jobMinutes maximum of nodes or cores × walltime of a job, in minutes
 * @param runningMinutes maximum of nodes or cores × remaining walltime of all running jobs, in minutes
 */
record OwnLimits(
        int running, int submitted, Tres inUse, Tres perJob, long walltime, Tres jobMinutes, Tres runningMinutes) {
    static final OwnLimits NONE = new OwnLimits(
            Integer.MAX_VALUE, Integer.MAX_VALUE, Tres.NONE, Tres.NONE, Limit.UNLIMITED, Tres.NONE, Tres.NONE);

    /** The fields of {@code sacctmgr -nP show assoc}. */
    static final String ASSOCIATION =
            "MaxJobs,MaxSubmit,MaxTRES,MaxWall,GrpJobs,GrpSubmit,GrpTRES,DefaultQOS,QOS,MaxTRESMins,GrpTRESRunMins";

    /** The fields of {@code sacctmgr -nP show qos}. */
    static final String QUALITY = "Name,MaxJobsPU,MaxSubmitPU,MaxTRES,MaxWall,GrpJobs,GrpSubmit,GrpTRES,MaxTRESPU,"
            + "MaxTRESMins,GrpTRESRunMins,MaxTRESPA,MaxTRESRunMinsPU,MaxTRESRunMinsPA";

    /** The number of cells per line of either query before those of minutes. */
    private static final int CELLS = 9;

    /** The QOS of a cluster that defines no other. */
    private static final String USUAL = "normal";

    private static final int MINUTE = 60_000;

    /**
     * Limits of trackable resources; what is not limited is {@link Long#MAX_VALUE}.
     *
     * @param nodes nodes, or node-minutes
     * @param cores cores, or core-minutes
     */
    record Tres(long nodes, long cores) {
        static final Tres NONE = new Tres(Long.MAX_VALUE, Long.MAX_VALUE);

        /** Parses {@code cpu=64,node=4}. */
        static Tres read(String text) {
            return new Tres(amount(text, "node="), amount(text, "cpu="));
        }

        private static long amount(String text, String name) {
            long least = Long.MAX_VALUE;
            for (String one : text.toLowerCase(Locale.ROOT).split(",", -1)) {
                String value = one.startsWith(name) ? one.substring(name.length()) : "";
                least = value.matches("[0-9]{1,15}") ? Math.min(least, Long.parseLong(value)) : least;
            }
            return least;
        }

        Tres least(Tres other) {
            return combined(other, Math::min);
        }

        Tres combined(Tres other, LongBinaryOperator choice) {
            return new Tres(choice.applyAsLong(nodes, other.nodes), choice.applyAsLong(cores, other.cores));
        }

        /** The nodes, or node-minutes, that jobs with some cores on each node may have. */
        long on(int coresPerNode) {
            return cores == Long.MAX_VALUE ? nodes : Math.min(nodes, cores / Math.max(1, coresPerNode));
        }
    }

    OwnLimits tightest(OwnLimits other) {
        return combined(other, Math::min);
    }

    private OwnLimits combined(OwnLimits other, LongBinaryOperator choice) {
        return new OwnLimits(
                (int) choice.applyAsLong(running, other.running),
                (int) choice.applyAsLong(submitted, other.submitted),
                inUse.combined(other.inUse, choice),
                perJob.combined(other.perJob, choice),
                choice.applyAsLong(walltime, other.walltime),
                jobMinutes.combined(other.jobMinutes, choice),
                runningMinutes.combined(other.runningMinutes, choice));
    }

    /** The maximum nodes of a job with some cores on each node. */
    int nodes(int coresPerNode) {
        return (int) Math.min(Integer.MAX_VALUE, perJob.least(inUse).on(coresPerNode));
    }

    /** The maximum of nodes × walltime of a job with some cores on each node, in milliseconds: one of more would never start. */
    long nodeTime(int coresPerNode) {
        long minutes = jobMinutes.least(runningMinutes).on(coresPerNode);
        return minutes > Long.MAX_VALUE / MINUTE ? Long.MAX_VALUE : minutes * MINUTE;
    }

    /** Whether they allow a node with some cores for a minute. */
    boolean allow(int coresPerNode) {
        return nodes(coresPerNode) >= 1 && nodeTime(coresPerNode) >= MINUTE;
    }

    /** Refuses limits that allow no node with some cores, or none for a minute. */
    void check(int coresPerNode) {
        check(perJob, "s of a job", coresPerNode);
        check(inUse, "s in use", coresPerNode);
        check(jobMinutes, "-minutes of a job", coresPerNode);
        check(runningMinutes, "-minutes of running jobs", coresPerNode);
    }

    private static void check(Tres limit, String subject, int coresPerNode) {
        if (limit.on(coresPerNode) < 1) {
            String amount = limit.nodes < 1 ? limit.nodes + " node" : limit.cores + " core";
            throw new InputException("your account or QOS allows at most " + amount + subject + ", so no node of "
                    + coresPerNode + " cores"
                    + (subject.startsWith("-") ? " for a minute" : "")
                    + ". Use fewer cores of a node (--cores-per-node), or another QOS (--qos)");
        }
    }

    /** The loosest limits of the user's associations, since a job may be charged to any of them. */
    static OwnLimits ofAssociations(String text) {
        OwnLimits loosest = null;
        for (String[] cell : Columns.barred(text, CELLS)) {
            OwnLimits one = of(cell, 0);
            loosest = loosest == null ? one : loosest.combined(one, Math::max);
        }
        return loosest == null ? NONE : loosest;
    }

    /** The QOS of our jobs that name none: the first association's default, its only QOS, or {@code normal}. */
    static String quality(String associations) {
        String[] cell = associations.lines().findFirst().orElse("").split("\\|", -1);
        if (cell.length < CELLS) {
            return USUAL;
        }
        String first = cell[CELLS - 2];
        String all = cell[CELLS - 1];
        if (!first.isEmpty()) {
            return first;
        }
        return all.isEmpty() || all.contains(",") ? USUAL : all;
    }

    /** The limits of a QOS; none if it is not listed. */
    static OwnLimits ofQuality(String text, String name) {
        for (String[] cell : Columns.barred(text, CELLS)) {
            if (cell[0].equals(name)) {
                OwnLimits all = of(cell, 1);
                return new OwnLimits(
                        all.running,
                        all.submitted,
                        all.inUse.least(tres(cell, CELLS - 1)).least(tres(cell, CELLS + 2)),
                        all.perJob,
                        all.walltime,
                        all.jobMinutes,
                        all.runningMinutes.least(tres(cell, CELLS + 3)).least(tres(cell, CELLS + 4)));
            }
        }
        return NONE;
    }

    private static OwnLimits of(String[] cell, int from) {
        return new OwnLimits(
                Math.min(count(cell[from]), count(cell[from + 4])),
                Math.min(count(cell[from + 1]), count(cell[from + 5])),
                tres(cell, from + 6),
                tres(cell, from + 2),
                walltime(cell[from + 3]),
                tres(cell, CELLS),
                tres(cell, CELLS + 1));
    }

    private static int count(String cell) {
        return cell.matches("[0-9]{1,9}") ? Integer.parseInt(cell) : Integer.MAX_VALUE;
    }

    private static Tres tres(String[] cell, int number) {
        return number < cell.length ? Tres.read(cell[number]) : Tres.NONE;
    }

    private static long walltime(String cell) {
        try {
            long limit = Limit.millis(cell);
            return limit == Limit.UNKNOWN ? Limit.UNLIMITED : limit;
        } catch (InputException e) {
            return Limit.UNLIMITED;
        }
    }

    /** The finite limits by name, as text. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        put(texts, "running jobs", running == Integer.MAX_VALUE ? Long.MAX_VALUE : running);
        put(texts, "jobs in the system", submitted == Integer.MAX_VALUE ? Long.MAX_VALUE : submitted);
        put(texts, "nodes in use", inUse.nodes);
        put(texts, "cores in use", inUse.cores);
        put(texts, "nodes of a job", perJob.nodes);
        put(texts, "cores of a job", perJob.cores);
        if (walltime < Limit.UNLIMITED) {
            texts.put("time limit", TimeText.text(walltime * 1000));
        }
        put(texts, "node-minutes of a job", jobMinutes.nodes);
        put(texts, "core-minutes of a job", jobMinutes.cores);
        put(texts, "node-minutes of running jobs", runningMinutes.nodes);
        put(texts, "core-minutes of running jobs", runningMinutes.cores);
        return texts;
    }

    private static void put(Map<String, String> texts, String name, long value) {
        if (value < Long.MAX_VALUE) {
            texts.put(name, Long.toString(value));
        }
    }
}
