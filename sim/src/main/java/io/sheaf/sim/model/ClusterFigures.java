package io.sheaf.sim.model;

/**
 * Published figures of a cluster's load, enough to fit a model.
 *
 * @param name name of the preset
 * @param nodes size of the cluster in the unit of requests
 * @param coresPerNode cores of such a unit
 * @param widest the largest job
 * @param serial share of jobs of one unit
 * @param powerOfTwo share of jobs whose size is a power of two from 2 on
 * @param jobsPerDay mean
 * @param meanWidth mean units per job
 * @param meanRunHours mean run time
 * @param load used unit time over available unit time
 * @param requestedLoad the same with requested times
 * @param limitHours longest request and run time
 * @param users number of users
 */
public record ClusterFigures(
        String name,
        int nodes,
        int coresPerNode,
        int widest,
        double serial,
        double powerOfTwo,
        double jobsPerDay,
        double meanWidth,
        double meanRunHours,
        double load,
        double requestedLoad,
        double limitHours,
        int users) {

    public ClusterFigures {
        if (nodes < 2 || widest < 2 || widest > nodes || users < 1 || coresPerNode < 1) {
            throw new IllegalArgumentException(
                    name + ": needs two nodes, a widest job of 2 to all of them, and a user");
        }
        if (!(jobsPerDay > 0 && meanRunHours > 0 && load > 0 && requestedLoad >= load && limitHours > meanRunHours)) {
            throw new IllegalArgumentException(
                    name + ": needs jobs, run time and load above 0, a requested load not below the"
                            + " load and a limit above the mean run time");
        }
    }
}
