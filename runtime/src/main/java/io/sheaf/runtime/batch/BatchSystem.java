package io.sheaf.runtime.batch;

import java.util.List;
import java.util.function.Function;

/**
 * A kind of batch system: a value of {@code --on}. Each is a package of its own and one line of the registry {@code
 * BatchSystems}.
 *
 * @param name as on the command line and in records of runs
 * @param title as in messages
 * @param words the submission options for given terms; refuses options that Sheaf sets itself
 * @param cluster the environment variable that selects one of several clusters; empty if there is none
 * @param connect creates its commands for the cluster that a {@link Reach} leads to
 */
public record BatchSystem(
        String name,
        String title,
        Function<SubmissionTerms, List<String>> words,
        String cluster,
        Function<Reach, BatchCommands> connect) {}
