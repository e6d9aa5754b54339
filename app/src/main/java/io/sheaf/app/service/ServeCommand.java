package io.sheaf.app.service;

import io.sheaf.app.cli.Candidates;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.Table;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.dashboard.Dashboard;
import io.sheaf.app.dashboard.RunFolders;
import io.sheaf.app.notify.RunNotices;
import io.sheaf.app.run.BackgroundOptions;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.ManagerOptions;
import io.sheaf.app.run.PlaceOptions;
import io.sheaf.app.run.RunCommand;
import io.sheaf.app.run.RunSession;
import io.sheaf.app.run.ViewOptions;
import io.sheaf.app.web.Limits;
import io.sheaf.app.web.Token;
import io.sheaf.app.web.WebServer;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.Forest;
import io.sheaf.runtime.run.LeaseOwner;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.ServiceClient;
import io.sheaf.runtime.run.Volumes;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.runtime.spec.Service;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code serve}: a service that runs submitted workflows on shared nodes. */
@Command(
        name = "serve",
        description = "Run a service that executes submitted workflows concurrently on shared nodes.",
        subcommands = {
            ServeCommand.ListWorkflows.class,
            ServeChangeCommand.Pause.class,
            ServeChangeCommand.Resume.class,
            ServeChangeCommand.Cancel.class,
            ServeCommand.Drain.class
        },
        footer = {
            "",
            "Without a subcommand: start or resume the service in --state and run it until it is drained.",
            "After an interruption, 'sheaf serve' with the same --state continues. Options after -- are passed to the batch system's submit command.",
            "Example: sheaf serve --policy fair-share --share ann=2 --nodes 4"
        })
public final class ServeCommand extends SheafCommand {
    private static final Duration FINAL_READ = Duration.ofSeconds(1);
    private static final String TOKEN = "dashboard-token";
    private static final long ROSTER_NANOS = 250_000_000;

    @Mixin
    ServiceChoice choice = new ServiceChoice();

    @Parameters(
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Further options for sbatch, qsub or oarsub, after --.")
    List<String> passedOn = new ArrayList<>();

    @Mixin
    PlaceOptions place = new PlaceOptions();

    @Option(
            names = "--policy",
            completionCandidates = Candidates.TurnPolicyNames.class,
            paramLabel = "P",
            description =
                    "Order of tasks of different workflows: rank-hybd, rank-hf, fifo, random, smallest-remaining, fair-share (default: ${DEFAULT-VALUE}).")
    String policy = "rank-hybd";

    @Option(
            names = "--share",
            paramLabel = "OWNER=WEIGHT",
            description = "fair-share: weight of an owner's share (1); repeatable.")
    Map<String, Double> shares = new TreeMap<>();

    @HelpHeading(HelpHeading.PLANNING)
    @Option(
            names = "--strategy",
            completionCandidates = Candidates.StrategyNames.class,
            paramLabel = "S",
            description =
                    "Scheduling strategy for pilot jobs, applied to the tasks of all workflows (default: ${DEFAULT-VALUE}).")
    String strategy = "auto";

    @Mixin
    BackgroundOptions background = new BackgroundOptions();

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Random seed of the background jobs and of the policy 'random' (default: ${DEFAULT-VALUE}).")
    long seed;

    @Option(
            names = {"--archive-after", "--volume"},
            paramLabel = "TASKS",
            description =
                    "Archive ended workflows when they have this many tasks in total (default: ${DEFAULT-VALUE}).")
    int volume = 20_000;

    @Option(
            names = "--isolated",
            negatable = true,
            fallbackValue = "true",
            description = "Run each attempt of a task in a separate folder.")
    boolean isolated;

    @Option(
            names = "--shadow",
            paramLabel = "PREFIX",
            description =
                    "Submit nothing: watch your jobs whose names begin with this ({workflow}: the workflow's name), which another tool submits for a submitted workflow, and report what the strategy would have done.")
    private @Nullable String shadow;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description =
                    "Port of the dashboard and the API on the loopback address; 0 for any free port (default: ${DEFAULT-VALUE}).")
    int port;

    @Mixin
    ViewOptions view = new ViewOptions();

    @Mixin
    ManagerOptions managerOptions = new ManagerOptions();

    private volatile @Nullable WorkflowRun activeRun;
    private volatile Roster roster = Roster.NOTHING;
    private long rosterNanos;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Placement where = place.where(passedOn, session());
        check(where);
        Path folder = choice.folder(session());
        // A run of ended workflows is large: no variable may keep it while the next one is executed.
        LeaseOwner.refuseSecond(folder, managerOptions.lease(where));
        WorkflowRun run = run(folder, where);
        if (ShadowService.isIn(folder)) {
            note("submit workflows with: sheaf submit WORKFLOW --to " + folder);
            return new ShadowService(folder, run.spec(), session(), json).run();
        }
        activeRun = run;
        ClusterAccess site = Clusters.of(run.spec().where(), session(), managerOptions);
        ServiceClient submissions = new ServiceClient(folder);
        Path runs = folder.getParent() == null ? folder : folder.getParent();
        WebServer server = WebServer.start(
                port,
                Token.inFile(folder.resolve(TOKEN)),
                Dashboard.routes(RunFolders.in(runs), session().folder().toAbsolutePath())
                        .with(new ServiceApi(submissions, () -> roster, site, this::wake).routes()),
                Limits.DEFAULT.bodyBytes(ControlFolder.MAX_BYTES));
        try {
            note("dashboard " + Dashboard.address(server, folder));
            note("submit workflows with: sheaf submit WORKFLOW --to " + folder);
            int status = execute(run, folder);
            while (status == RunSession.ARCHIVING) {
                archiveCluster(run, folder);
                run = WorkflowRun.open(folder, RunSession.agentFiles(session()));
                status = execute(run, folder);
            }
            return status(run, status);
        } finally {
            server.finish(FINAL_READ);
        }
    }

    private static void archiveCluster(WorkflowRun ended, Path folder) throws IOException {
        Manager manager = ended.manager();
        if (manager != null && manager.pilotJobs() == 0) {
            new Volumes(folder).archiveCluster();
        }
    }

    private int execute(WorkflowRun run, Path folder) throws IOException, InterruptedException {
        activeRun = run;
        run.volume(volume);
        RunSession runSession = new RunSession(run, folder, session(), json, view.isScreen(session()));
        runSession.eachTurn(manager -> updateRoster(run, manager, runSession.notices()));
        return runSession.execute(managerOptions);
    }

    private void wake() {
        WorkflowRun run = activeRun;
        if (run != null) {
            run.wake();
        }
    }

    /** The exit status; failed workflows do not count as failures of the service. */
    private static int status(WorkflowRun run, int status) {
        Manager manager = run.manager();
        boolean drained = manager != null && manager.isFinished() && !manager.isCancelled();
        return status == ExitStatus.FAILED && drained ? ExitStatus.DONE : status;
    }

    /** Updates the list of the API at most four times a second: it visits each task. */
    private void updateRoster(WorkflowRun run, Manager manager, RunNotices notices) {
        Forest forest = run.forest();
        boolean due =
                roster.equals(Roster.NOTHING) || manager.isFinished() || System.nanoTime() - rosterNanos > ROSTER_NANOS;
        if (forest != null && due) {
            rosterNanos = System.nanoTime();
            Roster before = roster;
            roster = Roster.of(forest, manager, run.begunAt());
            roster.endedSince(before)
                    .forEach(each -> notices.send(each.state(), each.id(), run.now(), out -> {
                        out.field("owner", each.owner());
                        out.seconds("elapsedSeconds", (each.endedAt() - each.arrivedAt()) * 1000);
                        out.object("tasks")
                                .field("total", each.tasks())
                                .field("done", each.done())
                                .field("failed", each.failed())
                                .field("skipped", each.skipped())
                                .end();
                    }));
        }
    }

    private WorkflowRun run(Path folder, Placement where) throws IOException, InterruptedException {
        Path agentFiles = RunSession.agentFiles(session());
        if (!RunFiles.isRun(folder)) {
            WorkflowRun made =
                    WorkflowRun.serve(folder, spec(folder, where), new Service(policy, seed, shares), agentFiles);
            if (shadow != null) {
                ShadowService.mark(folder, shadow);
            }
            return made;
        }
        if (Service.of(folder) == null) {
            throw new InputException("contains a run of a single workflow; use another --state").in(folder.toString());
        }
        if (shadow != null && !ShadowService.isIn(folder)) {
            throw new InputException("the service in this folder submits jobs; use another --state for --shadow")
                    .in(folder.toString());
        }
        for (String option : List.of("--policy", "--share", "--strategy", "--nodes", "--cores-per-node", "--on")) {
            if (isGiven(option)) {
                note(option + " is ignored: the service in " + folder + " keeps its settings");
            }
        }
        return WorkflowRun.open(folder, agentFiles);
    }

    private void check(Placement where) {
        UsageException.unless(volume >= 1, "--archive-after: must be at least 1");
        background.check(where);
        UsageException.unless(
                shadow == null || (!shadow.isEmpty() && !where.equals(Placement.LOCAL)),
                "--shadow: give the prefix of job names, and the batch system by --on");
        UsageException.unless(port >= 0 && port <= 65_535, "--port: must be between 0 and 65535");
    }

    private RunSpec spec(Path folder, Placement where) throws IOException, InterruptedException {
        RunSpecBuilder spec = new RunSpecBuilder(
                        RunCommand.newId(), String.valueOf(folder.getFileName()), folder, strategy)
                .isolated(isolated)
                .background(background.model, seed)
                .cap(background.cap)
                .keepGoing(true);
        return place.configure(spec, where, session(), 0).build();
    }

    /** The command {@code serve list}. */
    @Command(
            name = "list",
            description = "List the workflows of a service and their progress.",
            footer = {"", "Example: sheaf serve list --all"})
    static final class ListWorkflows extends SheafCommand {
        @Mixin
        ServiceChoice service = new ServiceChoice();

        @Option(names = "--all", description = "Include workflows that have ended.")
        boolean all;

        @Override
        public Integer call() throws IOException {
            Path folder = service.folder(session());
            ServiceClient known = new ServiceClient(folder);
            RecordedRun run = RecordedRun.open(folder);
            Roster roster = Roster.of(run);
            Roster shown = new Roster(
                    roster.begunAt(),
                    roster.open(),
                    roster.entries().stream()
                            .filter(entry -> all || !entry.isFinished())
                            .toList());
            if (json) {
                JsonOut.print(session().out(), shown::fields);
                return ExitStatus.DONE;
            }
            print(shown, roster, run);
            noteRefused(folder);
            if (known.waiting() > 0) {
                session().out().println(known.waiting() + " submitted, not yet read by the service");
            }
            return ExitStatus.DONE;
        }

        private void print(Roster shown, Roster roster, RecordedRun run) throws IOException {
            PrintWriter out = session().out();
            List<List<String>> rows = new ArrayList<>();
            for (Roster.RosterEntry entry : shown.entries()) {
                long until = entry.isFinished() ? entry.endedAt() : Math.max(run.now(), entry.arrivedAt());
                rows.add(List.of(
                        entry.id(),
                        entry.owner(),
                        Integer.toString(entry.priority()),
                        entry.state(),
                        entry.done() + "/" + entry.tasks(),
                        entry.failed() > 0 ? entry.failed() + " failed" : "",
                        Rounded.time(until - entry.arrivedAt())));
            }
            Table.print(out, List.of("workflow", "owner", "priority", "state", "done", "", "elapsed"), rows, "<<><><>");
            long ended = roster.entries().stream()
                    .filter(Roster.RosterEntry::isFinished)
                    .count();
            out.println(roster.entries().size() - ended + " active, " + ended + " ended"
                    + (shown.entries().size() < roster.entries().size() ? " (--all lists them)" : "")
                    + (roster.open() ? "" : "; the service accepts no more workflows"));
            boolean hasEnded = !roster.open() && ended == roster.entries().size();
            if (run.leaseHolder() == null && !hasEnded) {
                out.println("no manager is running; continue with: sheaf serve --state " + run.folder());
            }
        }

        private void noteRefused(Path folder) throws IOException {
            for (Path why : new ControlFolder(folder).refused()) {
                session().out().println("rejected: " + Files.readString(why).strip());
            }
        }
    }

    /** The command {@code serve drain}. */
    @Command(
            name = "drain",
            description = "Drain a service: accept no more workflows and stop when all are done.",
            footer = {
                "",
                "To stop it immediately: sheaf cancel DIR",
                "Example: sheaf serve drain --state sheaf-runs/service"
            })
    static final class Drain extends SheafCommand {
        @Mixin
        ServiceChoice service = new ServiceChoice();

        @Override
        public Integer call() throws IOException {
            Path folder = service.folder(session());
            new ServiceClient(folder).drain();
            print(
                    out -> out.field("folder", folder.toString()).field("asked", "drain"),
                    out -> out.println("service " + folder + " accepts no more workflows"));
            return ExitStatus.DONE;
        }
    }
}
