package io.sheaf.app.simulate;

import io.sheaf.app.cli.Choice;
import io.sheaf.batch.Policy;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.text.Rounded;

/**
 * A simulated cluster: background jobs, scheduling policy and size.
 *
 * @param name the name of the log or model in the output
 * @param scheduling a short description of the policy
 */
public record Background(
        String name, JobLog jobs, Conventions conventions, Policy policy, String scheduling, int nodes) {
    /** A short description of all parts. */
    public String text() {
        return name + ", " + scheduling + ", " + Rounded.count(nodes) + " nodes"
                + (conventions == Conventions.OWN ? "" : ", profile " + Choice.name(conventions));
    }
}
