package io.sheaf.platform;

/** Criterion C2: the choice of a cluster, among those with an idle core. */
public interface ClusterCriterion {
    /** How good a cluster is for a task now; more is better, and of equals the first. */
    double value(PlatformView view, int task, int cluster);

    /** How a workflow management system finds out, where questions are round trips. */
    default QueryProtocol protocol() {
        return QueryProtocol.IN_PAIRS;
    }

    /** The two ways of asking of the published study. */
    enum QueryProtocol {
        /** Queries each further cluster, and the best so far again, for their value. */
        IN_PAIRS,
        /** Queries each cluster for each input file. The published study does not update its maximum: the last cluster with any value wins. */
        FILE_BY_FILE
    }

    /** The three criteria of the published study. */
    enum Measure implements ClusterCriterion {
        /** The largest amount of the task's input data in the cluster's storage. */
        LOCAL_DATA {
            @Override
            public double value(PlatformView view, int task, int cluster) {
                return view.storedInputBytes(task, cluster);
            }

            @Override
            public QueryProtocol protocol() {
                return QueryProtocol.FILE_BY_FILE;
            }
        },
        /** The largest number of idle cores. */
        IDLE_CORES {
            @Override
            public double value(PlatformView view, int task, int cluster) {
                return view.idleCores(cluster);
            }
        },
        /** The fastest cores. */
        FASTEST {
            @Override
            public double value(PlatformView view, int task, int cluster) {
                return view.cluster(cluster).speed();
            }
        }
    }
}
