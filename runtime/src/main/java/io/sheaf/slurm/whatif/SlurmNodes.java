package io.sheaf.slurm.whatif;

import io.sheaf.text.InputException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A group of equal nodes of one partition, from {@code sinfo}.
 *
 * @param limit the maximum time limit of the partition, in milliseconds
 * @param isDefault whether it is the default partition
 * @param isUp whether jobs of the partition start
 * @param wholeNodes whether jobs of the partition use nodes exclusively
 * @param features the features of the nodes
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
    /** The use of a node. */
    enum Use {
        FREE,
        /** Jobs run or complete on it. */
        ALLOCATED,
        /** It belongs to an active reservation. */
        RESERVED,
        /** It accepts no further jobs. */
        OUT
    }

    /** Some nodes of this group, with another use. */
    SlurmNodes of(Use other, Predicate<String> which) {
        List<String> some = hosts.stream().filter(which).toList();
        return new SlurmNodes(partition, isDefault, isUp, limit, other, cores, wholeNodes, features, some);
    }

    private static final String[] FIELDS = {"%P", "%a", "%l", "%T", "%c", "%h", "%f", "%N"};

    /** The format of {@code sinfo -e -o}. */
    static final String FORMAT = Columns.format(FIELDS);

    /** Parses the output of {@code sinfo -a -h -e -o FORMAT}. */
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
                HostList.isNothing(cell[6]) ? Set.of() : Set.copyOf(List.of(cell[6].split(","))),
                HostList.expand(cell[7]));
    }

    /** Maps a state without its flags ({@code *} not responding, {@code ~} powered down, …). */
    private static Use use(String state) {
        String word = state.toLowerCase(Locale.ROOT).replaceAll("[^a-z_].*$", "");
        boolean silent = state.contains("*") || state.contains("@") || state.contains("^");
        if (state.contains("$")) {
            return Use.RESERVED;
        }
        return switch (word) {
            case "idle", "planned", "powered_down", "power_down", "powering_down", "powering_up", "power_up", "plnd" ->
                silent ? Use.OUT : Use.FREE;
            case "allocated", "mixed", "completing" -> silent ? Use.OUT : Use.ALLOCATED;
            case "reserved", "maint" -> Use.RESERVED;
            case "" -> throw new InputException("'" + state + "' is not a node state");
            default -> Use.OUT;
        };
    }
}
