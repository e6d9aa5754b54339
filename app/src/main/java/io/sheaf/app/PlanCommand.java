package io.sheaf.app;

import io.sheaf.manager.Claim;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.rerun.Rerun;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.Prospect;
import io.sheaf.slurm.Nodes;
import io.sheaf.slurm.SlurmSite;
import io.sheaf.slurm.Unforeseen;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.Rounded;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Tells what strategies would submit at an instant of a simulated queue. */
@Command(
        name = "plan",
        description = "Tells what every strategy would submit now, and the makespan that is expected of it.",
        footer = {
            "",
            "The makespan is what comes of it if nobody else arrives and every job takes all the time that it asked for.",
            "Beside it is what the strategy itself estimated; not all of them estimate a makespan.",
            "Without a log, a model and --on: which tasks 'sheaf run' would run again, and why.",
            "Example: sheaf plan workflow.json --model kth-like --start 2d"
        })
final class PlanCommand extends SheafCommand {
    /** More jobs of a strategy are counted, not shown. */
    private static final int MOST_SHOWN = 3;

    private static final String NONE = "-";

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The workflow.")
    String file = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Slurm: further options of sbatch, behind --.")
    List<String> passedOn = new ArrayList<>();

    @Option(
            names = "--on",
            paramLabel = "SYSTEM",
            description =
                    "Instead of a log: what would be submitted to Slurm (slurm); of a single strategy with the scripts.")
    @Nullable
    String on;

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Option(names = "--trace", paramLabel = "FILE", description = "A job log, SWF or 'sacct --parsable2'.")
    @Nullable
    String log;

    @Option(
            names = "--strategies",
            paramLabel = "LIST",
            defaultValue = "all",
            description = "Which strategies, with commas between (${DEFAULT-VALUE}).")
    String strategies = "all";

    @Option(
            names = "--start",
            paramLabel = "TIME",
            defaultValue = "1d",
            description = "When now is, after the first job of the log and --from (${DEFAULT-VALUE}).")
    String start = "1d";

    @Mixin
    RerunOptions again = new RerunOptions();

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description = "Where tasks have run; by default the workflow's folder.")
    @Nullable
    String workDir;

    @Mixin
    RunOptions how = new RunOptions();

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (on != null) {
            return onSlurm();
        }
        if (log == null && cluster.model == null) {
            return whatRuns();
        }
        String misuse = cluster.misuse(log) != null ? cluster.misuse(log) : how.misuse();
        if (misuse != null) {
            throw new ParameterException(commandLine(), misuse);
        }
        Workflow workflow = how.read(file);
        Conventions conventions = cluster.conventions();
        var setup = how.setup(conventions, cluster.seed);
        RunTimes times = new RunTimes(workflow, setup.profile().planOrder(), setup.coresPerNode());
        List<String> names = StrategyList.of(strategies);
        names.forEach(name -> Strategies.named(name, times, setup.profile()));
        Background others = cluster.background(log, session().err());
        long at = TimeText.millis(start);
        Checkpoints queue = new Checkpoints(others.jobs(), others.policy(), others.nodes(), new long[] {at}, at);
        Map<String, Prospect> prospects = new LinkedHashMap<>();
        for (String name : names) {
            var strategy = Strategies.named(name, times, setup.profile());
            prospects.put(name, Prospect.of(queue.fork(0), at, workflow, strategy, setup));
        }
        if (json) {
            printJson(workflow, prospects, session().out());
        } else {
            session().out().println(file + " on " + others.text() + ", after " + start);
            session().out().println();
            print(workflow, prospects, session().out());
        }
        return ExitStatus.DONE;
    }

    /** Without a queue: which tasks run would run again, and why. */
    private int whatRuns() throws IOException {
        Workflow workflow = how.read(file);
        RerunText text = new RerunText(workflow, rerun(workflow));
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                out.object().field("workflow", workflow.name()).field("tasks", workflow.size());
                text.print(out);
                out.end();
            }
        } else {
            text.print(session().out());
        }
        return ExitStatus.DONE;
    }

    private Rerun rerun(Workflow workflow) throws IOException {
        return again.of(workflow, RerunOptions.workFolder(session(), file, workDir));
    }

    private int onSlurm() throws IOException, InterruptedException {
        if (!SlurmSite.NAME.equals(on) || log != null || cluster.model != null || how.misuse() != null) {
            throw new ParameterException(commandLine(), "--on: there is slurm, without --trace and --model");
        }
        List<String> options = batch.words(passedOn);
        Nodes there = Sites.slurm(session(), new ChargeOptions()).nodes(options);
        Nodes used = new Nodes(
                cluster.nodes == null ? there.count() : cluster.nodes,
                isGiven("--cores-per-node") ? how.coresPerNode : there.cores(),
                there.memory());
        Workflow workflow = how.read(file);
        Rerun rerun = rerun(workflow);
        Workflow part = rerun.part();
        if (part == null) {
            return whatRuns();
        }
        SlurmPlan plan = new SlurmPlan(
                part,
                StrategyList.of(strategies),
                cluster.conventions().profile(),
                used,
                how.cap,
                options,
                new Unforeseen(),
                session());
        RerunText text = new RerunText(workflow, rerun);
        if (json) {
            plan.printJson(session(), text);
        } else {
            if (!rerun.isFirst()) {
                text.print(session().out());
                session().out().println();
            }
            plan.print(session());
        }
        return ExitStatus.DONE;
    }

    private static void print(Workflow workflow, Map<String, Prospect> prospects, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        prospects.forEach((name, prospect) -> {
            for (int i = 0; i < Math.min(MOST_SHOWN, prospect.jobs().size()); i++) {
                Prospect.Job job = prospect.jobs().get(i);
                rows.add(List.of(
                        i == 0 ? name : "",
                        Rounded.count(job.request().units()),
                        Rounded.time(job.request().walltime()),
                        work(workflow, job),
                        time(job.expectedWait() == Long.MAX_VALUE ? -1 : job.expectedWait()),
                        i == 0 ? time(prospect.makespanMillis()) : "",
                        i == 0 ? time(prospect.estimateMillis()) : ""));
            }
            int more = prospect.jobs().size() - MOST_SHOWN;
            if (prospect.jobs().isEmpty() || more > 0) {
                rows.add(List.of(
                        more > 0 ? "" : name, "", "", more > 0 ? "and " + more + " more jobs" : "nothing", "", "", ""));
            }
        });
        Table.print(
                out,
                List.of("strategy", "nodes", "walltime", "for", "starts in", "makespan", "its estimate"),
                rows,
                "<>><>>>");
    }

    private static String work(Workflow workflow, Prospect.Job job) {
        Claim claim = job.claim();
        String words = RunRecord.words(claim, workflow);
        return claim.tasks().isAll()
                ? words + ", " + Rounded.count(job.tasks()) + (job.tasks() == 1 ? " task" : " tasks")
                : words;
    }

    private static String time(long millis) {
        return millis < 0 ? NONE : Rounded.time(millis);
    }

    private static void printJson(Workflow workflow, Map<String, Prospect> prospects, PrintWriter writer) {
        try (JsonOut out = new JsonOut(writer)) {
            out.object()
                    .field("workflow", workflow.name())
                    .field("tasks", workflow.size())
                    .array("strategies");
            prospects.forEach((name, prospect) -> {
                out.object().field("strategy", name);
                if (prospect.makespanMillis() >= 0) {
                    out.seconds("expectedMakespanSeconds", prospect.makespanMillis() * 1000);
                }
                if (prospect.estimateMillis() >= 0) {
                    out.seconds("estimatedMakespanSeconds", prospect.estimateMillis() * 1000);
                }
                out.array("jobs");
                prospect.jobs().forEach(job -> printJson(workflow, job, out));
                out.end().end();
            });
            out.end().end();
        }
    }

    private static void printJson(Workflow workflow, Prospect.Job job, JsonOut out) {
        out.object()
                .field("nodes", job.request().units())
                .seconds("walltimeSeconds", job.request().walltime() * 1000)
                .field("firstLevel", job.claim().firstLevel())
                .field("lastLevel", job.claim().lastLevel())
                .field("tasks", job.tasks());
        if (job.claim().tasks().size() == 1) {
            out.field("task", workflow.id(job.claim().tasks().task(0)));
        }
        if (job.expectedWait() != Long.MAX_VALUE) {
            out.seconds("expectedWaitSeconds", job.expectedWait() * 1000);
        }
        out.end();
    }
}
