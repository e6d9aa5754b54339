package io.sheaf.app.simulate;

import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.ParameterOptions;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.UsageException;
import io.sheaf.sim.Faults;
import io.sheaf.sim.RunTimeDeviation;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.text.InputException;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a workflow's simulated run and its cluster, shared by all commands that simulate one. */
public final class RunOptions {
    @HelpHeading(HelpHeading.LOG)
    @Option(names = "--trace", paramLabel = "FILE", description = "Job log: SWF, or the output of 'sacct --parsable2'.")
    public @Nullable String log;

    @Mixin
    public ClusterOptions cluster = new ClusterOptions();

    @HelpHeading(HelpHeading.WORKFLOW)
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "Format of the workflow; by default detected from its name and content.")
    private @Nullable String format;

    @HelpHeading(HelpHeading.NODES)
    @Option(names = "--cores-per-node", paramLabel = "C", description = "Cores per node (default: ${DEFAULT-VALUE}).")
    public int coresPerNode = 1;

    @HelpHeading(HelpHeading.NODES)
    @Option(
            names = "--gpus-per-node",
            paramLabel = "G",
            description = "GPUs per node: a number or types, e.g. 4 or a100:2,v100:1; by default GPUs are not counted.")
    private @Nullable String gpusPerNode;

    @HelpHeading(HelpHeading.PLANNING)
    @Option(
            names = {"--max-jobs", "--cap"},
            paramLabel = "N",
            description = "Maximum number of pilot jobs, queued and running (default: ${DEFAULT-VALUE}).")
    public int cap = 16;

    @HelpHeading(HelpHeading.PLANNING)
    @Option(
            names = "--task-times",
            paramLabel = "HOW",
            description =
                    "Actual task run times: exact (as planned), noise:S or estimate-error:S[:SHARE:F] (default: ${DEFAULT-VALUE}). noise draws a lognormal factor of mean 1 per attempt, with standard deviation S of its logarithm; estimate-error draws one per task, and makes a SHARE of the tasks F times longer.")
    String taskTimes = "exact";

    @Option(
            names = "--faults",
            paramLabel = "WHICH",
            description =
                    "Inject faults with these probabilities, e.g. task=0.05,node=0.01: task (an attempt fails), job (a pilot job is lost), node (a node is lost), refuse (a submission is refused), silent (no node of a job starts), late (a report is late, by up to delay=TIME), twice (a report arrives twice).")
    private @Nullable String faults;

    @Option(names = "--keep-going", description = "After a task fails, continue with tasks that do not depend on it.")
    boolean keepGoing;

    @Mixin
    ParameterOptions parameters = new ParameterOptions();

    /** Rejects options that do not fit together. */
    public void check() {
        cluster.checkUse(log);
        UsageException.unless(isRunValid(), "--cores-per-node and --max-jobs: must be at least 1");
    }

    /** Whether the options of the run alone are valid. */
    public boolean isRunValid() {
        return coresPerNode >= 1 && cap >= 1;
    }

    /** Reads a workflow, which must have tasks. */
    public Workflow read(String file) {
        return notEmpty(reading().read(file), file);
    }

    /** How workflows are read. */
    public ReadOptions reading() {
        ReadOptions reading = new ReadOptions();
        reading.from = format;
        reading.parameters = parameters;
        return reading;
    }

    /** Refuses a workflow without tasks. */
    public static Workflow notEmpty(Workflow workflow, String file) {
        if (workflow.size() == 0) {
            throw new InputException("the workflow has no tasks").in(file);
        }
        return workflow;
    }

    /** Prints a note if a workflow has tasks without a run time, which end at once in a simulation. */
    static void noteUnknownTimes(String file, Workflow workflow, PrintWriter err) {
        int unknown = workflow.tasksWithoutTime();
        if (unknown > 0) {
            err.println(
                    "sheaf: " + file + ": " + unknown + " of " + workflow.size()
                            + " tasks have no run time and are simulated with 0 s. Give them 'time:', or simulate the 'record.json' of a run");
        }
    }

    /** The cluster with its background jobs. */
    public Background background(PrintWriter err) {
        return cluster.background(log, err);
    }

    public SimulationSetup setup() {
        Faults injected = faults == null ? Faults.NONE : Faults.parse(faults, cluster.seed);
        RunTimeDeviation actual = InputException.in("--task-times", () -> RunTimeDeviation.of(taskTimes));
        return SimulationSetup.of(cluster.conventions().profile(), node(), cap)
                .taking(actual.times(cluster.seed))
                .with(injected)
                .rules(rules -> actual.rules(rules.keepGoing(keepGoing)));
    }

    private Resources node() {
        Resources node = Resources.node(coresPerNode).memory(cluster.scheduling.memory());
        String gpus = gpusPerNode;
        return gpus == null ? node : InputException.in("--gpus-per-node", () -> GpuText.on(node, gpus));
    }
}
