package io.sheaf.app;

import io.sheaf.app.replay.JobsCsv;
import io.sheaf.app.replay.ReplayPage;
import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.sim.Replay;
import io.sheaf.sim.Replayed;
import io.sheaf.sim.Trace;
import io.sheaf.sim.model.ClusterFigures;
import io.sheaf.sim.model.Presets;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Replays a job log, or a model's, under a scheduling policy. */
@Command(
        name = "replay",
        description = "Replays a cluster's job log under a scheduling policy and tells how long jobs wait.",
        footer = {
            "",
            "Times are written 90s, 30m, 2h, 1d, 1:30:00 or 1-12:00:00.",
            "Example: sheaf replay --model kth-like --policy conservative --html replay.html"
        })
final class ReplayCommand extends SheafCommand {
    private static final int DAYS = 30;
    private static final double NANOS = 1e9;

    @Parameters(
            arity = "0..1",
            paramLabel = "TRACE",
            description = "The log: SWF or the text of 'sacct --parsable2', also gzipped; '-' for standard input.")
    @Nullable
    String file;

    @Option(names = "--model", paramLabel = "NAME", description = "Instead of a log: made up load; see --list.")
    @Nullable
    String model;

    @Option(names = "--list", description = "List the models.")
    boolean list;

    @Option(names = "--days", paramLabel = "D", description = "How many days of the model (" + DAYS + ").")
    int days;

    @Option(names = "--jobs", paramLabel = "N", description = "How many jobs of the model, instead of days.")
    int jobs;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Where the model's random numbers start (${DEFAULT-VALUE}).")
    long seed;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes of the cluster; by default those in the log's header, or the model's.")
    @Nullable
    Integer nodes;

    @Mixin
    PolicyOptions scheduling = new PolicyOptions();

    @Mixin
    TraceOptions trace = new TraceOptions();

    @Option(names = "--jobs-csv", paramLabel = "OUT", description = "Write each job with its start and end.")
    @Nullable
    String csv;

    @Option(names = "--html", paramLabel = "OUT", description = "Write a page with charts: queue, nodes, waits.")
    @Nullable
    String html;

    @Override
    public Integer call() {
        if (list) {
            list();
            return ExitStatus.DONE;
        }
        checkUsage();
        Policy policy = scheduling.policy();
        checkOptions();
        long began = System.nanoTime();
        LoadedTrace loaded = load();
        int size = loaded.nodes(nodes, trace);
        Trace ready = trace.rules(size).apply(loaded.log());
        Replayed replayed = replay(ready, new BatchEngine(policy, size));
        double wall = (System.nanoTime() - began) / NANOS;
        ReplaySummary summary = ReplaySummary.of(loaded, ready, replayed, size, wall);
        if (csv != null) {
            OutputFile.write(csv, out -> JobsCsv.write(ready, replayed, out));
        }
        if (html != null) {
            OutputFile.write(html, page(loaded, ready, replayed, size, summary)::write);
        }
        if (json) {
            summary.printJson(session().out());
        } else {
            session().out().println(loaded.name() + ", " + scheduling.text() + ", " + Rounded.count(size) + " nodes");
            session().out().println();
            summary.print(session().out());
        }
        return ExitStatus.DONE;
    }

    private void checkUsage() {
        if ((file == null) == (model == null)) {
            throw new ParameterException(
                    commandLine(), "name a log or a --model, one of them; 'sheaf replay --list' tells the models");
        }
        if (days < 0 || jobs < 0 || (days > 0 && jobs > 0)) {
            throw new ParameterException(commandLine(), "--days and --jobs: one of them, above 0");
        }
        if (file != null && (days > 0 || jobs > 0)) {
            throw new ParameterException(commandLine(), "--days and --jobs are for models; for a log there is --for");
        }
    }

    /** Tells of a wrong option before a long log is read. */
    private void checkOptions() {
        if (nodes != null && nodes < 1) {
            throw new InputException("--nodes: a cluster has at least 1 node, not " + nodes);
        }
        trace.rules(1);
        trace.unit();
        trace.zone();
    }

    private LoadedTrace load() {
        if (model != null) {
            return LoadedTrace.model(model, seed, days > 0 ? days : DAYS, jobs);
        }
        return LoadedTrace.read(file == null ? "" : file, trace, session().err());
    }

    private Replayed replay(Trace ready, BatchEngine engine) {
        int all = ready.jobs().size();
        if (all == 0) {
            throw new InputException(
                            "no job is left to replay; 'sheaf replay --help' tells what is left out by default")
                    .in(file == null ? String.valueOf(model) : file);
        }
        try (Progress progress = new Progress(session(), "replaying")) {
            return Replay.run(ready.jobs(), engine, done -> progress.at(done, all));
        }
    }

    private ReplayPage page(LoadedTrace loaded, Trace ready, Replayed replayed, int size, ReplaySummary summary) {
        long epoch = loaded.log().header().number("UnixStartTime").orElse(0);
        return new ReplayPage(
                loaded.name(),
                scheduling.text(),
                size,
                epoch,
                summary.facts(),
                summary.applied(),
                summary.waits(),
                ready,
                replayed);
    }

    private void list() {
        if (json) {
            listAsJson();
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        for (ClusterFigures each : Presets.all()) {
            rows.add(List.of(
                    each.name(),
                    Rounded.count(each.nodes()),
                    Integer.toString(each.coresPerNode()),
                    DecimalText.fixed(each.jobsPerDay(), 0),
                    DecimalText.fixed(each.meanWidth(), 1),
                    DecimalText.fixed(each.meanRunHours(), 1) + " h",
                    Rounded.percent(each.load()),
                    Rounded.percent(each.requestedLoad())));
        }
        Table.print(
                session().out(),
                List.of("model", "nodes", "cores", "jobs/day", "mean nodes", "mean run", "load", "requested"),
                rows,
                "<>>>>>>>");
    }

    private void listAsJson() {
        try (JsonOut out = new JsonOut(session().out())) {
            out.object().array("models");
            for (ClusterFigures each : Presets.all()) {
                out.object()
                        .field("name", each.name())
                        .field("nodes", each.nodes())
                        .field("coresPerNode", each.coresPerNode())
                        .decimal("jobsPerDay", each.jobsPerDay(), 2)
                        .decimal("meanNodes", each.meanWidth(), 2)
                        .decimal("meanRunHours", each.meanRunHours(), 3)
                        .decimal("load", each.load(), 3)
                        .decimal("requestedLoad", each.requestedLoad(), 3)
                        .end();
            }
            out.end().end();
        }
    }
}
