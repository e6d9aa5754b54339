package io.sheaf.slurm;

import io.sheaf.runtime.batch.SubmissionTerms;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The user's options for {@code sbatch}. It rejects options that Sheaf sets itself, because later options override
 * earlier ones: the job would have another size, run twice, or lose its name.
 */
final class SbatchOptions {
    private static final Map<String, String> WORDS = Map.of(
            "account", "--account=",
            "partition", "--partition=",
            "qos", "--qos=",
            "constraint", "--constraint=",
            "reservation", "--reservation=",
            "time-min", ElasticRequest.TIME,
            "min-nodes", ElasticRequest.NODES);

    private static final String DECIDED = "the strategy sets it";
    private static final String FOUND = "Sheaf identifies its jobs by it";
    private static final String ONE = "each job is one pilot job, with a script of its own";
    private static final String PRINTS_ONLY = "nothing would be submitted";

    /** Rejected long options, with the reasons. */
    private static final Map<String, String> REFUSED = new TreeMap<>(Map.ofEntries(
            Map.entry("array", ONE),
            Map.entry("begin", DECIDED),
            Map.entry("clusters", "Sheaf searches for its jobs on this cluster"),
            Map.entry("comment", FOUND),
            Map.entry("cpus-per-task", "give --cores-per-node instead"),
            Map.entry("dependency", DECIDED),
            Map.entry("help", PRINTS_ONLY),
            Map.entry("job-name", FOUND),
            Map.entry("nodes", DECIDED + "; set the maximum with --nodes before the --, the minimum with --min-nodes"),
            Map.entry("ntasks", "an agent runs once on each node"),
            Map.entry("ntasks-per-node", "an agent runs once on each node"),
            Map.entry("requeue", "a pilot job runs once"),
            Map.entry("test-only", "see 'sheaf plan' and 'sheaf predict'"),
            Map.entry("time", DECIDED),
            Map.entry("time-min", "give it before the --"),
            Map.entry("usage", PRINTS_ONLY),
            Map.entry("version", PRINTS_ONLY),
            Map.entry("wait", "a submission must not wait for its job"),
            Map.entry("wrap", ONE)));

    private static final Map<Character, String> SHORT = Map.ofEntries(
            Map.entry('a', "array"),
            Map.entry('b', "begin"),
            Map.entry('c', "cpus-per-task"),
            Map.entry('d', "dependency"),
            Map.entry('h', "help"),
            Map.entry('J', "job-name"),
            Map.entry('M', "clusters"),
            Map.entry('N', "nodes"),
            Map.entry('n', "ntasks"),
            Map.entry('t', "time"),
            Map.entry('V', "version"),
            Map.entry('W', "wait"));

    /** Options that take no value as a separate argument. */
    private static final Set<String> ALONE = Set.of(
            "--contiguous",
            "--exclusive",
            "--get-user-env",
            "--hold",
            "--ignore-pbs",
            "--nice",
            "--no-kill",
            "--no-requeue",
            "--overcommit",
            "--oversubscribe",
            "--propagate",
            "--quiet",
            "--reboot",
            "--spread-job",
            "--use-min-nodes",
            "--verbose",
            "-H",
            "-O",
            "-Q",
            "-k",
            "-s",
            "-v");

    private SbatchOptions() {}

    /** The {@code sbatch} arguments for submissions on these terms. */
    static List<String> words(SubmissionTerms terms) {
        check(terms.passedOn());
        return terms.words(SlurmCommands.SYSTEM.title(), WORDS);
    }

    /** Throws if an option is rejected. */
    static void check(List<String> options) {
        boolean hasValue = false;
        for (String option : options) {
            boolean isOption = option.startsWith("-") && !option.equals("--");
            if (!isOption && !hasValue) {
                throw new InputException("'" + option + "' after -- is not an option of sbatch; " + ONE);
            }
            hasValue = isOption && takesNextWord(option);
            String name = name(option);
            String why = REFUSED.get(name);
            if (why != null) {
                throw new InputException("'" + option + "' cannot be passed on to sbatch: " + why);
            }
        }
    }

    /** Whether the next argument may be the option's value; otherwise sbatch would read it as the script. */
    private static boolean takesNextWord(String option) {
        boolean isWhole = option.startsWith("--") ? option.contains("=") : option.length() > 2;
        return !isWhole && !ALONE.contains(option);
    }

    /** The long name of an option in any spelling, including abbreviations; empty if it is not an option. */
    private static String name(String option) {
        if (option.startsWith("--")) {
            String name = option.substring(2).split("=", 2)[0];
            return name.isEmpty() || REFUSED.containsKey(name)
                    ? name
                    : REFUSED.keySet().stream()
                            .filter(each -> name.length() > 2 && each.startsWith(name))
                            .findFirst()
                            .orElse(name);
        }
        return option.length() < 2 || option.charAt(0) != '-' ? "" : SHORT.getOrDefault(option.charAt(1), "");
    }
}
