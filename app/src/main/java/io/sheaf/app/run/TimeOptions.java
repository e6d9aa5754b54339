package io.sheaf.app.run;

import io.sheaf.app.simulate.SimulationOptions;
import io.sheaf.predict.TimesInUse;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Options for the source of planned run times. */
final class TimeOptions {
    private static final String HISTORY = "history";

    @Option(
            names = "--times",
            paramLabel = "HOW",
            defaultValue = SimulationOptions.GIVEN,
            description =
                    "Run times used for planning: given (from the workflow; from earlier runs where missing) or history (from earlier runs first) (${DEFAULT-VALUE}).")
    String times = SimulationOptions.GIVEN;

    @Option(
            names = "--time-quantile",
            paramLabel = "Q",
            defaultValue = "0.9",
            description = "Quantile of recorded run times used for walltimes (${DEFAULT-VALUE}).")
    double quantile = TimesInUse.Rule.DEFAULT.quantile();

    TimesInUse.Rule rule(CommandLine commandLine) {
        if (!times.equals(HISTORY) && !times.equals(SimulationOptions.GIVEN)) {
            throw new ParameterException(commandLine, "--times " + times + ": use given or history");
        }
        if (!(quantile >= 0.5 && quantile < 1)) {
            throw new ParameterException(commandLine, "--time-quantile: must be at least 0.5 and less than 1");
        }
        return new TimesInUse.Rule(times.equals(HISTORY), quantile);
    }
}
