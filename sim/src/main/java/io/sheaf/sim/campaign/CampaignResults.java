package io.sheaf.sim.campaign;

import io.sheaf.sim.Conventions;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.workflow.Workflow;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of every run of a {@link Campaign}, by workflow, strategy and start; runs that could not complete are there, too.
 *
 * <p>While the campaign runs each place is written by one thread, before it ends; afterwards it is only read.
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

    /** How many start times there were. */
    public int starts() {
        return starts;
    }

    public SimulatedRun run(int workflow, int strategy, int start) {
        return Objects.requireNonNull(runs[place(workflow, strategy, start)]);
    }

    /** The makespan that counts, in milliseconds; −1 for a run that could not complete. */
    public long makespanMillis(int workflow, int strategy, int start) {
        SimulatedRun run = run(workflow, strategy, start);
        return run.completed() ? conventions.makespanMillis(run) : -1;
    }

    /** What no strategy can go below, in milliseconds; see {@link LowerBound}. */
    public long lowerBoundMillis(int workflow, int start) {
        return bounds[workflow * starts + start];
    }
}
