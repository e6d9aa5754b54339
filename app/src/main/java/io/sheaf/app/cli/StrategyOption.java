package io.sheaf.app.cli;

import picocli.CommandLine.Option;

/** The option that names the strategy of a run. */
@HelpHeading(HelpHeading.PLANNING)
public final class StrategyOption {
    @Option(
            names = "--strategy",
            completionCandidates = Candidates.StrategyNames.class,
            paramLabel = "S",
            description = "Scheduling strategy (default: ${DEFAULT-VALUE}).")
    public String name = "auto";
}
