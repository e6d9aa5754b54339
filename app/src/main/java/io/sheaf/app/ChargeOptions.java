package io.sheaf.app;

import io.sheaf.agent.link.ServerSettings;
import io.sheaf.runtime.local.Charge;
import io.sheaf.text.InputException;
import picocli.CommandLine.Option;

/** How the process takes charge of a run: the same options for every command that does. */
final class ChargeOptions {
    private static final String ANY = "any";
    private static final String FILES = "files";

    @Option(names = "--take-over", description = "Take charge although another process may be.")
    boolean takeOver;

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "The address at which agents reach this process, 'any' for all of this machine, 'files' for"
                    + " messages through the run's folder only (${DEFAULT-VALUE}).")
    String listen = "127.0.0.1";

    @Option(
            names = "--ports",
            paramLabel = "FROM-TO",
            defaultValue = ANY,
            description = "The ports of which one is taken, e.g. 50000-50100 (${DEFAULT-VALUE}).")
    String ports = ANY;

    Charge charge() {
        int[] range = range();
        if (listen.equals(FILES)) {
            return new Charge(takeOver, ServerSettings.filesOnly());
        }
        ServerSettings everywhere = ServerSettings.everywhere(range[0], range[1]);
        return new Charge(takeOver, listen.equals(ANY) ? everywhere : everywhere.at(listen));
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
            // Told below.
        }
        throw new InputException("--ports: '" + ports + "' is no range of ports; write e.g. 50000-50100");
    }
}
