package io.sheaf.runtime.batch;

import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.doctor.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A cluster with a batch system, which this machine can submit to. */
public interface BatchSite extends ClusterAccess {
    /** The nodes that a run with these options may use. */
    Nodes nodes(List<String> options) throws IOException, InterruptedException;

    /**
     * Looks whether runs with these options will work.
     *
     * @param folder one that compute nodes see
     * @param patience how long to wait for a job that looks at a node, in milliseconds; 0 for no job
     */
    List<Finding> findings(List<String> options, Path folder, long patience) throws InterruptedException;
}
