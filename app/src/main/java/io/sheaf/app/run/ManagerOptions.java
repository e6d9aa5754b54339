package io.sheaf.app.run;

import io.sheaf.agent.link.ServerSettings;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.OptionText;
import io.sheaf.runtime.run.ManagerLease;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the manager process, shared by all commands that take the lease of a run. */
@HelpHeading(HelpHeading.MANAGER)
public final class ManagerOptions {
    private static final String ANY = "any";
    private static final String FILES = "files";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int SHORTEST_INTERVAL = 1_000;

    @Option(names = "--take-over", description = "Take over the lease even if another manager may be running.")
    boolean takeOver;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description =
                    "Address on which this manager listens for agents; 'any' for all addresses of this machine, 'files' to communicate only through files in the run's folder (default: local 127.0.0.1, Slurm any).")
    private @Nullable String listen;

    @Option(
            names = "--ports",
            paramLabel = "FROM-TO",
            description = "Port range to listen on, e.g. 50000-50100 (default: ${DEFAULT-VALUE}).")
    String ports = ANY;

    @Option(
            names = "--queue-interval",
            paramLabel = "TIME",
            description =
                    "Slurm: maximum age of the queue snapshot, which all runs of a user share (default: ${DEFAULT-VALUE}).")
    String queueInterval = "30s";

    public ManagerLease lease(Placement where) {
        String address = listen != null ? listen : where.equals(Placement.LOCAL) ? LOOPBACK : ANY;
        int[] range = range();
        if (address.equals(FILES)) {
            return new ManagerLease(takeOver, ServerSettings.filesOnly());
        }
        ServerSettings everywhere = ServerSettings.everywhere(range[0], range[1]);
        return new ManagerLease(takeOver, address.equals(ANY) ? everywhere : everywhere.at(address));
    }

    /** The same options as arguments, for a process that takes over the lease. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (listen != null) {
            words.addAll(List.of("--listen", listen));
        }
        words.addAll(List.of("--ports", ports, "--queue-interval", queueInterval));
        return words;
    }

    /** The maximum age of a queue snapshot, in milliseconds. */
    int interval() {
        long millis = OptionText.millis("--queue-interval", queueInterval);
        if (millis < SHORTEST_INTERVAL || millis > Integer.MAX_VALUE) {
            throw new InputException("--queue-interval: must be at least 1s");
        }
        return (int) millis;
    }

    private int[] range() {
        if (ports.equals(ANY)) {
            return new int[] {0, 0};
        }
        String[] ends = ports.split("-", -1);
        try {
            int first = Integer.parseInt(ends[0].strip());
            int last = Integer.parseInt(ends[ends.length - 1].strip());
            if (ends.length <= 2 && first >= 1 && first <= last && last <= 65_535) {
                return new int[] {first, last};
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new InputException("--ports: '" + ports + "' is not a port range; use e.g. 50000-50100");
    }
}
