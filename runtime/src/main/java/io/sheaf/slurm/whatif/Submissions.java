package io.sheaf.slurm.whatif;

import io.sheaf.batch.Pools;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The common submission options of our jobs.
 *
 * @param partition one, several separated by commas, or empty for the cluster's default
 * @param constraint the required node features; may be empty
 * @param reservation the reservation in use; empty for none
 * @param quality the QOS; may be empty
 * @param options the common options of {@code sbatch}, without nodes and time
 * @param pools the pools of which each job names one; none if the options select the partition
 */
public record Submissions(
        String partition, String constraint, String reservation, String quality, List<String> options, Pools pools) {
    public Submissions {
        options = List.copyOf(options);
    }

    /** Jobs on whole nodes, with further options and the environment variables of {@code sbatch}. */
    public static Submissions of(List<String> options, Map<String, String> environment, int coresPerNode) {
        List<String> all = new ArrayList<>();
        if (coresPerNode > 0) {
            all.addAll(List.of("--ntasks-per-node=1", "--cpus-per-task=" + coresPerNode));
        }
        all.addAll(fixed(options));
        return new Submissions(
                partition(options, environment),
                value(options, "--constraint", "-C", environment.getOrDefault("SBATCH_CONSTRAINT", "")),
                value(options, "--reservation", "", environment.getOrDefault("SBATCH_RESERVATION", "")),
                value(options, "--qos", "-q", environment.getOrDefault("SBATCH_QOS", "")),
                all,
                Pools.NONE);
    }

    /** The options without the least nodes and time of an elastic request: estimates are for the whole of it. */
    public static List<String> fixed(List<String> options) {
        return options.stream()
                .filter(word -> !word.startsWith("--nodes=") && !word.startsWith("--time-min="))
                .toList();
    }

    /** The same jobs, each in one of some pools. */
    public Submissions in(Pools some) {
        return some.count() == 0
                ? this
                : new Submissions(
                        some.all().stream()
                                .map(SlurmPools::partition)
                                .distinct()
                                .collect(Collectors.joining(",")),
                        constraint,
                        reservation,
                        quality,
                        options,
                        some);
    }

    /** The cores of a node that a job requests; 0 for all of them, or if unknown. */
    int cores() {
        String cores = value(options, "--cpus-per-task", "-c", "");
        return isExclusive() || !cores.matches("[0-9]{1,9}") ? 0 : Integer.parseInt(cores);
    }

    /** Whether Slurm allocates all cores of a node to a job, whatever it requests. */
    boolean isExclusive() {
        return options.stream().anyMatch(word -> word.equals("--exclusive"));
    }

    List<String> options(int pool) {
        List<String> all = new ArrayList<>(options);
        all.addAll(SlurmPools.words(pools, pool));
        Resources node = pool == Pools.ANY ? null : pools.pool(pool).node();
        if (node != null) {
            all.add("--cpus-per-task=" + node.cores());
        }
        return all;
    }

    /** The partition of these options or sbatch's environment variables; empty for the default one. */
    public static String partition(List<String> options, Map<String, String> environment) {
        return value(options, "--partition", "-p", environment.getOrDefault("SBATCH_PARTITION", ""));
    }

    /** The value of an option by its long or short name, as in {@code -C gpu} or {@code -Cgpu}; the last one counts. */
    public static String value(List<String> options, String name, String brief, String otherwise) {
        String value = otherwise;
        for (int i = 0; i < options.size(); i++) {
            String word = options.get(i);
            if (word.startsWith(name + "=")) {
                value = word.substring(name.length() + 1);
            } else if ((word.equals(name) || word.equals(brief)) && i + 1 < options.size()) {
                value = options.get(i + 1);
            } else if (!brief.isEmpty() && word.startsWith(brief) && word.length() > brief.length()) {
                value = word.substring(brief.length());
            }
        }
        return value;
    }
}
