package io.sheaf.app;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a batch system is told with each submission: the same options for every command that submits, or shows what would be. */
final class BatchOptions {
    @Option(names = "--account", paramLabel = "NAME", description = "Slurm: the account that jobs are charged to.")
    @Nullable
    String account;

    @Option(names = "--partition", paramLabel = "NAME", description = "Slurm: the partition, or several with commas.")
    @Nullable
    String partition;

    @Option(names = "--qos", paramLabel = "NAME", description = "Slurm: the quality of service.")
    @Nullable
    String qos;

    @Option(names = "--constraint", paramLabel = "LIST", description = "Slurm: features that nodes must have.")
    @Nullable
    String constraint;

    @Option(names = "--reservation", paramLabel = "NAME", description = "Slurm: the reservation to use.")
    @Nullable
    String reservation;

    /** The words for the submission, and behind them what is passed on as it is. */
    List<String> words(List<String> passedOn) {
        List<String> words = new ArrayList<>();
        add(words, "--account=", account);
        add(words, "--partition=", partition);
        add(words, "--qos=", qos);
        add(words, "--constraint=", constraint);
        add(words, "--reservation=", reservation);
        words.addAll(passedOn);
        return words;
    }

    private static void add(List<String> words, String option, @Nullable String value) {
        if (value != null) {
            words.add(option + value);
        }
    }
}
