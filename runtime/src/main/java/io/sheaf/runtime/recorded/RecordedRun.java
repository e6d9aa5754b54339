package io.sheaf.runtime.recorded;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.predict.WaitMemory;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.cluster.ClusterForecast;
import io.sheaf.runtime.cluster.ClusterPast;
import io.sheaf.runtime.cluster.EmbeddedAccess;
import io.sheaf.runtime.cluster.MachineClock;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.runtime.cluster.WholeWorkflow;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.run.LeaseOwner;
import io.sheaf.runtime.run.MeasuredWorkflow;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.runtime.run.SpecifiedManager;
import io.sheaf.runtime.run.TaskStarts;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as its folder shows it, whether a process is in charge, none is, or it is over. Nothing is changed by looking.
 *
 * <p>What a process has not made durable yet, or left half written, is not seen.
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

    /** The run that lies in a folder. */
    public static RecordedRun open(Path folder) throws IOException {
        RunSpec spec = RunFiles.spec(folder);
        return new RecordedRun(folder, spec, RunFiles.workflow(folder, spec));
    }

    /** Reads on; the follower is told what has come since the last time. */
    public void readOn(RunListener follower) throws IOException {
        history = read(follower, history.records());
    }

    /** Reads on. */
    public void readOn() throws IOException {
        history = read(null, 0);
    }

    private History read(@Nullable RunListener follower, long known) throws IOException {
        Strategy strategy = SpecifiedManager.strategy(RunFiles.strategy(folder, spec), spec, workflow, WaitMemory.NONE);
        History made = new History(
                SpecifiedManager.manager(folder, spec, workflow, strategy, new Unasked(), Considered.NOTHING),
                follower,
                known);
        RunJournal.look(folder.resolve("journal"), strategy::memo, made);
        return made;
    }

    public Path folder() {
        return folder;
    }

    public RunSpec spec() {
        return spec;
    }

    /** The workflow, with what was added to it. */
    public Workflow workflow() {
        return history.manager().workflow();
    }

    /** The workflow as it was when the run was made. */
    Workflow given() {
        return workflow;
    }

    public History history() {
        return history;
    }

    /** What an attempt of a task printed, whether or not it did: on standard output, or as errors. */
    public Path log(int task, int attempt, boolean errors) {
        int number = history.forest().abroad(new AttemptId(task, attempt)).task();
        return folder.resolve("logs")
                .resolve(TaskStarts.logName(workflow().id(task), number, attempt) + (errors ? ".err" : ".out"));
    }

    /** The process that is in charge, in words; null if none is. One on another machine counts, since nobody here can tell. */
    public @Nullable String inCharge() throws IOException {
        return LeaseOwner.of(folder.resolve("journal")).inCharge();
    }

    /** Whether a process of this machine is in charge. */
    public boolean isAttended() throws IOException {
        return LeaseOwner.of(folder.resolve("journal")).alive();
    }

    /** What its clock shows now. */
    public long now() {
        return MachineClock.now(folder.resolve(RunFiles.CLOCK));
    }

    /** The queue of its embedded cluster at an instant of its clock. */
    public QueueView queue(long at) throws IOException {
        return QueueView.look(EmbeddedAccess.shape(spec), folder.resolve("cluster"), at);
    }

    /** The wait of one more job in the queue of its embedded cluster, at an instant of its clock, from this number of sampled queues. */
    public ClusterForecast forecast(long at, int nodes, long walltime, int draws) throws IOException {
        return ClusterForecast.look(EmbeddedAccess.shape(spec), folder.resolve("cluster"), at, nodes, walltime, draws);
    }

    /** The queue of its embedded cluster when it began, without its own jobs, with background jobs for this number of milliseconds. */
    SimulatedQueue past(long span) throws IOException {
        return ClusterPast.queue(EmbeddedAccess.shape(spec), folder.resolve("cluster"), history.begunAt(), span);
    }

    /** How far it is, at an instant of its clock. */
    public RunStatus status(long at) throws IOException {
        // One that has not begun has taken no time yet.
        long begun = history.begunAt() == 0 ? at : history.begunAt();
        return RunStatus.of(history.manager(), inCharge() != null, begun, at, history.expectations());
    }

    /** All of it for reports, at an instant of its clock; a choice of strategy by the cluster is its first decision. */
    public RunRecord record(long at) throws IOException {
        // What happens while nobody is in charge is not known.
        boolean goesOn = !status(at).state().isOver() && inCharge() != null;
        long seen = goesOn ? at : history.begunAt();
        WholeWorkflow choice = RunFiles.choice(folder);
        String strategy = RunFiles.strategy(folder, spec);
        return choice == null
                ? history.record(strategy, List.of(), seen)
                : history.record(
                        RunSpec.WHOLE + " (" + strategy + ")", List.of(choice.decided(history.begunAt())), seen);
    }

    /** The workflow with measured run times, which is written if it is not there; null while the run is not over. */
    public @Nullable Path measured() throws IOException {
        Path file = folder.resolve(RunFiles.RECORD);
        RunState state = status(0).state();
        if (!state.isOver()) {
            return null;
        }
        if (!Files.exists(file)) {
            RunFolder.replace(file, MeasuredWorkflow.text(workflow(), history.results()));
        }
        return file;
    }

    /** What was decided is on record; nobody is asked again. */
    private static final class Unasked implements StartEstimator {
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
