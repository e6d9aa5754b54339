package io.sheaf.app.lab;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.Progress;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.ThreadsOption;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.cli.Version;
import io.sheaf.lab.ExperimentPlan;
import io.sheaf.lab.Lab;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs an experiment into a folder. */
@Command(
        name = "run",
        description = "Run an experiment. If it is interrupted, the same command continues it.",
        footer = {
            "",
            "Writes runs.csv (one row per run) and manifest.json; 'sheaf lab report' makes an HTML report.",
            "With --on, the shards run as tasks of a workflow on that batch system; options after -- are passed to its submit command.",
            "Example: sheaf lab run experiments/thesis-chapter7.yaml --quick -o out"
        })
final class LabRunCommand extends SheafCommand {
    /** Estimated seconds above which the user is warned. */
    private static final double LONG = 3600;

    /** The minimum number of runs for an estimate. */
    private static final long MANY = 5_000;

    private static final int SAMPLES = 12;
    private static final int BAR = 24;

    @Mixin
    ExperimentOptions experiment = new ExperimentOptions();

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Further options for sbatch, qsub or oarsub, after --.")
    List<String> passedOn = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "Results folder; default: the experiment's name in the current folder.")
    private @Nullable String output;

    @Option(
            names = "--fraction",
            paramLabel = "F",
            defaultValue = "1",
            description =
                    "Use a random fraction of the start times of each workflow (default: ${DEFAULT-VALUE}). A larger fraction reuses the results of a smaller one.")
    double fraction = 1;

    @Option(
            names = "--shard",
            paramLabel = "I/N",
            description = "Run only part I of N; 'sheaf lab merge' merges the parts (default: ${DEFAULT-VALUE}).")
    String shard = "1/1";

    @Mixin
    ThreadsOption threads = new ThreadsOption();

    @Mixin
    ShardOptions shards = new ShardOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        int[] part = part();
        shards.check(passedOn, session());
        threads.check();
        UsageException.unless(!shards.areRequested() || part[1] == 1, "--on runs all shards; remove --shard");
        ExperimentPlan plan = experiment.read(fraction, part[0], part[1], session());
        if (plan == null) {
            return ExitStatus.BAD_INPUT;
        }
        String folder = output == null ? stem() : output;
        Lab lab = new Lab(plan, OptionText.path(folder), Version.number(), command(folder));
        if (shards.areRequested()) {
            int status = shards.run(
                    new ShardOptions.Whole(plan, lab, OptionText.path(folder), shardWords()),
                    passedOn,
                    threads.threads,
                    session());
            if (status != ExitStatus.DONE || !lab.isComplete()) {
                return status;
            }
        }
        // The shards' results are already in the folder.
        long failed = shards.areRequested() ? lab.run(1, (runs, all) -> {}) : run(plan, lab);
        printResult(plan, folder, failed);
        if (failed > 0) {
            note(
                    Rounded.count(failed)
                            + " runs did not complete; the last column of runs.csv gives the reason, 'sheaf lab report' counts the reasons");
        }
        return failed == 0 ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    /** Runs the campaign and returns the number of runs that did not complete. */
    private long run(ExperimentPlan plan, Lab lab) {
        int workers = threads.count();
        long found = lab.found();
        if (found > 0) {
            note("continuing: " + Rounded.count(found) + " of " + Rounded.count(plan.runs()) + " runs are done");
        }
        if (plan.runs() - found > MANY) {
            warnOfHours(lab.secondsOfOneThread(SAMPLES) / workers);
        }
        try (Progress progress = new Progress(session(), bar(found))) {
            return lab.run(workers, progress::at);
        }
    }

    /** A bar with rate and remaining time; runs that were completed earlier do not count for the rate. */
    static Progress.ProgressText bar(long before) {
        return (done, all, seconds) -> {
            double rate = (done - before) / seconds;
            int filled = (int) (BAR * done / Math.max(1, all));
            return "[" + "#".repeat(filled) + " ".repeat(BAR - filled) + "] " + Rounded.count(done) + " of "
                    + Rounded.count(all) + " runs, " + DecimalText.fixed(rate, rate < 10 ? 1 : 0) + " a second, "
                    + (rate > 0 ? Rounded.time((long) ((all - done) / rate * 1000)) : "some time") + " left";
        };
    }

    private void warnOfHours(double seconds) {
        if (seconds >= LONG) {
            double enough = Math.max(0.001, Math.min(0.5, LONG / 4 / seconds));
            note("estimated time " + Rounded.time((long) (seconds * 1000)) + "; --fraction "
                    + DecimalText.fixed(enough, 3)
                    + " would take a quarter of an hour. The same command continues an interrupted experiment");
        }
    }

    private void printResult(ExperimentPlan plan, String folder, long failed) {
        print(
                out -> out.field("title", plan.title())
                        .field("folder", folder)
                        .field("runs", plan.runs())
                        .field("failed", failed),
                out -> out.println(plan.title() + ": " + Rounded.count(plan.runs()) + " runs in " + folder));
    }

    /** The number of the shard, and of all shards. */
    private int[] part() {
        UsageException.unless(fraction > 0 && fraction <= 1, "--fraction: must be greater than 0 and at most 1");
        String[] parts = shard.split("/", -1);
        try {
            int part = parts.length == 2 ? Integer.parseInt(parts[0]) : 0;
            int all = parts.length == 2 ? Integer.parseInt(parts[1]) : 0;
            if (part >= 1 && part <= all) {
                return new int[] {part, all};
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw usage("--shard: use I/N, e.g. 2/8 for the second of eight parts");
    }

    /** The name of the experiment without folder and suffix. */
    private String stem() {
        String name = String.valueOf(OptionText.path(experiment.file).getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name + ".results";
    }

    /** The command line, for the record. */
    private String command(String folder) {
        String folders = experiment.data.stream().map(each -> " --data " + each).collect(Collectors.joining());
        return "sheaf lab run " + experiment.file + (experiment.quick ? " --quick" : "") + folders
                + (fraction == 1 ? "" : " --fraction " + fraction) + (shard.equals("1/1") ? "" : " --shard " + shard)
                + " -o " + folder;
    }

    /** The command line of a shard without its number; it may run in another folder. */
    private List<String> shardWords() {
        List<String> words = new ArrayList<>(List.of("lab", "run"));
        words.add(OptionText.path(experiment.file).toAbsolutePath().toString());
        if (experiment.quick) {
            words.add("--quick");
        }
        for (String each : experiment.data) {
            words.addAll(
                    List.of("--data", OptionText.path(each).toAbsolutePath().toString()));
        }
        words.addAll(List.of("--fraction", String.valueOf(fraction)));
        return words;
    }
}
