package io.sheaf.app.run;

import io.sheaf.runtime.spec.Placement;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What a run shares its queue with: jobs of others, which are made up on the local cluster, and how many jobs it may have in it itself. */
public final class OthersOptions {
    @Option(
            names = "--cap",
            paramLabel = "N",
            defaultValue = "16",
            description = "The most jobs of ours in the system at once (${DEFAULT-VALUE}).")
    public int cap;

    @Option(
            names = "--background",
            paramLabel = "MODEL@SPEEDx",
            defaultValue = "",
            description = "Jobs of others, so that ours have to wait: kth-like@60x.")
    public String background = "";

    /** Refuses what cannot be in this place. */
    public void check(CommandLine command, String on) {
        if (cap < 1) {
            throw new ParameterException(command, "--cap: give 1 or more");
        }
        if (!on.equals(Placement.LOCAL.system()) && !background.isEmpty()) {
            throw new ParameterException(command, "--background: that queue is real; leave it out");
        }
    }
}
