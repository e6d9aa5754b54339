package io.sheaf.slurm;

import io.sheaf.runtime.batch.Nodes;
import io.sheaf.text.InputException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The nodes of a partition, as {@code sinfo} prints them: those that are not out of service, with the cores of the smallest. */
public final class Sinfo {
    /** Name, cores, memory in MiB, state, partition with a star behind the default one. */
    static final String FORMAT = "%N|%c|%m|%T|%P";

    private static final int FIELDS = 5;

    private Sinfo() {}

    /** The partition that options name; empty for the default one. What sbatch would take from its environment counts as well. */
    public static String partition(List<String> options, Map<String, String> environment) {
        String named = environment.getOrDefault("SBATCH_PARTITION", "");
        for (int i = 0; i < options.size(); i++) {
            String word = options.get(i);
            if (word.startsWith("--partition=")) {
                named = word.substring("--partition=".length());
            } else if ((word.equals("--partition") || word.equals("-p")) && i + 1 < options.size()) {
                named = options.get(i + 1);
            } else if (word.startsWith("-p") && word.length() > 2) {
                named = word.substring(2);
            }
        }
        return named;
    }

    static Nodes parse(List<String> lines, String partition) {
        Set<String> wanted = Set.of(partition.split(","));
        Set<String> there = new TreeSet<>();
        Set<String> seen = new HashSet<>();
        int cores = Integer.MAX_VALUE;
        long memory = 0;
        for (String line : lines) {
            String[] field = line.split("\\|", FIELDS);
            if (field.length < FIELDS) {
                throw new InputException("sinfo printed '" + line + "', which is no node");
            }
            boolean isDefault = field[4].endsWith("*");
            String name = isDefault ? field[4].substring(0, field[4].length() - 1) : field[4];
            there.add(name);
            boolean up = !field[3].startsWith("down") && !field[3].startsWith("fail");
            if (up && (partition.isEmpty() ? isDefault : wanted.contains(name)) && seen.add(field[0])) {
                cores = Math.min(cores, Integer.parseInt(field[1]));
                memory = Math.max(memory, Long.parseLong(field[2]) << 20);
            }
        }
        if (seen.isEmpty()) {
            String why = "no node of partition '" + partition + "' is in service";
            if (partition.isEmpty()) {
                why = "there is no default partition, or no node of it is in service";
            } else if (Collections.disjoint(wanted, there)) {
                why = "there is no partition '" + partition + "'";
            }
            throw new InputException(why + ". Partitions: " + String.join(", ", there) + ". Name one with --partition");
        }
        return new Nodes(seen.size(), cores, memory);
    }
}
