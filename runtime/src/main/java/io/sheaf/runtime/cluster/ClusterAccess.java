package io.sheaf.runtime.cluster;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Access to a cluster: checks whether a run is possible there, and opens the run's {@link Cluster}. */
public interface ClusterAccess {
    /** Refuses a run that is impossible there; before its folder is created. */
    void check(RunSpec spec, Workflow workflow) throws IOException;

    /** Opens the cluster of a run, in the state that the run's previous manager left. */
    Cluster open(RunSpec spec, Context context) throws IOException;

    /**
     * The context that a run's manager provides to its cluster.
     *
     * @param own the folder for the cluster's own files: the run's, or one in it for each of several clusters
     * @param launch how agents are started
     * @param log a log for the cluster alone; each entry begins with its instant
     * @param wake called by any thread when there may be events to report
     */
    record Context(
            RunFolder folder,
            Path own,
            Launch launch,
            Journal log,
            Agents link,
            RunClock clock,
            Runnable wake,
            Consumer<String> messages) {}
}
