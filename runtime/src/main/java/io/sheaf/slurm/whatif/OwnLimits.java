package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a user may have at a time by the accounting database: the tightest of the association's and the quality of service's limits.
 *
 * @param running jobs that run
 * @param submitted jobs in the system
 * @param nodes nodes in use
 * @param widest nodes of one job
 * @param walltime of one job, in milliseconds
 */
record OwnLimits(int running, int submitted, int nodes, int widest, long walltime) {
    static final OwnLimits NONE =
            new OwnLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Limit.UNLIMITED);

    /** What to ask {@code sacctmgr -nP show assoc} for. */
    static final String ASSOCIATION = "MaxJobs,MaxSubmit,MaxTRES,MaxWall,GrpJobs,GrpSubmit,GrpTRES,DefaultQOS,QOS";

    /** What to ask {@code sacctmgr -nP show qos} for. */
    static final String QUALITY = "Name,MaxJobsPU,MaxSubmitPU,MaxTRES,MaxWall,GrpJobs,GrpSubmit,GrpTRES,MaxTRESPU";

    /** Cells of a line, of either question. */
    private static final int CELLS = 9;

    /** The quality of service of a cluster that has no other. */
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

    /** Of the user's associations: the loosest, since a job may be charged to any. */
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

    /** The quality of service that jobs of ours have which name none: the default of the first association, the only one that it has, or {@code normal}. */
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

    /** Of a quality of service; none if it is not listed. */
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

    /** The limits by name, for people; unlimited ones are left out. */
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
