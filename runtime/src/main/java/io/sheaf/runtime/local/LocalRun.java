package io.sheaf.runtime.local;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.HostNames;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Policy;
import io.sheaf.formats.Formats;
import io.sheaf.formats.Source;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.runtime.Inbox;
import io.sheaf.runtime.LastInstant;
import io.sheaf.runtime.Recovery;
import io.sheaf.runtime.RunClock;
import io.sheaf.runtime.RunListener;
import io.sheaf.runtime.RunLoop;
import io.sheaf.runtime.cluster.ClusterShape;
import io.sheaf.runtime.cluster.EmbeddedCluster;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * A run on this machine: puts the journal, the embedded cluster, the agents and the event loop together, for a new run and for one that goes
 * on.
 */
public final class LocalRun {
    private static final String SPEC = "run.json";
    private static final String WORKFLOW = "workflow.json";
    private static final String FORMAT = "wfformat";

    /** From a minute on: 1, 3, 6, 13 and 28 minutes. */
    private static final int MOST_CUT_OFFS = 5;

    /** Others than the run's user have no business in its folder. */
    private static final String PRIVATE = "rwx------";

    private final Path folder;
    private final RunSpec spec;
    private final Workflow workflow;
    private final Path kit;
    private @Nullable RunLoop loop;
    private @Nullable Manager manager;
    private long begunAt;

    private LocalRun(Path folder, RunSpec spec, Workflow workflow, Path kit) {
        this.folder = folder;
        this.spec = spec;
        this.workflow = workflow;
        this.kit = kit;
    }

    /** Whether a folder holds a run. */
    public static boolean isRun(Path folder) {
        return Files.exists(folder.resolve(SPEC));
    }

    /**
     * A new run; its folder is made. The workflow is refused if it cannot run here.
     *
     * @param kit where what agents need is kept for all runs
     */
    public static LocalRun create(Path folder, RunSpec spec, Workflow workflow, Path kit) throws IOException {
        Preflight.check(
                workflow,
                Path.of(spec.workFolder()),
                spec.nodes(),
                spec.coresPerNode(),
                Machine.memory(),
                System.getenv().getOrDefault("PATH", ""));
        profile(spec);
        shape(spec);
        strategy(spec, workflow);
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(PRIVATE));
        RunFolder.replace(folder.resolve(WORKFLOW), text(workflow));
        // Last: a folder with this file is a run.
        RunFolder.replace(folder.resolve(SPEC), spec.text());
        return new LocalRun(folder, spec, workflow, kit);
    }

    /** A run that was begun before. */
    public static LocalRun open(Path folder, Path kit) throws IOException {
        if (!isRun(folder)) {
            throw new InputException("there is no run in this folder (no " + SPEC + ")").in(folder.toString());
        }
        RunSpec spec = RunSpec.read(folder.resolve(SPEC));
        Workflow workflow = Formats.reader(FORMAT).read(Source.of(folder.resolve(WORKFLOW)), spec.fileEdges());
        return new LocalRun(folder, spec, workflow, kit);
    }

    private static String text(Workflow workflow) throws IOException {
        StringWriter text = new StringWriter();
        Formats.writer(FORMAT).write(workflow, text);
        return text.toString();
    }

    /** Whether this is a run of just this workflow. */
    public boolean isOf(Workflow other) throws IOException {
        return text(other).equals(text(workflow));
    }

    public Workflow workflow() {
        return workflow;
    }

    public RunSpec spec() {
        return spec;
    }

    /** Takes charge and runs until the run is over, pauses, or {@link #interrupt} is called. */
    public RunLoop.Ending play(RunListener listener, boolean takeOver) throws IOException, InterruptedException {
        Owner.refuseSecond(folder.resolve("journal"), takeOver);
        RunFolder shared = new RunFolder(folder);
        Credentials.create(shared.credentials());
        Files.createDirectories(folder.resolve("logs"));
        Launch launch = Launch.from(kit);
        Thread archiving = archive(launch);
        try (Journal journal = Journal.open(folder.resolve("journal"), Owner.text(), listener::message);
                Journal clusterLog = Journal.open(folder.resolve("cluster"), Owner.text(), listener::message)) {
            return play(listener, shared, launch, new RunJournal(journal), clusterLog);
        } finally {
            archiving.join();
        }
    }

    private RunLoop.Ending play(
            RunListener listener, RunFolder shared, Launch launch, RunJournal journal, Journal clusterLog)
            throws IOException, InterruptedException {
        Inbox inbox = new Inbox();
        Strategy strategy = strategy(spec, workflow);
        RunClock clock = RunClock.system(LastInstant.of(journal, strategy, clusterLog));
        ProcessLauncher launcher =
                new ProcessLauncher(launch, shared, spec.id(), spec.coresPerNode(), inbox::wake, listener::message);
        try (EmbeddedCluster cluster = new EmbeddedCluster(shape(spec), clusterLog, launcher, clock);
                ServerLink link = new ServerLink(shared, journal.epoch(), inbox, listener::message)) {
            Considerations.Notes notes = new Considerations.Notes();
            Manager made = new Manager(
                    workflow,
                    profile(spec).runOrder()::ranks,
                    strategy,
                    cluster.estimator(),
                    notes,
                    cluster.nodes(),
                    cluster.coresPerNode(),
                    spec.cap(),
                    Rules.DEFAULT
                            .keepGoing(spec.keepGoing())
                            .sharedFiles(!spec.isolated())
                            .mostCutOffs(MOST_CUT_OFFS));
            manager = made;
            TaskStarts starts = new TaskStarts(workflow, spec, folder.resolve("logs"), HostNames.own());
            RunLoop turning = new RunLoop(made, notes, journal, cluster, link, starts, inbox, clock, listener);
            loop = turning;
            Recovery recovery = Recovery.of(journal, made, strategy);
            begunAt = recovery.isFresh() ? clock.millis() : recovery.begunAt();
            if (recovery.isFresh()) {
                journal.begin(spec.id(), begunAt);
            } else {
                turning.recover(recovery.results());
                if (recovery.wasPaused()) {
                    turning.tell(new Event.Resumed(clock.millis()));
                }
            }
            listener.begins(made);
            link.announce();
            RunLoop.Ending ending = turning.run();
            if (ending == RunLoop.Ending.OVER) {
                RunFolder.replace(folder.resolve("record.json"), MeasuredWorkflow.text(workflow, turning.results()));
            }
            return ending;
        }
    }

    /** Makes what lets agents start faster, beside the run; this run's first agents may do without. */
    private static Thread archive(Launch launch) {
        Thread thread = new Thread(
                () -> {
                    try {
                        launch.makeArchive();
                    } catch (IOException e) {
                        // Agents start without it.
                        return;
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "agent archive");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Ends {@link #play} soon; what runs goes on. May be called by any thread. */
    public void interrupt() {
        RunLoop running = loop;
        if (running != null) {
            running.interrupt();
        }
    }

    /** How it went, once it has been played. */
    public @Nullable Manager manager() {
        return manager;
    }

    /** When the run began. */
    public long begunAt() {
        return begunAt;
    }

    private static ClusterShape shape(RunSpec spec) {
        return new ClusterShape(
                spec.nodes(), spec.coresPerNode(), Policy.conservative(), spec.background(), spec.seed());
    }

    private static Profile profile(RunSpec spec) {
        return switch (spec.profile()) {
            case "own" -> Profile.OWN;
            case "thesis" -> Profile.THESIS;
            default ->
                throw new InputException("there is no profile '" + spec.profile() + "'. There are: own, thesis.");
        };
    }

    private static Strategy strategy(RunSpec spec, Workflow workflow) {
        Profile profile = profile(spec);
        RunTimes times = new RunTimes(workflow, profile.planOrder(), spec.coresPerNode());
        return Strategies.named(spec.strategy(), times, profile);
    }
}
