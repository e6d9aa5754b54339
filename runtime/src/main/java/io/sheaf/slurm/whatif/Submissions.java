package io.sheaf.slurm.whatif;

import io.sheaf.slurm.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What jobs of ours have in common.
 *
 * @param partition where they go: one, several with commas, or empty for the cluster's default
 * @param constraint what their nodes must have; may be empty
 * @param options the options of {@code sbatch} that all of them have, besides nodes and time
 */
public record Submissions(String partition, String constraint, List<String> options) {
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
        String constraint = environment.getOrDefault("SBATCH_CONSTRAINT", "");
        for (int i = 0; i < options.size(); i++) {
            String word = options.get(i);
            if (word.startsWith("--constraint=")) {
                constraint = word.substring("--constraint=".length());
            } else if ((word.equals("--constraint") || word.equals("-C")) && i + 1 < options.size()) {
                constraint = options.get(i + 1);
            }
        }
        return new Submissions(Nodes.partition(options, environment), constraint, all);
    }
}
