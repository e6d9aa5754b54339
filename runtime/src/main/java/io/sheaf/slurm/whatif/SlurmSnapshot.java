package io.sheaf.slurm.whatif;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A queue snapshot of a Slurm cluster at an instant.
 *
 * @param at in milliseconds since 1970
 * @param user the querying user
 * @param config the controller's configuration
 * @param limits the user's limits, if visible
 * @param lost the number of queue lines that could not be parsed
 * @param problems descriptions of what could not be read or parsed
 * @param memory of nodes and jobs
 * @param priority of our new jobs
 */
record SlurmSnapshot(
        long at,
        String user,
        List<SlurmJob> jobs,
        List<SlurmNodes> nodes,
        List<Reservation> reservations,
        PartitionTiers tiers,
        Map<String, String> config,
        OwnLimits limits,
        int lost,
        List<String> problems,
        SlurmMemory memory,
        SlurmPriority priority) {
    /** The same with other jobs. */
    SlurmSnapshot with(List<SlurmJob> others) {
        return new SlurmSnapshot(
                at, user, others, nodes, reservations, tiers, config, limits, lost, problems, memory, priority);
    }

    /** The same without the limits of the querying user, for jobs of other users. */
    SlurmSnapshot unlimited() {
        return new SlurmSnapshot(
                at, user, jobs, nodes, reservations, tiers, config, OwnLimits.NONE, lost, problems, memory, priority);
    }

    /** Whether a job belongs to the querying user. */
    boolean isOwn(SlurmJob job) {
        return job.user().equals(user);
    }

    /** Whether Slurm hides other users' jobs from this user. */
    boolean hidesJobs() {
        return List.of(config.getOrDefault("PrivateData", "").split(",")).contains("jobs");
    }

    /** The same without some jobs; nodes that only they use become free. */
    SlurmSnapshot without(Predicate<SlurmJob> these) {
        List<SlurmJob> others = new ArrayList<>();
        Set<String> theirs = new HashSet<>();
        for (SlurmJob job : jobs) {
            if (these.test(job)) {
                theirs.addAll(job.hosts());
            } else {
                others.add(job);
            }
        }
        List<SlurmNodes> seen = new ArrayList<>();
        for (SlurmNodes each : nodes) {
            if (each.use() == SlurmNodes.Use.ALLOCATED) {
                seen.add(each.of(each.use(), host -> !theirs.contains(host)));
                seen.add(each.of(SlurmNodes.Use.FREE, theirs::contains));
            } else {
                seen.add(each);
            }
        }
        return new SlurmSnapshot(
                at, user, others, seen, reservations, tiers, config, limits, lost, problems, memory, priority);
    }

    /** The default partition; empty if there is none. */
    String defaultPartition() {
        return nodes.stream()
                .filter(SlurmNodes::isDefault)
                .map(SlurmNodes::partition)
                .findFirst()
                .orElse("");
    }

    /** A number in the scheduler's parameters, such as {@code bf_max_job_test=500}. */
    int schedulerNumber(String name, int otherwise) {
        for (String parameter : config.getOrDefault("SchedulerParameters", "").split(",")) {
            if (parameter.startsWith(name + "=")) {
                String value = parameter.substring(name.length() + 1);
                return value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : otherwise;
            }
        }
        return otherwise;
    }

    /** A reservation of nodes for some users or for maintenance, from one instant to another, in milliseconds. */
    record Reservation(String name, long from, long to, List<String> hosts) {}
}
