package io.sheaf.runtime.batch;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A kind of batch system: a value of {@code --on}. Each is a package of its own and one line of the registry {@code
 * BatchSystems}.
 *
 * @param name as on the command line and in records of runs
 * @param title as in messages
 * @param words the submission options for given terms; refuses options that Sheaf sets itself
 * @param connect creates its commands for the cluster of an environment
 */
public record BatchSystem(
        String name,
        String title,
        Function<Terms, List<String>> words,
        Function<Map<String, String>, BatchCommands> connect) {}
