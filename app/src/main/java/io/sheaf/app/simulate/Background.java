package io.sheaf.app.simulate;

import io.sheaf.app.cli.Choice;
import io.sheaf.batch.Policy;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import io.sheaf.text.Rounded;

/**
 * A cluster ready to be simulated: everybody else's jobs, how it schedules and how large it is.
 *
 * @param name what the log or the model is called in the output
 * @param scheduling the policy in a few words
 */
public record Background(
        String name, JobLog jobs, Conventions conventions, Policy policy, String scheduling, int nodes) {
    /** All of it in a few words. */
    public String text() {
        return name + ", " + scheduling + ", " + Rounded.count(nodes) + " nodes"
                + (conventions == Conventions.OWN ? "" : ", profile " + Choice.name(conventions));
    }
}
