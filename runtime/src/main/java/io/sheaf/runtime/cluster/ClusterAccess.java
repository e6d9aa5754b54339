package io.sheaf.runtime.cluster;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.function.Consumer;

/** A batch system as a run finds it: what can be asked for there, and how to get at it. */
public interface ClusterAccess {
    /** Refuses a run that is impossible there, before anything is made. */
    void check(RunSpec spec, Workflow workflow) throws IOException;

    /** Opens the back end of a run, as the run's process before this one has left it. */
    Cluster open(RunSpec spec, Context around) throws IOException;

    /**
     * What a back end finds in the process that is in charge.
     *
     * @param launch how agents are started
     * @param log a record of the back end's own; each entry begins with its instant
     * @param wake called by any thread when there may be something to tell
     */
    record Context(
            RunFolder folder,
            Launch launch,
            Journal log,
            Agents link,
            RunClock clock,
            Runnable wake,
            Consumer<String> messages) {}
}
