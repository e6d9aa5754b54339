package io.sheaf.sim.campaign;

import io.sheaf.sim.Conventions;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.workflow.Workflow;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The results of all runs of a {@link Campaign}, by workflow, strategy and start, including runs that did not complete.
 *
 * <p>During the campaign one thread writes each entry; afterwards it is read-only.
 */
public final class CampaignResults {
    private final List<Workflow> workflows;
    private final List<String> strategies;
    private final int starts;
    private final Conventions conventions;
    private final @Nullable SimulatedRun[] runs;
    private final long[] bounds;

    CampaignResults(List<Workflow> workflows, List<String> strategies, int starts, Conventions conventions) {
        this.workflows = workflows;
        this.strategies = strategies;
        this.starts = starts;
        this.conventions = conventions;
        runs = new SimulatedRun[workflows.size() * strategies.size() * starts];
        bounds = new long[workflows.size() * starts];
    }

    void ran(int workflow, int strategy, int start, SimulatedRun run) {
        runs[place(workflow, strategy, start)] = run;
    }

    void bound(int workflow, int start, long millis) {
        bounds[workflow * starts + start] = millis;
    }

    private int place(int workflow, int strategy, int start) {
        return (workflow * strategies.size() + strategy) * starts + start;
    }

    public List<Workflow> workflows() {
        return workflows;
    }

    public List<String> strategies() {
        return strategies;
    }

    public int starts() {
        return starts;
    }

    public SimulatedRun run(int workflow, int strategy, int start) {
        return Objects.requireNonNull(runs[place(workflow, strategy, start)]);
    }

    /** The makespan by the conventions, in milliseconds; −1 for a run that did not complete. */
    public long makespanMillis(int workflow, int strategy, int start) {
        SimulatedRun run = run(workflow, strategy, start);
        return run.completed() ? conventions.makespanMillis(run) : -1;
    }

    /** The lower bound of all strategies, in milliseconds; see {@link LowerBound}. */
    public long lowerBoundMillis(int workflow, int start) {
        return bounds[workflow * starts + start];
    }
}
