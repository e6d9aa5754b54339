package io.sheaf.app.predict;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.run.BatchOptions;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.FailedObservations;
import io.sheaf.app.run.RunChoice;
import io.sheaf.batch.Pools;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.Site;
import io.sheaf.text.DecimalText;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code predict}: start-time estimates. */
@Command(
        name = "predict",
        description = {
            "Estimate when a job would start, with prediction intervals: on a batch system, on the embedded cluster of a run, or in the queue of a log.",
            "With --evaluate, measure the accuracy of such estimates on jobs of the log, without using later jobs, or on jobs that all users queue on Slurm."
        },
        footer = {
            "",
            "Estimators:",
            "  engine     Sheaf's batch engine, loaded with the batch system's queue",
            "  corrected  the engine, with run times sampled from finished jobs (Slurm)",
            "  test-only  the start that 'sbatch --test-only' prints, which ignores backfilling (Slurm)",
            "  mean-wait  the mean of your last waits of similar width (Slurm)",
            "  planned    Slurm's own plan; it exists for queued jobs only",
            "Example: sheaf predict --on slurm --nodes 16 --time 2h",
            "Example: sheaf predict --nodes 4 --time 5m    (embedded cluster of the newest run or service)",
            "Example: sheaf predict --model kth-like --start 21d --nodes 16 --time 2h",
            "Example: sheaf predict --evaluate --on slurm --for 24h",
            "Example: sheaf predict --trace log.swf --nodes-in-cluster 128 --evaluate --weeks 4 --json"
        })
public final class PredictCommand extends SheafCommand {
    private static final long MIN_PAUSE = 10_000;
    private static final long MILLI = 1_000_000;

    @Option(names = "--on", paramLabel = "SYSTEM", description = "Batch system: slurm, gridengine, oar.")
    String on = "";

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes of the job.")
    int nodes;

    @Option(names = "--time", paramLabel = "TIME", description = "Walltime of the job, e.g. 2h.")
    String time = "";

    @Option(
            names = "--cores-per-node",
            paramLabel = "C",
            description = "Cores per node (default: those of the partition's smallest node).")
    int coresPerNode;

    @Option(
            names = "--mem",
            paramLabel = "SIZE",
            description = "Memory of the job on each node, e.g. 64G (default: not counted).")
    String memory = "";

    @Option(
            names = "--probe",
            paramLabel = "TIME",
            arity = "0..1",
            fallbackValue = "60s",
            description =
                    "Submit an empty job, wait up to this time (60s) for Slurm's planned start, and cancel the job.")
    String probe = "0s";

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description =
                    "With --evaluate --on: time to observe the queue; 0s takes one snapshot and reports all jobs so far (default: ${DEFAULT-VALUE}).")
    String length = "24h";

    @Option(
            names = "--every",
            paramLabel = "TIME",
            description = "With --evaluate --on: time between snapshots, at least 10s (default: ${DEFAULT-VALUE}).")
    String every = "2m";

    @Mixin
    PredictionOnRun run = new PredictionOnRun();

    @Mixin
    PredictionOnLog log = new PredictionOnLog();

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Further options for sbatch, qsub or oarsub, after --.")
    List<String> passedOn = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        UsageException.unless(
                (on.isEmpty() ? 0 : 1) + (log.isGiven() ? 1 : 0) + (run.isGiven() ? 1 : 0) <= 1,
                "use only one of --on, --run, --trace and --model");
        if (log.isGiven() || (log.evaluate && on.isEmpty())) {
            log.check(nodes, time);
            UsageException.unless(
                    memory.isEmpty() || log.scheduling.memory() != Resources.UNCOUNTED,
                    "--mem needs --mem-per-node, the memory of a node");
            log.print(this, nodes, time, memory());
            return ExitStatus.DONE;
        }
        return on.isEmpty() ? onRun() : onBatchSystem();
    }

    private int onRun() throws IOException {
        UsageException.unless(
                run.isGiven() || RunChoice.hasRuns(session()),
                "give a queue: --on slurm, --run RUN, --trace LOG or --model NAME; no run found in ./"
                        + RunChoice.RUNS);
        long walltime = walltime();
        UsageException.unless(
                log.draws >= PredictionOnLog.MIN_DRAWS, "--draws: must be at least " + PredictionOnLog.MIN_DRAWS);
        run.print(this, nodes, walltime, log.draws);
        return ExitStatus.DONE;
    }

    private long memory() {
        return memory.isEmpty() ? 0 : OptionText.bytes("--mem", memory);
    }

    /** The walltime, after a check of the options. */
    private long walltime() {
        UsageException.unless(!time.isEmpty(), "give the job's size: --nodes N --time T");
        UsageException.unless(nodes >= 1, "--nodes: must be at least 1");
        UsageException.unless(coresPerNode >= 0, "--cores-per-node: must be at least 1");
        long walltime = OptionText.millis("--time", time);
        UsageException.unless(walltime >= 1, "--time: must be greater than 0");
        return walltime;
    }

    private int onBatchSystem() throws IOException, InterruptedException {
        Placement where = Clusters.where(on, batch, passedOn, session());
        UsageException.unless(!where.equals(Placement.LOCAL), "--on " + on + ": use --run RUN instead");
        if (log.evaluate) {
            return evaluate(commands(where).whatIf(where.options(), coresPerNode));
        }
        long walltime = walltime();
        if (where.isSeveral()) {
            return onSites(where.sites(), walltime);
        }
        WhatIf.Answers answers = estimate(where, walltime);
        print(out -> fields(out, on, answers, walltime), out -> print(answers, walltime));
        return ExitStatus.DONE;
    }

    private BatchCommands commands(Placement where) {
        BatchCommands commands = Clusters.commands(where, session());
        UsageException.unless(
                commands.canEstimate(), "--on " + where.system() + ": its queue cannot be read for estimates");
        return commands;
    }

    private WhatIf.Answers estimate(Placement where, long walltime) throws IOException, InterruptedException {
        BatchCommands commands = commands(where);
        int cores = coresPerNode > 0
                ? coresPerNode
                : commands.nodes(where.options()).cores();
        return commands.whatIf(where.options(), cores)
                .estimate(
                        StartQuery.of(System.currentTimeMillis(), Pools.ANY, nodes, walltime)
                                .needing(memory()),
                        OptionText.millis("--probe", probe));
    }

    /** Estimates the job at each site; one that does not answer is reported, and is an error if it is the last. */
    private int onSites(List<Site> sites, long walltime) throws IOException, InterruptedException {
        Map<String, WhatIf.Answers> answers = new LinkedHashMap<>();
        for (Site site : sites) {
            try {
                if (!site.isLocal()) {
                    answers.put(site.name(), estimate(Placement.of(List.of(site)), walltime));
                }
            } catch (UnreachableException e) {
                note("note: site " + site.name() + " does not answer: " + e.getMessage());
            }
        }
        if (answers.isEmpty()) {
            throw new InputException("--on " + on + ": no site answers");
        }
        print(
                out -> out.field("on", on)
                        .objects(
                                "sites",
                                answers.entrySet(),
                                each -> fields(out, each.getKey(), each.getValue(), walltime)),
                out -> answers.forEach((site, each) -> {
                    out.println("site " + site + ":");
                    print(each, walltime);
                    out.println();
                }));
        return ExitStatus.DONE;
    }

    /** Observes the queue for the requested time and reports; all observations are kept if it is interrupted. */
    private int evaluate(WhatIf whatIf) throws IOException, InterruptedException {
        UsageException.unless(
                nodes == 0 && time.isEmpty(), "--evaluate observes jobs of all users; remove --nodes and --time");
        long pause = Math.max(MIN_PAUSE, OptionText.millis("--every", every));
        long end = System.nanoTime() / MILLI + OptionText.millis("--for", length);
        if (OptionText.millis("--for", length) > 0) {
            note("note: observing the queue for " + length + "; 'sheaf predict --evaluate --on " + on
                    + " --for 0s' reports the jobs so far, also after an interruption");
        }
        FailedObservations failed = new FailedObservations();
        WhatIf.Evaluation checks = whatIf.check(System.currentTimeMillis());
        for (long left = end - System.nanoTime() / MILLI; left > 0; left = end - System.nanoTime() / MILLI) {
            Thread.sleep(Math.min(left, pause));
            try {
                checks = whatIf.check(System.currentTimeMillis());
                failed.reset();
            } catch (UnreachableException e) {
                failed.add(e, session().err());
            }
        }
        EvaluationOnSite report = new EvaluationOnSite(checks);
        print(report::fields, report::print);
        checks.problems().forEach(problem -> note("note: " + problem));
        return ExitStatus.DONE;
    }

    private void print(WhatIf.Answers answers, long walltime) {
        PrintWriter out = session().out();
        WhatIf.ClusterState queue = answers.cluster();
        Fields<WhatIf.Answer> columns = new Fields<WhatIf.Answer>()
                .left("estimator", each -> each.estimator() + (each.estimator().equals(answers.used()) ? " *" : ""))
                .right("wait", each -> wait(each.start(), answers.at()))
                .right("recent loss", PredictCommand::recentLoss)
                .left("", WhatIf.Answer::why);
        out.println(nodes + " nodes × " + TimeText.text(walltime * 1000) + " in partition " + queue.partition()
                + ", from now:");
        columns.table(out, answers.answers());
        out.println();
        Quantiles waits = answers.waits();
        if (waits != null) {
            out.println("sampled from job histories: 50 % interval " + Rounded.time(waits.low50()) + " to "
                    + Rounded.time(waits.high50()) + ", 90 % interval " + Rounded.time(waits.low90()) + " to "
                    + Rounded.time(waits.high90()) + " (" + answers.basis() + ")");
        }
        out.println(queue.nodes() + " nodes, " + queue.allocated() + " in use, " + queue.out()
                + " down or drained; "
                + queue.queued() + " jobs queued before this one; "
                + (Double.isNaN(queue.unmodelledShare())
                        ? "other users' jobs are hidden: " + queue.hidden()
                                + " nodes are used by hidden jobs, their queued jobs are unknown"
                        : Rounded.percent(queue.unmodelledShare()) + " of the queued node-time is not modelled"));
        WhatIf.Priority priority = answers.priority();
        if (priority != null) {
            out.println(text(priority));
        }
        for (WhatIf.PlannedJob plan : answers.planned()) {
            out.println("your job " + plan.job() + " (" + plan.nodes() + " nodes) is planned: "
                    + wait(plan.start(), answers.at()));
        }
        answers.problems().forEach(problem -> note("note: " + problem));
    }

    private static String recentLoss(WhatIf.Answer answer) {
        return Double.isNaN(answer.recentLoss())
                ? "-"
                : DecimalText.fixed(answer.recentLoss(), 2) + " of " + answer.samples();
    }

    private String text(WhatIf.Priority priority) {
        String known = Double.isNaN(priority.fairShare())
                ? ""
                : ", fair-share factor " + DecimalText.fixed(priority.fairShare(), 4);
        String cost = "";
        if (priority.fairShareAfter() < priority.fairShare()) {
            cost = "; this job lowers it to " + DecimalText.fixed(priority.fairShareAfter(), 4)
                    + (priority.waitEquivalent() == WhatIf.NEVER
                            ? ", which no waiting makes up for"
                            : ", which " + Rounded.time(priority.waitEquivalent()) + " of waiting make up for");
        }
        String checked = priority.checked() == 0
                ? ""
                : "; corrected by " + priority.error() + ", the median error of " + priority.checked() + " jobs";
        return "priority " + priority.value() + " (" + priority.behind() + " queued jobs have less" + checked + ")"
                + known + cost;
    }

    private static String wait(long start, long at) {
        return start == WhatIf.UNKNOWN
                ? "unknown"
                : start == WhatIf.NEVER ? "never" : Rounded.time(Math.max(0, start - at));
    }

    private void fields(JsonOut out, String where, WhatIf.Answers answers, long walltime) {
        WhatIf.ClusterState queue = answers.cluster();
        out.field("on", where)
                .field("partition", queue.partition())
                .field("nodes", nodes)
                .seconds("timeSeconds", walltime * 1000)
                .seconds("atSeconds", answers.at() * 1000)
                .field("used", answers.used())
                .objects("answers", answers.answers(), answer -> {
                    out.field("estimator", answer.estimator());
                    waitField(out, answer.start(), answers.at());
                    out.decimal("recentLoss", answer.recentLoss(), 4)
                            .field("samples", answer.samples())
                            .optional("why", answer.why());
                });
        Quantiles waits = answers.waits();
        if (waits != null) {
            out.object("interval")
                    .decimal("medianSeconds", waits.median() / 1000.0, 3)
                    .decimal("low50Seconds", waits.low50() / 1000.0, 3)
                    .decimal("high50Seconds", waits.high50() / 1000.0, 3)
                    .decimal("low90Seconds", waits.low90() / 1000.0, 3)
                    .decimal("high90Seconds", waits.high90() / 1000.0, 3)
                    .field("basis", answers.basis())
                    .end();
        }
        WhatIf.Priority priority = answers.priority();
        if (priority != null) {
            out.object("priority")
                    .field("value", priority.value())
                    .decimal("fairShare", priority.fairShare(), 6)
                    .decimal("fairShareAfter", priority.fairShareAfter(), 6)
                    .decimal(
                            "worthSeconds",
                            priority.waitEquivalent() == WhatIf.NEVER || priority.waitEquivalent() == WhatIf.UNKNOWN
                                    ? Double.NaN
                                    : priority.waitEquivalent() / 1000.0,
                            0)
                    .field("lowerJobs", priority.behind())
                    .field("checked", priority.checked())
                    .field("error", priority.error())
                    .end();
        }
        out.objects("planned", answers.planned(), plan -> {
            out.field("job", plan.job()).field("nodes", plan.nodes());
            waitField(out, plan.start(), answers.at());
        });
        out.decimal("unmodelledShare", queue.unmodelledShare(), 4)
                .field("clusterNodes", queue.nodes())
                .field("takenNodes", queue.allocated())
                .field("outNodes", queue.out())
                .field("hiddenNodes", queue.hidden())
                .field("requestsBefore", queue.queued())
                .texts("problems", answers.problems());
    }

    /** The estimated wait; null if it is unknown or infinite, as given by {@code state}. */
    private static void waitField(JsonOut out, long start, long at) {
        boolean known = start != WhatIf.UNKNOWN && start != WhatIf.NEVER;
        out.field("state", known ? "known" : start == WhatIf.NEVER ? "never" : "unknown");
        out.decimal("waitSeconds", known ? Math.max(0, start - at) / 1000.0 : Double.NaN, 3);
    }
}
