package io.sheaf.app.replay;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.OutputFile;
import io.sheaf.app.cli.Progress;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.simulate.ClusterOptions;
import io.sheaf.app.simulate.LoadedTrace;
import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.UserLimits;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.Replay;
import io.sheaf.sim.ReplayResult;
import io.sheaf.sim.Trace;
import io.sheaf.sim.TraceRules;
import io.sheaf.sim.model.ClusterFigures;
import io.sheaf.sim.model.Presets;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.text.TimeText;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replays a job log, or a model's, under a scheduling policy. */
@Command(
        name = "replay",
        description = "Replay a cluster's job log under a scheduling policy and show queue waits and utilization.",
        footer = {
            "",
            "Time formats: 90s, 30m, 2h, 1d, 1:30:00, 1-12:00:00.",
            "Example: sheaf replay --model kth-like --policy conservative --html replay.html"
        })
public final class ReplayCommand extends SheafCommand {
    private static final double NANOS = 1e9;

    @Parameters(
            arity = "0..1",
            paramLabel = "TRACE",
            description = "Job log: SWF, or the output of 'sacct --parsable2'; may be gzipped; '-' for standard input.")
    private @Nullable String file;

    @Option(names = "--list", description = "List the models.")
    boolean list;

    @Option(
            names = "--jobs",
            paramLabel = "N",
            description = "Number of jobs to generate from the model, instead of --days.")
    int jobs;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--for", paramLabel = "TIME", description = "Length of the period to replay.")
    @Nullable
    String length;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Exclude jobs submitted within this time after the first job from the statistics.")
    private @Nullable String warmup;

    @Option(
            names = "--jobs-csv",
            paramLabel = "OUT",
            description = "Write a CSV file with the start and end of each job.")
    private @Nullable String csv;

    @Option(names = "--html", paramLabel = "OUT", description = "Write an HTML page with charts: queue, nodes, waits.")
    @Nullable
    String html;

    @Override
    public Integer call() {
        if (list) {
            list();
            return ExitStatus.DONE;
        }
        checkUsage();
        cluster.check();
        rules(1);
        long began = System.nanoTime();
        LoadedTrace loaded = jobs > 0
                ? LoadedTrace.model(String.valueOf(cluster.model), cluster.seed, 0, jobs)
                : cluster.load(file, session().err());
        int size = loaded.nodes(cluster.nodes, cluster.trace.reading);
        Trace ready = rules(size).apply(loaded.log());
        Policy policy = cluster.scheduling.policy(cluster.conventions(), size);
        UserLimits limits = policy.perUser().of(UserLimits.LimitScope.ALL);
        ReplayResult replayed = replay(ready, new BatchEngine(policy.withLimits(limits), size));
        double wall = (System.nanoTime() - began) / NANOS;
        ReplaySummary summary = ReplaySummary.of(loaded, ready, replayed, size, wall);
        if (csv != null) {
            OutputFile.write(csv, out -> writeCsv(ready, replayed, out));
        }
        if (html != null) {
            String text = cluster.scheduling.text(cluster.conventions());
            OutputFile.write(html, new ReplayPage(loaded, text, size, summary, ready, replayed)::write);
        }
        print(summary::fields, out -> {
            out.println(loaded.name() + ", " + cluster.scheduling.text(cluster.conventions()) + ", "
                    + Rounded.count(size) + " nodes");
            out.println();
            summary.print(out);
        });
        return ExitStatus.DONE;
    }

    private void checkUsage() {
        cluster.checkUse(file);
        UsageException.unless(
                jobs == 0 || (jobs > 0 && cluster.days == 0), "use only one of --days and --jobs, greater than 0");
        UsageException.unless(file == null || jobs == 0, "--jobs can only be used with --model; use --for with a log");
    }

    private TraceRules rules(int size) {
        long within = length == null ? Long.MAX_VALUE : OptionText.millis("--for", length);
        if (within == 0) {
            throw new InputException("--for: must be greater than 0");
        }
        TraceRules rules = cluster.trace.rules(size, cluster.conventions());
        return rules.with(cluster.scheduling.jobLimits())
                .withPeriod(rules.from(), within)
                .withWarmup(warmup == null ? 0 : OptionText.millis("--warmup", warmup));
    }

    private ReplayResult replay(Trace ready, BatchEngine engine) {
        int all = ready.jobs().size();
        if (all == 0) {
            throw new InputException("no jobs to replay; 'sheaf replay --help' describes which jobs are excluded")
                    .in(file == null ? String.valueOf(cluster.model) : file);
        }
        try (Progress progress = new Progress(session(), "replaying")) {
            return Replay.run(ready.jobs(), engine, done -> progress.at(done, all));
        }
    }

    private void list() {
        Fields<ClusterFigures> models = new Fields<ClusterFigures>()
                .text("model", "name", ClusterFigures::name)
                .count("nodes", "nodes", ClusterFigures::nodes)
                .count("cores per node", "coresPerNode", ClusterFigures::coresPerNode)
                .decimal("jobs per day", "jobsPerDay", 2, ClusterFigures::jobsPerDay, Fields.fixed(0, ""))
                .decimal("mean nodes", "meanNodes", 2, ClusterFigures::meanWidth, Fields.fixed(1, ""))
                .decimal("mean run time", "meanRunHours", 3, ClusterFigures::meanRunHours, Fields.fixed(1, " h"))
                .decimal("utilization", "load", 3, ClusterFigures::load, Rounded::percent)
                .decimal("requested", "requestedLoad", 3, ClusterFigures::requestedLoad, Rounded::percent);
        print(out -> models.array(out, "models", Presets.all()), out -> models.table(out, Presets.all()));
    }

    /** Writes the jobs as CSV, in order of submission, times in the log's seconds; start, end and run of a job that never started are empty. */
    private static void writeCsv(Trace trace, ReplayResult replayed, Writer out) throws IOException {
        JobLog log = trace.jobs();
        out.write("job,submit,start,end,nodes,requested,run,outcome\n");
        StringBuilder line = new StringBuilder();
        for (int j = 0; j < log.size(); j++) {
            boolean ran = replayed.start(j) != ReplayResult.NEVER;
            line.setLength(0);
            line.append(log.id(j)).append(',').append(seconds(trace.logTime(log.submit(j))));
            line.append(',').append(ran ? seconds(trace.logTime(replayed.start(j))) : "");
            line.append(',').append(ran ? seconds(trace.logTime(replayed.end(j))) : "");
            line.append(',').append(log.nodes(j)).append(',').append(seconds(log.requested(j)));
            line.append(',').append(ran ? seconds(replayed.end(j) - replayed.start(j)) : "");
            line.append(',')
                    .append(replayed.outcome(j).name().toLowerCase(Locale.ROOT))
                    .append('\n');
            out.append(line);
        }
    }

    private static String seconds(long millis) {
        return TimeText.seconds(millis * 1000);
    }
}
