package io.sheaf.app.run;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.OptionText;
import io.sheaf.runtime.batch.SubmissionTerms;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a submission to a batch system. */
@HelpHeading(HelpHeading.BATCH)
public final class BatchOptions {
    @Option(names = "--account", paramLabel = "NAME", description = "Account or project to charge.")
    private @Nullable String account;

    @Option(
            names = "--partition",
            paramLabel = "NAME",
            description =
                    "Partition or queue; several separated by commas. Slurm: each pilot job uses the best of them (default: all partitions that you may use).")
    private @Nullable String partition;

    @Option(
            names = "--qos",
            paramLabel = "NAME",
            description =
                    "Slurm: quality of service (QOS); several separated by commas are combined with the partitions.")
    private @Nullable String qos;

    @Option(
            names = "--constraint",
            paramLabel = "LIST",
            description = "Required node features: --constraint of Slurm, -l of Grid Engine, --property of OAR.")
    private @Nullable String constraint;

    @Option(names = "--reservation", paramLabel = "NAME", description = "Reservation to use (Slurm, Grid Engine).")
    private @Nullable String reservation;

    @Option(
            names = "--clusters",
            paramLabel = "LIST",
            description =
                    "Slurm: clusters of a multi-cluster installation, separated by commas; pilot jobs are submitted to all of them.")
    @Nullable
    String clusters;

    @Option(
            names = "--time-min",
            paramLabel = "TIME",
            description =
                    "Slurm: minimum walltime of a pilot job; a job that would wait may start earlier with less than it requests.")
    private @Nullable String timeMin;

    @Option(
            names = "--min-nodes",
            paramLabel = "N",
            description =
                    "Slurm: minimum number of nodes of a pilot job; a job that would wait may start earlier with fewer than it requests.")
    private @Nullable Integer minNodes;

    /** The terms of a submission, including options passed on unchanged. */
    SubmissionTerms terms(List<String> passedOn) {
        Map<String, String> named = new LinkedHashMap<>();
        add(named, "account", account);
        add(named, "partition", partition);
        add(named, "qos", qos);
        add(named, "constraint", constraint);
        add(named, "reservation", reservation);
        add(named, "time-min", timeMin == null ? null : Long.toString(minutes(timeMin)));
        add(named, "min-nodes", minNodes == null ? null : Integer.toString(positive(minNodes)));
        return new SubmissionTerms(named, passedOn);
    }

    private static long minutes(String time) {
        return Math.max(1, TimeText.wholeMinutes(OptionText.millis("--time-min", time)));
    }

    private static int positive(int nodes) {
        if (nodes < 1) {
            throw new InputException("--min-nodes " + nodes + ": must be at least 1");
        }
        return nodes;
    }

    /** The first given option, for messages. */
    String first(List<String> passedOn) {
        return terms(passedOn).named().keySet().stream()
                .map(name -> "--" + name)
                .findFirst()
                .orElseGet(() -> passedOn.isEmpty() ? "" : passedOn.get(0));
    }

    private static void add(Map<String, String> named, String name, @Nullable String value) {
        if (value != null) {
            named.put(name, value);
        }
    }
}
