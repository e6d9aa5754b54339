package io.sheaf.app.run;

import io.sheaf.runtime.spec.Placement;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options of the queue: generated background jobs and the maximum number of pilot jobs. */
public final class BackgroundOptions {
    @Option(
            names = {"--max-jobs", "--cap"},
            paramLabel = "N",
            description = "Maximum number of pilot jobs, queued and running (default: ${DEFAULT-VALUE}).")
    public int cap = 16;

    @Option(
            names = "--background",
            paramLabel = "MODEL@SPEEDx",
            description =
                    "Simulate background jobs in the local cluster's queue: a model and a speed-up, e.g. kth-like@60x.")
    public String model = "";

    /** Rejects options that do not apply to this placement. */
    public void check(CommandLine command, String on) {
        if (cap < 1) {
            throw new ParameterException(command, "--max-jobs: must be at least 1");
        }
        if (!on.equals(Placement.LOCAL.system()) && !model.isEmpty()) {
            throw new ParameterException(command, "--background can only be used with --on local");
        }
    }
}
