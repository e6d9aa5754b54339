package io.sheaf.sim;

import io.sheaf.batch.Policy;
import io.sheaf.batch.Policy.NodeSelection;
import io.sheaf.sim.TraceRules.Cancelled;
import io.sheaf.sim.TraceRules.Loader;
import io.sheaf.strategy.Profile;

/**
 * The named conventions of an evaluation: requests (its {@link Profile}), the conversion of logs, the scheduling policy, and the end of a makespan.
 */
public enum Conventions {
    /** Ours: jobs as recorded, those that never ran left out, EASY backfilling, until the last task is done. */
    OWN,
    /**
     * Those of the program behind the GLUME thesis, where nodes are counted: its loader, conservative backfilling, and a makespan that ends with
     * the last task of the last level.
     */
    THESIS,
    /** The same on blocks of neighbouring nodes, which is how the thesis' figures were made. */
    THESIS_CONTIGUOUS;

    public Profile profile() {
        return this == OWN ? Profile.OWN : Profile.THESIS;
    }

    public Cancelled cancelled() {
        return this == OWN ? Cancelled.DROP : Cancelled.FULL;
    }

    public Loader loader() {
        return this == OWN ? Loader.AS_RECORDED : Loader.THESIS;
    }

    public Policy policy() {
        return switch (this) {
            case OWN -> Policy.easy();
            case THESIS -> Policy.conservative();
            case THESIS_CONTIGUOUS -> Policy.conservative().withPlacement(NodeSelection.CONTIGUOUS);
        };
    }

    /** From the start of a run to what counts as its end, in milliseconds. */
    public long makespanMillis(SimulatedRun run) {
        return (this == OWN ? run.end() : run.lastLevelEnd()) - run.start();
    }
}
