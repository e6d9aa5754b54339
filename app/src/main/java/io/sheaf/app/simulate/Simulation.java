package io.sheaf.app.simulate;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Multifactor;
import io.sheaf.report.BackgroundJob;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.BackgroundCost;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A simulated run with its record, cost and background load.
 *
 * @param makespan by the profile's definition, in milliseconds
 * @param neighbours the background jobs that ran meanwhile
 * @param where the cluster, its queue and the instant, as text
 * @param use of the fair share by the run; null if the queue order has none
 */
public record Simulation(
        RunRecord record,
        SimulatedRun run,
        long makespan,
        BackgroundCost cost,
        BackgroundLoad load,
        List<BackgroundJob> neighbours,
        String where,
        @Nullable FairShareCost use) {
    /**
     * What a run costs in fair share.
     *
     * @param before the user's fair-share factor before the run
     * @param after the same at its end
     */
    public record FairShareCost(double before, double after, Multifactor priority) {
        /** The waiting time by which a later job makes up for the difference, in milliseconds; NEVER if none does. */
        private long makeUpMillis() {
            return priority.waitEquivalent(Math.max(0, before - after));
        }

        /** One line of text. */
        public String text() {
            return "fair share        " + DecimalText.fixed(before, 4) + " before, " + DecimalText.fixed(after, 4)
                    + " after the run"
                    + (makeUpMillis() == BatchEngine.NEVER
                            ? ": no waiting makes up for it"
                            : ": later jobs make up for it by " + Rounded.time(makeUpMillis()) + " of waiting")
                    + "; usage halves in " + Rounded.time(priority.halfLife());
        }

        public void fields(JsonOut out) {
            out.object("fairShare").decimal("before", before, 6).decimal("after", after, 6);
            out.decimal("worthSeconds", makeUpMillis() == BatchEngine.NEVER ? Double.NaN : makeUpMillis() / 1000.0, 0);
            out.end();
        }
    }

    /** Workflow, strategy and cluster in one line. */
    public String title() {
        return record.workflow().name() + " with " + record.strategy() + " on " + where;
    }
}
