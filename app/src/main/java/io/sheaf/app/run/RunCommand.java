package io.sheaf.app.run;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.StrategyOption;
import io.sheaf.app.cli.UsageException;
import io.sheaf.manager.TaskState;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.rerun.Rerun;
import io.sheaf.runtime.rerun.TaskRecords;
import io.sheaf.runtime.run.ManagerLease;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.DependentJobs;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a workflow on a cluster. */
@Command(
        name = "run",
        description = "Run a workflow on a batch system: its tasks run inside pilot jobs.",
        footer = {
            "",
            "The default batch system is an embedded cluster: virtual nodes on this machine with a queue.",
            "With --on slurm, pilot jobs are Slurm jobs, and likewise on other batch systems; options after -- are passed to the submit command.",
            "Tasks that are up to date are not run again ('sheaf plan' shows which tasks would run and why).",
            "--from TASK means --from-task TASK, unless TASK is the name of a format.",
            "All state of a run is in its folder; 'sheaf resume' continues an interrupted run.",
            "An example with background jobs in the queue:",
            "Example: sheaf run examples/ensemble.yaml --nodes 8 --background kth-like@600x --seed 13"
        })
public final class RunCommand extends SheafCommand {
    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The workflow; its tasks must have commands.")
    String file = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Further options for sbatch, qsub or oarsub, after --.")
    List<String> passedOn = new ArrayList<>();

    @Mixin
    ReadOptions reading = new ReadOptions();

    @Mixin
    PlaceOptions place = new PlaceOptions();

    @Mixin
    StrategyOption strategy = new StrategyOption();

    /** More cores than a node has, where its cores do not matter. */
    private static final int ANY_CORES = 1_000_000;

    @HelpHeading(HelpHeading.PLANNING)
    @Option(
            names = "--whole",
            negatable = true,
            fallbackValue = "true",
            description =
                    "Submit the whole workflow to the embedded cluster, which simulates all strategies on its queue and uses the best.")
    boolean whole;

    @HelpHeading(HelpHeading.PLANNING)
    @Option(
            names = "--profile",
            completionCandidates = Candidates.ProfileNames.class,
            paramLabel = "P",
            description =
                    "Conventions for rounding requests and ordering tasks: own, thesis (default: ${DEFAULT-VALUE}).")
    String profile = "own";

    @Mixin
    BackgroundOptions background = new BackgroundOptions();

    @HelpHeading(HelpHeading.BATCH)
    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Random seed of the background jobs (default: ${DEFAULT-VALUE}).")
    long seed;

    @Option(
            names = "--keep-going",
            negatable = true,
            fallbackValue = "true",
            description = "After a task fails, continue with tasks that do not depend on it.")
    boolean keepGoing;

    @Option(
            names = "--isolated",
            negatable = true,
            fallbackValue = "true",
            description = "Run each attempt of a task in a separate folder.")
    boolean isolated;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "Folder of the run; an existing run of this workflow is resumed.")
    private @Nullable String runDir;

    @Mixin
    WorkDirOption workDir = new WorkDirOption();

    @Option(
            names = "--dry-run",
            negatable = true,
            fallbackValue = "true",
            description = "Print the tasks that would run, with commands and reasons, and the plan; submit nothing.")
    boolean dryRun;

    @Option(
            names = "--shadow",
            paramLabel = "PREFIX|RUN",
            description =
                    "Submit nothing: watch your jobs whose names begin with this (e.g. snakejob.), which another tool submits for this workflow, or the run in this folder; decide as the strategy would, and report it.")
    private @Nullable String shadow;

    @Option(
            names = "--force",
            description = "Start the run although an earlier run of this workflow in the same folder has not ended.")
    boolean force;

    @Mixin
    RerunOptions rerunOptions = new RerunOptions();

    @Mixin
    TimeOptions times = new TimeOptions();

    @Mixin
    ViewOptions view = new ViewOptions();

    @Mixin
    ManagerOptions managerOptions = new ManagerOptions();

    @Mixin
    UnattendedOptions unattended = new UnattendedOptions();

    @Mixin
    DashboardOptions dashboard = new DashboardOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Placement where = place.where(passedOn, session());
        check(where);
        unattended.check(where);
        ManagerLease lease = managerOptions.lease(where);
        if (unattended.isHere()) {
            lease.checkAddress();
        }
        List<String> fromTasks = reading.extractTasks();
        RunWorkflow source =
                new RunWorkflow(reading, file, workDir.workDir == null ? null : workFolder(), workFolder());
        source.addKnown(rerunOptions);
        Workflow workflow = source.current();
        rerunOptions.addFrom(fromTasks, workflow, "a format that Sheaf reads");
        if (isolated) {
            checkFilesAreInside(workflow);
        }
        // Checked here, since nothing may have to run.
        Strategies.named(strategy.name, new RunTimes(workflow, Profile.OWN.planOrder(), ANY_CORES), Profile.OWN);
        if (dryRun) {
            return showPlan(source, where);
        }
        if (shadow != null) {
            return follow(shadow, workflow, where);
        }
        Path folder = folder(workflow);
        Path agentFiles = RunSession.agentFiles(session());
        WorkflowRun run;
        int kept = 0;
        if (RunFiles.isRun(folder)) {
            run = WorkflowRun.open(folder, agentFiles);
            if (!run.isOf(source.first())) {
                throw new InputException("contains a run of another workflow; use another --run-dir")
                        .in(folder.toString());
            }
        } else {
            TaskRecords records = new TaskRecords(workFolder(), workflow.name());
            Created created = records.alone(() -> create(source, where, folder, agentFiles, records));
            if (created == null) {
                return ExitStatus.DONE;
            }
            run = created.run;
            kept = created.kept;
        }
        if (unattended.isRequested()) {
            return unattended.startManager(folder, run.spec(), session(), managerOptions);
        }
        RunSession runSession = new RunSession(run, folder, session(), json, view.isScreen(session())).keeping(kept);
        return dashboard.during(folder, session(), () -> runSession.execute(managerOptions));
    }

    /** A relative name that leads out of the working folder means another file in the folder of an attempt. */
    private void checkFilesAreInside(Workflow workflow) {
        for (int i = 0; i < workflow.files(); i++) {
            String name = workflow.fileName(i);
            if (Path.of(name).normalize().startsWith("..")) {
                throw new InputException("'" + name + "' is outside of the working folder; with --isolated,"
                                + " write its absolute name, or select another folder with --work-dir")
                        .in(file);
            }
        }
    }

    /** Prints what would run; creates and submits nothing. */
    private int showPlan(RunWorkflow source, Placement where) throws IOException, InterruptedException {
        Rerun rerun = source.rerun(rerunOptions);
        Workflow workflow = source.current();
        Workflow part = rerun.part();
        if (part == null) {
            new RerunText(workflow, rerun).printNothingToDo(session(), json);
            return ExitStatus.DONE;
        }
        RunSpec spec = spec(workflow, where);
        part = spec.fitting(part);
        try {
            Clusters.of(where, session(), managerOptions).check(spec, part);
        } catch (InputException e) {
            throw e.in(file);
        }
        new DryRun(workflow, rerun, spec, session()).print(part, source.deferred(), json);
        return ExitStatus.DONE;
    }

    /** Watches the jobs of another tool or run; creates a folder for observations and submits nothing. */
    private int follow(String shadowed, Workflow workflow, Placement where) throws IOException, InterruptedException {
        UsageException.unless(
                !where.equals(Placement.LOCAL) && !shadowed.isEmpty(),
                "--shadow: give the prefix of job names or the folder of a run, and the batch system by --on");
        RunSpec spec = spec(workflow, where);
        try {
            Clusters.of(where, session(), managerOptions).check(spec, workflow);
        } catch (InputException e) {
            throw e.in(file);
        }
        WhatIf cluster = Clusters.commands(where, session())
                .whatIf(where.options(), spec.node().cores());
        Path observations = folder(workflow);
        Path watched = session().folder().toAbsolutePath().resolve(shadowed);
        boolean isRun = RunFiles.isRun(watched);
        note("watching " + (isRun ? "the run in " + shadowed : "jobs " + shadowed + "*") + "; observations are in "
                + observations);
        ShadowRun run = new ShadowRun(
                workflow, spec, workFolder(), observations, cluster, isRun ? watched.toString() : shadowed);
        while (!run.observe(System.currentTimeMillis(), session().err())) {
            Thread.sleep(ShadowRun.PAUSE);
        }
        run.report(session(), json);
        return ExitStatus.DONE;
    }

    /** A new run, and the number of tasks that it does not repeat. */
    private record Created(WorkflowRun run, int kept) {}

    /** Creates the run; null if no task has to run. */
    private @Nullable Created create(
            RunWorkflow source, Placement where, Path folder, Path agentFiles, TaskRecords records)
            throws IOException, InterruptedException {
        List<Path> unfinished = unfinished(source, records);
        Rerun rerun = source.rerun(rerunOptions);
        Workflow workflow = source.current();
        Workflow part = rerun.part();
        RerunText text = new RerunText(workflow, rerun);
        if (part == null) {
            text.printNothingToDo(session(), json);
            return null;
        }
        ClusterAccess site = Clusters.of(where, session(), managerOptions);
        WorkflowRun run;
        try {
            RunSpec spec = spec(workflow, where);
            Workflow requested = times.withMemory(spec.fitting(part), spec, session());
            WorkflowRun.Tasks tasks =
                    new WorkflowRun.Tasks(requested, source.first(), rerunOptions.check(), source.groups());
            run = WorkflowRun.create(folder, spec, tasks, agentFiles, site);
        } catch (InputException e) {
            throw e.in(file);
        }
        unfinished.add(folder);
        records.register(unfinished);
        RunFolder.replace(folder.resolve(RunFiles.ORIGIN), origin());
        source.keepSource(folder);
        text.printKept(session());
        source.deferred().forEach(group -> note(group.text()));
        return new Created(run, rerun.kept());
    }

    /** Earlier runs whose tasks may still run and write the same files: refused unless forced. */
    private List<Path> unfinished(RunWorkflow source, TaskRecords records) throws IOException {
        List<Path> unfinished = new ArrayList<>();
        for (Path earlier : records.runs()) {
            if (!RunFiles.isRun(earlier)) {
                continue;
            }
            RecordedRun recorded = readable(earlier);
            if (recorded == null) {
                continue;
            }
            RunStatus status = recorded.status(recorded.now());
            if (status.state().isFinished()) {
                continue;
            }
            unfinished.add(earlier);
            if (!force) {
                boolean managed = recorded.leaseHolder() != null;
                throw new InputException(
                        "this workflow has an unfinished run in this folder ("
                                + status.state().word() + ", " + status.tasks(TaskState.DONE) + " of " + status.size()
                                + " tasks done). "
                                + (managed ? "Follow it: sheaf watch " : "Continue it: sheaf resume ")
                                + earlier + "; cancel it: sheaf cancel " + earlier
                                + "; or start a second one with --force"
                                + (source.isFrom(earlier)
                                        ? ""
                                        : ". The file has changed since that run began; to run it as it is now, cancel that run first"));
            }
        }
        return unfinished;
    }

    /** An earlier run; null with a note if it cannot be read, for example because another version of Sheaf made it. */
    private @Nullable RecordedRun readable(Path earlier) {
        try {
            return RecordedRun.open(earlier);
        } catch (InputException | IOException e) {
            note("note: an earlier run cannot be read (" + e.getMessage()
                    + "). Its completed tasks are kept; if it has not ended, its tasks may still be running: "
                    + earlier);
            return null;
        }
    }

    private void check(Placement where) {
        background.check(where);
        times.check();
        UsageException.unless(
                !dashboard.dashboard || !unattended.isRequested(),
                "--dashboard cannot be used with --detach or --manager-job; use 'sheaf watch'");
        UsageException.unless(dashboard.port >= 0 && dashboard.port <= 65_535, "--port: must be between 0 and 65535");
        UsageException.unless(
                !whole || !isGiven("--strategy"),
                "--whole cannot be used with --strategy: the cluster selects the strategy");
    }

    private RunSpec spec(Workflow workflow, Placement where) throws IOException, InterruptedException {
        String decides = whole ? RunSpec.WHOLE : strategy(where);
        RunSpecBuilder spec = new RunSpecBuilder(newId(), workflow.name(), workFolder(), decides)
                .fileEdges(workflow.fileEdges())
                .isolated(isolated)
                .profile(profile)
                .background(background.model, seed)
                .cap(background.cap)
                .keepGoing(keepGoing)
                .times(times.rule());
        RunSpec fitted = place.configure(spec, where, session(), where.equals(Placement.LOCAL) ? 0 : maxGpus(workflow))
                .build()
                .forTasks(workflow);
        String note = PlaceOptions.uncounted(workflow, fitted);
        if (!note.isEmpty()) {
            note(note);
        }
        return fitted;
    }

    /** The requested strategy; submitting dependent jobs ahead needs a queue in which they keep their priority. */
    private String strategy(Placement where) throws IOException, InterruptedException {
        String otherwise = DependentJobs.strategy(strategy.name);
        String why = where.equals(Placement.LOCAL) || otherwise.equals(strategy.name)
                ? null
                : Clusters.dependentsLose(where, session());
        if (why == null) {
            return strategy.name;
        }
        note("dependent jobs gain no age priority on this cluster (" + why + "); using " + otherwise + " instead of "
                + strategy.name);
        return otherwise;
    }

    public static String newId() {
        byte[] random = new byte[8];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** The maximum GPUs per node of any task. */
    public static int maxGpus(Workflow workflow) {
        return IntStream.range(0, workflow.size())
                .map(task -> workflow.resources(task).gpus())
                .max()
                .orElse(0);
    }

    private Path workFolder() {
        return workDir.folder(session(), file);
    }

    private Path folder(Workflow workflow) {
        Path current = session().folder().toAbsolutePath();
        if (runDir != null) {
            return current.resolve(runDir).normalize();
        }
        String name = workflow.name().isEmpty() ? "workflow" : workflow.name().replaceAll("[^A-Za-z0-9_.-]", "_");
        String now = LocalDateTime.now(ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
        return unused(current.resolve("sheaf-runs").resolve(name + "-" + now).normalize());
    }

    /** The folder, or with a number behind its name if it exists: several short runs may start in one second. */
    static Path unused(Path preferred) {
        Path folder = preferred;
        for (int i = 2; Files.exists(folder); i++) {
            folder = preferred.resolveSibling(preferred.getFileName() + "-" + i);
        }
        return folder;
    }
}
