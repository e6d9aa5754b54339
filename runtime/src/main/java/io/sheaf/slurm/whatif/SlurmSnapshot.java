package io.sheaf.slurm.whatif;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A Slurm cluster as its commands showed it at an instant.
 *
 * @param at in milliseconds since 1970
 * @param user who asked
 * @param tiers the priority tiers of partitions: jobs of a higher one are considered first
 * @param config the controller's configuration
 * @param limits what the user may have, where that can be seen
 * @param lost lines of the queue that could not be understood
 * @param problems what could not be read or understood, in a few words each
 */
record SlurmSnapshot(
        long at,
        String user,
        List<SlurmJob> jobs,
        List<SlurmNodes> nodes,
        List<SlurmReservation> reservations,
        Map<String, Integer> tiers,
        Map<String, String> config,
        OwnLimits limits,
        int lost,
        List<String> problems) {
    /** The same with other jobs. */
    SlurmSnapshot with(List<SlurmJob> others) {
        return new SlurmSnapshot(at, user, others, nodes, reservations, tiers, config, limits, lost, problems);
    }

    /** Whether others' jobs are kept from this user's eyes. */
    boolean hidesJobs() {
        return List.of(config.getOrDefault("PrivateData", "").split(",")).contains("jobs");
    }

    /** The same without the jobs whose names begin so; nodes that only they have are free. */
    SlurmSnapshot without(String name) {
        List<SlurmJob> others = new ArrayList<>();
        Set<String> theirs = new HashSet<>();
        for (SlurmJob job : jobs) {
            if (job.name().startsWith(name)) {
                theirs.addAll(job.hosts());
            } else {
                others.add(job);
            }
        }
        List<SlurmNodes> seen = new ArrayList<>();
        for (SlurmNodes each : nodes) {
            seen.add(each.use() == SlurmNodes.Use.TAKEN ? each.without(theirs) : each);
            if (each.use() == SlurmNodes.Use.TAKEN) {
                seen.add(each.free(theirs));
            }
        }
        return new SlurmSnapshot(at, user, others, seen, reservations, tiers, config, limits, lost, problems);
    }

    /** The partition of jobs that name none; an empty text if there is none. */
    String defaultPartition() {
        return nodes.stream()
                .filter(SlurmNodes::isDefault)
                .map(SlurmNodes::partition)
                .findFirst()
                .orElse("");
    }

    /** A number among the scheduler's parameters, {@code bf_max_job_test=500}. */
    int schedulerNumber(String name, int otherwise) {
        for (String parameter : config.getOrDefault("SchedulerParameters", "").split(",")) {
            if (parameter.startsWith(name + "=")) {
                String value = parameter.substring(name.length() + 1);
                return value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : otherwise;
            }
        }
        return otherwise;
    }
}
