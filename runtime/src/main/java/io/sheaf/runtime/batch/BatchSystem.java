package io.sheaf.runtime.batch;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A kind of batch system: a value of {@code --on}. Each is a package of its own and one line of the registry {@code
 * BatchSystems}.
 *
 * @param name as on the command line and in records of runs
 * @param title as in messages
 * @param words the submission options for given terms; refuses options that Sheaf sets itself
 * @param cluster the environment variable that selects one of several clusters; empty if there is none
 * @param variables the prefixes of the environment variables that its commands read
 * @param features what it supports beyond {@link BatchCommands}' mandatory methods
 * @param connect creates its commands for the cluster that a {@link Reach} leads to
 */
public record BatchSystem(
        String name,
        String title,
        Function<SubmissionTerms, List<String>> words,
        String cluster,
        List<String> variables,
        Set<Feature> features,
        Function<Reach, BatchCommands> connect) {
    /** A property that only some batch systems have. */
    public enum Feature {
        /** It reports the size of each node, so that no option of Sheaf makes one larger. */
        FIXED_NODES,
        /** It supports {@link BatchCommands#managerJob}. */
        MANAGER_JOBS,
        /** It supports {@link BatchCommands#accounting}. */
        ACCOUNTING
    }

    public BatchSystem {
        variables = List.copyOf(variables);
        features = Set.copyOf(features);
    }

    public boolean has(Feature feature) {
        return features.contains(feature);
    }

    /** A batch system without variables and features. */
    public BatchSystem(
            String name,
            String title,
            Function<SubmissionTerms, List<String>> words,
            Function<Reach, BatchCommands> connect) {
        this(name, title, words, "", List.of(), Set.of(), connect);
    }
}
