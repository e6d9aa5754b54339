package io.sheaf.slurm.whatif;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What jobs of ours have in common.
 *
 * @param partition where they go: one, several with commas, or empty for the cluster's default
 * @param constraint what their nodes must have; may be empty
 * @param reservation whose nodes they use; empty for none
 * @param quality of service that they name; may be empty
 * @param options the options of {@code sbatch} that all of them have, besides nodes and time
 */
public record Submissions(
        String partition, String constraint, String reservation, String quality, List<String> options) {
    public Submissions {
        options = List.copyOf(options);
    }

    /** Jobs that take whole nodes, with these further options and the variables that {@code sbatch} looks at. */
    public static Submissions of(List<String> options, Map<String, String> environment, int coresPerNode) {
        List<String> all = new ArrayList<>();
        if (coresPerNode > 0) {
            all.addAll(List.of("--ntasks-per-node=1", "--cpus-per-task=" + coresPerNode));
        }
        all.addAll(options);
        return new Submissions(
                partition(options, environment),
                value(options, "--constraint", "-C", environment.getOrDefault("SBATCH_CONSTRAINT", "")),
                value(options, "--reservation", "", environment.getOrDefault("SBATCH_RESERVATION", "")),
                value(options, "--qos", "-q", environment.getOrDefault("SBATCH_QOS", "")),
                all);
    }

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

    /** What an option says, by its long name or its short one; the last counts. */
    private static String value(List<String> options, String name, String brief, String otherwise) {
        String value = otherwise;
        for (int i = 0; i < options.size(); i++) {
            String word = options.get(i);
            if (word.startsWith(name + "=")) {
                value = word.substring(name.length() + 1);
            } else if ((word.equals(name) || word.equals(brief)) && i + 1 < options.size()) {
                value = options.get(i + 1);
            }
        }
        return value;
    }
}
