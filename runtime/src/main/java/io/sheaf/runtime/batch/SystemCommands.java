package io.sheaf.runtime.batch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The common part of the {@link BatchCommands} of all batch systems: how their commands run, and for which user. All can read the queue. */
public abstract class SystemCommands implements BatchCommands {
    protected final Map<String, String> environment;
    protected final CommandRunner commands;
    protected final String user;
    private final BatchSystem system;
    private final String cancelling;
    private final String cluster;

    /**
     * Commands for the cluster that the environment selects.
     *
     * @param cancelling the command that cancels the jobs whose numbers follow it
     * @param cluster identifies the cluster together with the prefix of commands
     */
    protected SystemCommands(
            BatchSystem system,
            Map<String, String> environment,
            CommandRunner commands,
            String user,
            String cancelling,
            String cluster) {
        this.system = system;
        this.environment = Map.copyOf(environment);
        this.commands = commands;
        this.user = user;
        this.cancelling = cancelling;
        this.cluster = cluster;
    }

    @Override
    public final BatchSystem system() {
        return system;
    }

    @Override
    public final boolean canEstimate() {
        return true;
    }

    public CommandRunner commands() {
        return commands;
    }

    /** The output of a query that must succeed. */
    public final String printed(String... words) throws UnreachableException, InterruptedException {
        return commands.required(words).out();
    }

    /** The name of a file with an answer that all processes of the user share; it differs by cluster. */
    protected final String file(String question) {
        return question + "-" + Integer.toHexString((cluster + commands.prefix()).hashCode());
    }

    @Override
    public void cancel(List<Long> jobs) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(cancelling));
        jobs.forEach(job -> words.add(Long.toString(job)));
        commands.order(null, words.toArray(String[]::new));
    }
}
