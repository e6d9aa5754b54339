package io.sheaf.app.simulate;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.UsageException;
import io.sheaf.sim.KnownTimes;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option for the run times that a simulated run knows. */
@HelpHeading(HelpHeading.PLANNING)
public final class KnownTimesOption {
    private static final List<String> HOW =
            Arrays.stream(KnownTimes.values()).map(KnownTimes::toString).toList();

    @Option(
            names = "--times",
            paramLabel = "HOW",
            completionCandidates = KnownTimesNames.class,
            description =
                    "Known task run times: given (from the workflow), learnt (unknown at first, then learned from finished tasks), none (default: ${DEFAULT-VALUE}).")
    String times = "given";

    public void check() {
        UsageException.unless(
                HOW.contains(times), "--times: unknown value '" + times + "'; use " + String.join(", ", HOW));
    }

    public KnownTimes known() {
        return KnownTimes.valueOf(times.toUpperCase(Locale.ROOT));
    }

    /** The names for shell completion. */
    static final class KnownTimesNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return HOW.iterator();
        }
    }
}
