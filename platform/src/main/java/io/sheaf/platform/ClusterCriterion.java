package io.sheaf.platform;

/** Criterion C2: which cluster, of those with an idle core, a task goes to. */
public interface ClusterCriterion {
    /** How good a cluster is for a task now; more is better, and of equals the first. */
    double value(PlatformView view, int task, int cluster);

    /** How a workflow management system finds out, where questions are round trips. */
    default Asking asking() {
        return Asking.IN_PAIRS;
    }

    /** The two ways of asking of the published study. */
    enum Asking {
        /** Each further cluster, and the best so far again, are asked for their value. */
        IN_PAIRS,
        /**
         * Each cluster is asked for each input file. The published study forgot to remember the largest value: the last cluster with
         * any value wins.
         */
        FILE_BY_FILE
    }

    /** The three criteria of the published study. */
    enum Measure implements ClusterCriterion {
        /** The most bytes of the task's inputs in its storage. */
        LOCAL_DATA {
            @Override
            public double value(PlatformView view, int task, int cluster) {
                return view.storedInputBytes(task, cluster);
            }

            @Override
            public Asking asking() {
                return Asking.FILE_BY_FILE;
            }
        },
        /** The most idle cores. */
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
