package io.sheaf.app.run;

import io.sheaf.app.simulate.SimulationOptions;
import io.sheaf.predict.TimesInUse;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where the run times come from that a run is planned with. */
final class TimeOptions {
    private static final String HISTORY = "history";

    @Option(
            names = "--times",
            paramLabel = "HOW",
            defaultValue = SimulationOptions.GIVEN,
            description =
                    "Run times to plan with: given (earlier runs tell only what the workflow does not), or history (also in place of those given)"
                            + " (${DEFAULT-VALUE}).")
    String times = SimulationOptions.GIVEN;

    @Option(
            names = "--time-quantile",
            paramLabel = "Q",
            defaultValue = "0.9",
            description =
                    "Where run times come from earlier runs, the share of tasks for which walltimes are enough (${DEFAULT-VALUE}).")
    double quantile = TimesInUse.Rule.DEFAULT.quantile();

    TimesInUse.Rule rule(CommandLine commandLine) {
        if (!times.equals(HISTORY) && !times.equals(SimulationOptions.GIVEN)) {
            throw new ParameterException(commandLine, "--times " + times + ": there is given and history");
        }
        if (!(quantile >= 0.5 && quantile < 1)) {
            throw new ParameterException(commandLine, "--time-quantile: give 0.5 or more, and less than 1");
        }
        return new TimesInUse.Rule(times.equals(HISTORY), quantile);
    }
}
