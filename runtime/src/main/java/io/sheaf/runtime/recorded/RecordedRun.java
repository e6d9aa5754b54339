package io.sheaf.runtime.recorded;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.predict.WaitMemory;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.batch.BatchLog;
import io.sheaf.runtime.cluster.ClusterForecast;
import io.sheaf.runtime.cluster.EmbeddedAccess;
import io.sheaf.runtime.cluster.MachineClock;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.runtime.cluster.WholeWorkflow;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.rerun.RunInputs;
import io.sheaf.runtime.run.LeaseOwner;
import io.sheaf.runtime.run.MeasuredWorkflow;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.runtime.run.SpecifiedManager;
import io.sheaf.runtime.run.TaskStarts;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.Site;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of a run from its folder, for active, interrupted and finished runs.
 *
 * <p>It does not include records that a process has not made durable.
 */
public final class RecordedRun {
    private final Path folder;
    private final RunSpec spec;
    private final Workflow workflow;
    private History history;

    private RecordedRun(Path folder, RunSpec spec, Workflow workflow) throws IOException {
        this.folder = folder;
        this.spec = spec;
        this.workflow = workflow;
        history = read(null, 0);
    }

    public static RecordedRun open(Path folder) throws IOException {
        RunSpec spec = RunFiles.spec(folder);
        return new RecordedRun(folder, spec, RunFiles.workflow(folder, spec));
    }

    /** Reads new records of the journal and passes them to the follower. */
    public void readOn(RunListener follower) throws IOException {
        history = read(follower, history.records());
    }

    /** Reads new records of the journal. */
    public void readOn() throws IOException {
        history = read(null, 0);
    }

    private History read(@Nullable RunListener follower, long known) throws IOException {
        Strategy strategy = SpecifiedManager.strategy(RunFiles.strategy(folder, spec), spec, workflow, WaitMemory.NONE);
        History made = new History(
                SpecifiedManager.manager(folder, spec, workflow, strategy, new NoEstimates(), DecisionSink.NOTHING),
                follower,
                known);
        RunJournal.scan(folder.resolve("journal"), strategy::memo, made);
        return made;
    }

    public Path folder() {
        return folder;
    }

    public RunSpec spec() {
        return spec;
    }

    /** The workflow including later additions. */
    public Workflow workflow() {
        return history.manager().workflow();
    }

    /** The workflow at the creation of the run. */
    Workflow submittedWorkflow() {
        return workflow;
    }

    public History history() {
        return history;
    }

    /** The command and version that created the run, one line each; empty for runs of earlier versions. */
    public List<String> origin() throws IOException {
        return RunFiles.origin(folder);
    }

    /** The numbers of its pilot jobs in the batch system, by token; empty on the embedded cluster. */
    public Map<Long, Long> jobNumbers() throws IOException {
        Map<Long, Long> numbers = new HashMap<>();
        for (Site site : spec.where().members()) {
            Path own = spec.where().isSeveral() ? folder.resolve("sites").resolve(site.name()) : folder;
            if (!site.system().equals(Placement.LOCAL.system()) && Files.isDirectory(own.resolve("cluster"))) {
                numbers.putAll(BatchLog.jobNumbers(own.resolve("cluster")));
            }
        }
        return numbers;
    }

    /** The machine of its embedded cluster; empty if it ran on a batch system. */
    public String machine() throws IOException {
        return spec.where().equals(Placement.LOCAL)
                ? LeaseOwner.of(folder.resolve("journal")).host()
                : "";
    }

    /** The path of an attempt's standard output or standard error; the file may not exist. */
    public Path log(int task, int attempt, boolean errors) {
        int number = history.forest().agentId(new AttemptId(task, attempt)).task();
        return folder.resolve("logs")
                .resolve(TaskStarts.logName(workflow().id(task), number, attempt) + (errors ? ".err" : ".out"));
    }

    /**
     * Describes the process that holds the lease; null if none does. A process on another machine counts, since its
     * liveness cannot be checked from here.
     */
    public @Nullable String leaseHolder() throws IOException {
        return LeaseOwner.of(folder.resolve("journal")).holder();
    }

    /** Whether a process of this machine holds the lease. */
    public boolean isAttended() throws IOException {
        return LeaseOwner.of(folder.resolve("journal")).isAlive();
    }

    /** The current time of the run's clock. */
    public long now() {
        return MachineClock.now(folder.resolve(RunFiles.CLOCK));
    }

    /** The queue of its embedded cluster at an instant of the run's clock. */
    public QueueView queue(long at) throws IOException {
        return QueueView.read(EmbeddedAccess.shape(spec), folder.resolve("cluster"), at);
    }

    /**
     * Estimates the wait of one more job on the embedded cluster from {@code draws} sampled queues.
     *
     * @param job a single one, at an instant of the run's clock
     */
    public ClusterForecast forecast(StartQuery job, int draws) throws IOException {
        return ClusterForecast.read(EmbeddedAccess.shape(spec), folder.resolve("cluster"), job, draws);
    }

    /**
     * The queue of its embedded cluster at the run's start, without the run's own jobs.
     *
     * @param span how long background jobs arrive, in milliseconds
     */
    SimulatedQueue past(long span) throws IOException {
        return EmbeddedAccess.shape(spec).queueAtBegin(folder.resolve("cluster"), history.begunAt(), span);
    }

    /** The status at an instant of the run's clock. */
    public RunStatus status(long at) throws IOException {
        // A run that has not begun has no elapsed time.
        long begun = history.begunAt() == 0 ? at : history.begunAt();
        return RunStatus.of(history.manager(), leaseHolder() != null, begun, at, history.expectations());
    }

    /**
     * The whole run for reports, at an instant of the run's clock. The first decision is the cluster's choice of a
     * strategy, if it made one.
     */
    public RunRecord record(long at) throws IOException {
        // Events without a live manager are unknown.
        boolean isActive = !status(at).state().isFinished() && leaseHolder() != null;
        long until = isActive ? at : history.begunAt();
        WholeWorkflow choice = RunFiles.choice(folder);
        String strategy = RunFiles.strategy(folder, spec);
        return choice == null
                ? history.record(strategy, List.of(), until)
                : history.record(
                        RunSpec.WHOLE + " (" + strategy + ")", List.of(choice.decided(history.begunAt())), until);
    }

    /** The workflow with measured run times and the nodes of its tasks, written on first use; null until the run is finished. */
    public @Nullable Path measured() throws IOException {
        Path file = folder.resolve(RunFiles.RECORD);
        RunState state = status(0).state();
        if (!state.isFinished()) {
            return null;
        }
        RunInputs inputs = RunInputs.read(folder);
        String machine = machine();
        StringWriter written = new StringWriter();
        MeasuredWorkflow.write(
                workflow(),
                history.results()::forEach,
                history.begunAt(),
                record(0).end(),
                inputs == null ? Map.of() : inputs.sizes(),
                result -> machine.isEmpty() ? history.host(result.token(), result.node()) : machine,
                RunFiles.version(folder),
                written);
        String text = written.toString();
        // The manager does not know the names of the nodes of a batch system at the end of a run.
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            RunFolder.replace(file, text);
        }
        return file;
    }

    /** Returns no estimates: decisions come from the journal. */
    private static final class NoEstimates implements StartEstimator {
        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            throw new IllegalStateException("decisions are replayed, not made again");
        }

        @Override
        public Basis basis() {
            return Basis.NONE;
        }
    }
}
