package io.sheaf.runtime.run;

import io.sheaf.agent.Fence;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.DaemonThread;
import io.sheaf.agent.link.HostNames;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.WaitMemory;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.cluster.MachineClock;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.cluster.WholeWorkflow;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.limits.SubmissionGate;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.rerun.CommitBook;
import io.sheaf.runtime.rerun.FileCheck;
import io.sheaf.runtime.rerun.RunInputs;
import io.sheaf.runtime.rerun.RunRecorder;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.Service;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workflow: connects its folder, journal, batch system, agents and event loop, for a new or a resumed
 * run. The {@link ClusterAccess} selects the batch system.
 */
public final class WorkflowRun {
    /** The maximum number of tasks in the run, as a multiple of the volume size. */
    private static final int MAX_VOLUMES = 10;

    private final Path folder;
    private final RunSpec spec;
    private final Workflow workflow;
    private final Path agentFiles;
    private final DynamicGroups.@Nullable WorkflowInput groups;
    private @Nullable Path state;
    private volatile @Nullable RunLoop loop;
    private volatile @Nullable Manager manager;
    private volatile @Nullable Forest forest;
    private int volume = Integer.MAX_VALUE;
    private long begunAt;
    private volatile RunClock clock = () -> 0;

    private WorkflowRun(Path folder, RunSpec spec, Workflow workflow, Path agentFiles) throws IOException {
        this.folder = folder;
        groups = DynamicGroups.read(folder);
        this.spec = spec;
        this.workflow = workflow;
        this.agentFiles = agentFiles;
    }

    /**
     * The tasks of a new run.
     *
     * @param whole the complete workflow, of which {@code part} is to be run
     * @param check how files are compared when it is run again
     * @param groups the text of the workflow, if it has groups over files that its tasks write
     */
    public record Tasks(Workflow part, Workflow whole, FileCheck check, DynamicGroups.@Nullable WorkflowInput groups) {
        /** All tasks of a workflow, whose files are compared by size and time. */
        public static Tasks of(Workflow workflow) {
            return new Tasks(workflow, workflow, FileCheck.TIME, null);
        }
    }

    /**
     * Creates a run and its folder; refuses a workflow that cannot run at the site.
     *
     * @param agentFiles the folder with the agents' files, shared by all runs
     */
    public static WorkflowRun create(Path folder, RunSpec spec, Tasks tasks, Path agentFiles, ClusterAccess site)
            throws IOException {
        site.check(spec, tasks.part);
        return make(folder, spec, tasks, agentFiles);
    }

    /** Creates an open run without tasks; tasks are submitted later. */
    public static WorkflowRun createOpen(Path folder, RunSpec spec, Path agentFiles) throws IOException {
        return make(folder, spec, Tasks.of(new WorkflowBuilder(spec.name()).build()), agentFiles);
    }

    private static WorkflowRun make(Path folder, RunSpec spec, Tasks tasks, Path agentFiles) throws IOException {
        SpecifiedManager.profile(spec);
        if (!spec.isWhole()) {
            SpecifiedManager.strategy(spec.strategy(), spec, tasks.part, WaitMemory.NONE);
        }
        RunFiles.make(folder);
        RunInputs.of(tasks.whole, tasks.part, Path.of(spec.workFolder()), tasks.check)
                .write(folder);
        if (tasks.groups != null) {
            DynamicGroups.write(folder, tasks.groups);
        }
        RunFiles.write(folder, spec, tasks.part);
        return new WorkflowRun(folder, spec, tasks.part, agentFiles);
    }

    /** Creates a service: a run without tasks, to which workflows are submitted. */
    public static WorkflowRun serve(Path folder, RunSpec spec, Service service, Path agentFiles) throws IOException {
        Workflow nothing = new WorkflowBuilder(spec.name()).build();
        SpecifiedManager.strategy(spec.strategy(), spec, nothing, WaitMemory.NONE);
        RunFiles.make(folder);
        service.write(folder);
        RunFiles.write(folder, spec, nothing);
        return new WorkflowRun(folder, spec, nothing, agentFiles);
    }

    public static WorkflowRun open(Path folder, Path agentFiles) throws IOException {
        RunSpec spec = RunFiles.spec(folder);
        return new WorkflowRun(folder, spec, RunFiles.workflow(folder, spec), agentFiles);
    }

    /** Whether this is a run of this workflow, or of the part of it that had to run. */
    public boolean isOf(Workflow other) throws IOException {
        String digest = RunInputs.digest(other);
        RunInputs found = RunInputs.read(folder);
        return digest.equals(RunInputs.digest(workflow)) || (found != null && found.isOf(digest));
    }

    /** The workflow; it may grow during {@link #execute}. */
    public Workflow workflow() {
        Manager current = manager;
        return current == null ? workflow : current.workflow();
    }

    public RunSpec spec() {
        return spec;
    }

    /** Sets the folder for what all runs learn; without it each run learns separately. Before {@link #execute}. */
    public WorkflowRun learningIn(Path folderOfAll) {
        state = folderOfAll;
        return this;
    }

    /**
     * Ends {@link #execute} when completed workflows have this many tasks; the next call archives them first ({@link
     * Volumes}). A run with ten times as many tasks accepts no more before that.
     */
    public void volume(int tasks) {
        volume = tasks;
    }

    /** Takes the lease and runs until the run ends or pauses, or {@link #interrupt} is called. */
    public RunLoop.Ending execute(RunListener listener, ManagerLease lease, ClusterAccess site)
            throws IOException, InterruptedException {
        LeaseOwner.refuseSecond(folder, lease);
        RunFolder shared = new RunFolder(folder);
        Credentials.create(shared.credentials());
        Files.createDirectories(folder.resolve("logs"));
        Launch launch = Launch.from(agentFiles);
        // In parallel: the first agents may start without the archive.
        Thread archiving = DaemonThread.start("agent archive", launch::makeArchive);
        try (Journal journal = Journal.open(folder.resolve("journal"), LeaseOwner.text(), listener::message);
                Journal log = Journal.open(folder.resolve("cluster"), LeaseOwner.text(), listener::message)) {
            RunJournal record = new RunJournal(journal);
            EventQueue inbox = new EventQueue();
            long last = LastInstant.of(record, log);
            // The embedded cluster counts walltimes by this machine's clock; other batch systems use the wall clock.
            RunClock clock = spec.where().equals(Placement.LOCAL)
                    ? MachineClock.start(folder.resolve(RunFiles.CLOCK), last)
                    : RunClock.system(last);
            this.clock = clock;
            try (ServerLink link =
                    new ServerLink(shared, journal.epoch(), lease.listening(), inbox, listener::message)) {
                StagedAgents agents = new StagedAgents(link, shared, inbox);
                try (Cluster cluster = site.open(
                        spec,
                        new ClusterAccess.Context(
                                shared, folder, launch, log, agents, clock, inbox::wake, listener::message))) {
                    agents.at(cluster::files);
                    return execute(listener, record, cluster, link, agents, inbox, clock, RunPlace.of(journal));
                }
            }
        } finally {
            archiving.join();
        }
    }

    private RunLoop.Ending execute(
            RunListener listener,
            RunJournal journal,
            Cluster cluster,
            ServerLink link,
            Agents agents,
            EventQueue inbox,
            RunClock clock,
            RunPlace place)
            throws IOException, InterruptedException {
        RunMemory memory = new RunMemory(state, spec, listener::message);
        TimeKeeper timeKeeper = memory.timeKeeper(workflow);
        RunTimeUpdate first = timeKeeper == null ? null : timeKeeper.moved(workflow);
        if (timeKeeper != null && first != null) {
            listener.message("run times from earlier runs: " + timeKeeper.sources());
        }
        if (spec.isWhole() && RunFiles.choice(folder) == null) {
            submit(first == null ? workflow : first.of(workflow), cluster, listener);
        }
        WaitMemory waits = memory.waits();
        Strategy strategy = SpecifiedManager.strategy(RunFiles.strategy(folder, spec), spec, workflow, waits);
        Considerations.Notes notes = new Considerations.Notes();
        ControlRequestQueue requests = new ControlRequestQueue(
                new ControlFolder(folder),
                journal::checkLease,
                (int) Math.min(Integer.MAX_VALUE, (long) volume * MAX_VOLUMES),
                listener::message);
        Takeover.Restored restored =
                takeover(journal, cluster, strategy, notes).restore(volume, requests, listener::message);
        Manager made = restored.manager();
        manager = made;
        SimulationSetup setup = SimulationSetup.of(SpecifiedManager.profile(spec), spec.node(), spec.cap());
        BackgroundLookahead lookahead = new BackgroundLookahead(cluster::known, workflow, clock.millis(), setup, made);
        made.simulateBy(lookahead);
        forest = restored.forest();
        RunLoop runLoop = new RunLoop(
                new RunLoop.LoopState(made, notes, restored.forest(), journal),
                new RunLoop.LoopPorts(
                        cluster,
                        SubmissionGate.of(cluster, spec.id(), clock.millis(), listener::message),
                        agents,
                        new TaskStarts(restored.forest(), spec, folder.resolve("logs"), made::needs),
                        inbox,
                        clock),
                listener);
        runLoop.learnWith(waits);
        if (timeKeeper != null) {
            runLoop.timeWith(timeKeeper);
        }
        runLoop.requestsFrom(groups == null ? requests : new DynamicGroups(requests, groups));
        runLoop.archiveAfter(volume);
        loop = runLoop;
        Recovery recovery = restored.recovery();
        begunAt = recovery.isFresh() ? clock.millis() : recovery.begunAt();
        RunLoop.Ending ending;
        try (lookahead;
                CommitBook commits = book(recovery.isFresh(), listener)) {
            commits.grown(made.workflow());
            runLoop.recordIn(commits);
            if (recovery.isFresh()) {
                journal.begin(spec.id(), begunAt);
                memory.addRun(folder);
                begin(runLoop, first, listener);
            } else {
                resume(runLoop, recovery, timeKeeper, made);
                if (journal.isOlder()) {
                    continueOlder(journal, cluster, made, listener);
                }
            }
            listener.begins(made);
            link.announce();
            ending = turn(runLoop, place);
            if (ending == RunLoop.Ending.REMOVED) {
                cluster.abandon();
                killAll();
                listener.message("the run folder was removed; this process cancels its jobs and stops");
            }
        }
        if (ending == RunLoop.Ending.ENDED) {
            close(made);
        }
        return ending;
    }

    private Takeover takeover(RunJournal journal, Cluster cluster, Strategy strategy, Considerations.Notes notes) {
        StartEstimator starts = strategy.usesLearntStarts() ? cluster.sampledStarts() : cluster.estimator();
        StartEstimator estimator = AgentReserve.of(cluster)
                .estimator(spec.where().isStaged() ? new DelayedStarts(starts, this::copying) : starts);
        return new Takeover(
                new Volumes(folder),
                spec.id(),
                journal,
                () -> SpecifiedManager.manager(folder, spec, workflow, strategy, estimator, notes),
                strategy);
    }

    private long copying(int pool) {
        Manager made = manager;
        return made == null ? 0 : made.copying(pool);
    }

    private void begin(RunLoop runLoop, @Nullable RunTimeUpdate first, RunListener listener) {
        if (workflow.size() == 0 || groups != null) {
            runLoop.apply(new Event.Opened(begunAt));
        }
        if (first != null) {
            listener.message(
                    first.size() == 1
                            ? "the time of 1 task comes from earlier runs"
                            : "the times of " + Rounded.count(first.size()) + " tasks come from earlier runs");
            runLoop.apply(new Event.Retimed(begunAt, first));
        }
    }

    private void resume(RunLoop runLoop, Recovery recovery, @Nullable TimeKeeper timeKeeper, Manager made)
            throws IOException {
        if (timeKeeper != null) {
            timeKeeper.resume(made.workflow());
        }
        runLoop.recover(recovery.results());
        if (recovery.wasPaused()) {
            runLoop.apply(new Event.Resumed(clock.millis()));
        }
    }

    /** Cancels the pilot jobs of an earlier release of Sheaf, whose agents do not understand this one; their tasks get new attempts. */
    private void continueOlder(RunJournal journal, Cluster cluster, Manager made, RunListener listener) {
        for (int i = 0; i < made.pilotJobs(); i++) {
            cluster.cancel(made.pilotJob(i).token());
        }
        journal.begin(spec.id(), begunAt);
        listener.message("an earlier version of Sheaf started this run; completed tasks stay, and its pilot jobs ("
                + made.pilotJobs() + ") are replaced");
    }

    /** Runs the loop to its end, warms it up meanwhile, and watches for requests of other commands. */
    private RunLoop.Ending turn(RunLoop runLoop, RunPlace place) throws IOException, InterruptedException {
        // On the embedded cluster, agents would compete with the warm-up for this machine's cores.
        Thread warmUp = spec.where().equals(Placement.LOCAL) ? null : ManagerWarmUp.begin();
        RequestWatch watch = new RequestWatch(folder, runLoop, place);
        try {
            RunLoop.Ending ending = runLoop.run();
            return place.isRemoved() ? RunLoop.Ending.REMOVED : ending;
        } catch (IOException | UncheckedIOException e) {
            if (place.isRemoved()) {
                return RunLoop.Ending.REMOVED;
            }
            throw e;
        } finally {
            watch.stop();
            if (warmUp != null) {
                warmUp.interrupt();
                warmUp.join();
            }
        }
    }

    private void close(Manager made) throws IOException {
        RunInputs inputs = RunInputs.read(folder);
        String host = spec.where().equals(Placement.LOCAL) ? HostNames.own() : "";
        RunFolder.replace(
                folder.resolve(RunFiles.RECORD),
                out -> MeasuredWorkflow.write(
                        made.workflow(),
                        results -> RunJournal.results(folder.resolve("journal"), results),
                        begunAt,
                        made.isFailed() || made.isCancelled() ? made.now() : Workflow.UNKNOWN,
                        inputs == null ? Map.of() : inputs.sizes(),
                        result -> host,
                        RunFiles.version(folder),
                        out));
        killAll();
        new Requests(folder).clear();
    }

    private void killAll() {
        new Fence(spec.id()).all().forEach(ProcessHandle::destroyForcibly);
    }

    /** The store of task results; none if the run has no record of its inputs or began without tasks. */
    private CommitBook book(boolean fresh, RunListener listener) throws IOException {
        RunInputs inputs = RunInputs.read(folder);
        return inputs == null || workflow.size() == 0
                ? CommitBook.NONE
                : new RunRecorder(
                        workflow, Path.of(spec.workFolder()), spec.id(), folder, inputs, fresh, listener::message);
    }

    /** Ends {@link #execute} soon; running jobs continue. May be called by any thread. */
    public void interrupt() {
        RunLoop running = loop;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Makes the manager read the inbox. May be called by any thread. */
    public void wake() {
        RunLoop running = loop;
        if (running != null) {
            running.wake();
        }
    }

    /** The manager; null before {@link #execute}. */
    public @Nullable Manager manager() {
        return manager;
    }

    /** When the run began. */
    public long begunAt() {
        return begunAt;
    }

    /** The time of the run's clock; 0 before {@link #execute}. */
    public long now() {
        return clock.millis();
    }

    /** The run's workflows; null before {@link #execute}. To be read by the listener's thread only. */
    public @Nullable Forest forest() {
        return forest;
    }

    /** Submits the workflow to the cluster as a whole. The cluster's choice is durable before any job is submitted. */
    private void submit(Workflow planned, Cluster cluster, RunListener listener) throws IOException {
        WholeWorkflow choice = cluster.accept(planned, SpecifiedManager.profile(spec), spec.cap());
        RunFiles.write(folder, choice);
        listener.message("the cluster tried " + choice.tries().size() + " strategies on its queue; " + choice.chosen()
                + " ends earliest, after " + Rounded.time(choice.tries().get(0).makespan()));
    }
}
