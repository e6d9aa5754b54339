package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Nodes of one partition that are alike, as {@code sinfo} shows them.
 *
 * @param limit the longest time limit of the partition, in milliseconds
 * @param isDefault whether jobs go there that name no partition
 * @param isUp whether jobs of the partition start
 * @param wholeNodes whether each job of the partition has its nodes for itself
 * @param features what the nodes have
 */
record SlurmNodes(
        String partition,
        boolean isDefault,
        boolean isUp,
        long limit,
        Use use,
        int cores,
        boolean wholeNodes,
        Set<String> features,
        List<String> hosts) {
    /** What becomes of a node. */
    enum Use {
        FREE,
        /** Jobs run on it, or are about to be over. */
        TAKEN,
        /** Kept for a reservation. */
        RESERVED,
        /** It takes no further jobs. */
        OUT
    }

    /** Those of them that are not among some. */
    SlurmNodes without(Set<String> some) {
        List<String> others =
                hosts.stream().filter(host -> !some.contains(host)).toList();
        return new SlurmNodes(partition, isDefault, isUp, limit, use, cores, wholeNodes, features, others);
    }

    /** Those of them that are among some, as if they were free. */
    SlurmNodes free(Set<String> some) {
        List<String> named = hosts.stream().filter(some::contains).toList();
        return new SlurmNodes(partition, isDefault, isUp, limit, Use.FREE, cores, wholeNodes, features, named);
    }

    private static final String[] FIELDS = {"%P", "%a", "%l", "%T", "%c", "%h", "%f", "%N"};

    /** What to ask {@code sinfo -e -o} for. */
    static final String FORMAT = Columns.format(FIELDS);

    /** Reads what {@code sinfo -a -h -e -o FORMAT} printed. */
    static Columns.Read<SlurmNodes> read(String text) {
        return Columns.read("sinfo", text, FIELDS.length, SlurmNodes::of);
    }

    private static SlurmNodes of(String[] cell) {
        boolean isDefault = cell[0].endsWith("*");
        String partition = isDefault ? cell[0].substring(0, cell[0].length() - 1) : cell[0];
        long limit = Limit.millis(cell[2]);
        if (partition.isEmpty()) {
            throw new InputException("no name of a partition");
        }
        return new SlurmNodes(
                partition,
                isDefault,
                cell[1].toLowerCase(Locale.ROOT).equals("up"),
                limit == Limit.UNKNOWN ? Limit.UNLIMITED : limit,
                use(cell[3]),
                Columns.count(cell[4]),
                cell[5].equals("EXCLUSIVE"),
                HostList.isNothing(cell[6]) ? Set.of() : Set.of(distinct(cell[6])),
                HostList.expand(cell[7]));
    }

    private static String[] distinct(String features) {
        return List.of(features.split(",")).stream().distinct().toArray(String[]::new);
    }

    /** By the word in front of the flags ({@code *} does not answer, {@code ~} powered down, …). */
    private static Use use(String state) {
        String word = state.toLowerCase(Locale.ROOT).replaceAll("[^a-z_].*$", "");
        boolean silent = state.contains("*") || state.contains("@") || state.contains("^");
        if (state.contains("$")) {
            return Use.RESERVED;
        }
        return switch (word) {
            case "idle", "planned", "powered_down", "power_down", "powering_down", "powering_up", "power_up", "plnd" ->
                silent ? Use.OUT : Use.FREE;
            case "allocated", "mixed", "completing" -> silent ? Use.OUT : Use.TAKEN;
            case "reserved", "maint" -> Use.RESERVED;
            case "" -> throw new InputException("'" + state + "' is no state of a node");
            default -> Use.OUT;
        };
    }
}
