package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The user's limits in the accounting database: the strictest of association and QOS.
 *
 * @param running maximum running jobs
 * @param submitted maximum jobs in the system
 * @param nodes maximum nodes in use
 * @param widest maximum nodes per job
 * @param walltime maximum per job, in milliseconds
 */
record OwnLimits(int running, int submitted, int nodes, int widest, long walltime) {
    static final OwnLimits NONE =
            new OwnLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Limit.UNLIMITED);

    /** The fields of {@code sacctmgr -nP show assoc}. */
    static final String ASSOCIATION = "MaxJobs,MaxSubmit,MaxTRES,MaxWall,GrpJobs,GrpSubmit,GrpTRES,DefaultQOS,QOS";

    /** The fields of {@code sacctmgr -nP show qos}. */
    static final String QUALITY = "Name,MaxJobsPU,MaxSubmitPU,MaxTRES,MaxWall,GrpJobs,GrpSubmit,GrpTRES,MaxTRESPU";

    /** The number of cells per line of either query. */
    private static final int CELLS = 9;

    /** The QOS of a cluster that defines no other. */
    private static final String USUAL = "normal";

    OwnLimits tightest(OwnLimits other) {
        return new OwnLimits(
                Math.min(running, other.running),
                Math.min(submitted, other.submitted),
                Math.min(nodes, other.nodes),
                Math.min(widest, other.widest),
                Math.min(walltime, other.walltime));
    }

    boolean areNone() {
        return equals(NONE);
    }

    /** The loosest limits of the user's associations, since a job may be charged to any of them. */
    static OwnLimits ofAssociations(String text) {
        OwnLimits loosest = null;
        for (String line : text.split("\n", -1)) {
            String[] cell = line.split("\\|", -1);
            if (cell.length >= CELLS) {
                OwnLimits one = of(cell, 0);
                loosest = loosest == null
                        ? one
                        : new OwnLimits(
                                Math.max(loosest.running, one.running),
                                Math.max(loosest.submitted, one.submitted),
                                Math.max(loosest.nodes, one.nodes),
                                Math.max(loosest.widest, one.widest),
                                Math.max(loosest.walltime, one.walltime));
            }
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
        for (String line : text.split("\n", -1)) {
            String[] cell = line.split("\\|", -1);
            if (cell.length >= CELLS && cell[0].equals(name)) {
                OwnLimits all = of(cell, 1);
                int nodes = Math.min(all.nodes, nodes(cell[CELLS - 1]));
                return new OwnLimits(all.running, all.submitted, nodes, all.widest, all.walltime);
            }
        }
        return NONE;
    }

    private static OwnLimits of(String[] cell, int from) {
        return new OwnLimits(
                Math.min(count(cell[from]), count(cell[from + 4])),
                Math.min(count(cell[from + 1]), count(cell[from + 5])),
                nodes(cell[from + 6]),
                nodes(cell[from + 2]),
                walltime(cell[from + 3]));
    }

    private static int count(String cell) {
        return cell.matches("[0-9]{1,9}") ? Integer.parseInt(cell) : Integer.MAX_VALUE;
    }

    private static int nodes(String tres) {
        int least = Integer.MAX_VALUE;
        for (String one : tres.toLowerCase(Locale.ROOT).split(",")) {
            least = one.startsWith("node=") ? Math.min(least, count(one.substring(5))) : least;
        }
        return least;
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
        put(texts, "running jobs", running);
        put(texts, "jobs in the system", submitted);
        put(texts, "nodes in use", nodes);
        put(texts, "nodes of a job", widest);
        if (walltime < Limit.UNLIMITED) {
            texts.put("time limit", TimeText.text(walltime * 1000));
        }
        return texts;
    }

    private static void put(Map<String, String> texts, String name, int value) {
        if (value < Integer.MAX_VALUE) {
            texts.put(name, Integer.toString(value));
        }
    }
}
