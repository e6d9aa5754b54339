package io.sheaf.app.run;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.UsageException;
import io.sheaf.runtime.spec.Placement;
import picocli.CommandLine.Option;

/** Options of the queue: generated background jobs and the maximum number of pilot jobs. */
@HelpHeading(HelpHeading.BATCH)
public final class BackgroundOptions {
    @HelpHeading(HelpHeading.PLANNING)
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
    public void check(Placement where) {
        UsageException.unless(cap >= 1, "--max-jobs: must be at least 1");
        UsageException.unless(
                where.equals(Placement.LOCAL) || model.isEmpty(), "--background can only be used with --on local");
    }
}
