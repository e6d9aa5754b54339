package io.sheaf.slurm.whatif;

import io.sheaf.predict.StartTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The priority that {@code priority/multifactor} gives to one of our new jobs.
 *
 * <p>A sum of weighted factors, truncated to a whole number of at least 1. A new job has no age. The size factor is the mean of the job's part of the
 * nodes and of the cores, or one minus it. Factors of partitions and QOS are parts of the largest ones. Our fair-share factor is the one that
 * {@code sshare} prints.
 *
 * @param config the controller's configuration
 * @param partitions the priority job factors
 * @param qualities the priorities of QOS
 * @param quality the QOS of jobs that name none
 * @param nodes of the cluster
 * @param cores of the cluster
 */
record SlurmPriority(
        Map<String, String> config,
        Map<String, Integer> partitions,
        Map<String, Long> qualities,
        String quality,
        int nodes,
        long cores,
        SlurmShares shares) {
    static final SlurmPriority BASIC = new SlurmPriority(Map.of(), Map.of(), Map.of(), "", 1, 1, SlurmShares.UNKNOWN);

    /** Whether priorities have factors. */
    static boolean isUsed(Map<String, String> config) {
        return config.getOrDefault("PriorityType", "").equals("priority/multifactor");
    }

    boolean isUsed() {
        return isUsed(config);
    }

    /** A weight of the configuration, such as {@code Age} or {@code FairShare}. */
    long weight(String factor) {
        String text = config.getOrDefault("PriorityWeight" + factor, "0");
        return text.matches("[0-9]{1,10}") ? Long.parseLong(text) : 0;
    }

    private boolean has(String flag) {
        return List.of(config.getOrDefault("PriorityFlags", "").split(",")).contains(flag);
    }

    /** Whether all that the priority consists of is known. */
    boolean isKnown() {
        return isUsed() && unknown().isEmpty();
    }

    /** The factors that are not known, as text; empty if all are. */
    List<String> unknown() {
        List<String> unknown = new ArrayList<>();
        if (isUsed() && weight("FairShare") > 0 && Double.isNaN(shares.factor())) {
            unknown.add("your fair-share factor (sshare)");
        }
        unknown.addAll(unknownOfAll());
        return unknown;
    }

    /** The same without what only our own jobs need. */
    private List<String> unknownOfAll() {
        List<String> unknown = new ArrayList<>();
        if (!isUsed()) {
            return unknown;
        }
        if (weight("JobSize") > 0 && has("SMALL_RELATIVE_TO_TIME")) {
            unknown.add("the size factor relative to time");
        }
        if (weight("QOS") > 0 && qualities.isEmpty()) {
            unknown.add("the factors of QOS (sacctmgr)");
        }
        if (weight("Assoc") > 0) {
            unknown.add("the association factor");
        }
        if (config.getOrDefault("PriorityWeightTRES", "(null)").contains("=")) {
            unknown.add("the factors of TRES");
        }
        if (!config.getOrDefault("PrioritySiteFactorPlugin", "(null)").equals("(null)")) {
            unknown.add("the site factor");
        }
        return unknown;
    }

    /** The milliseconds of waiting that are worth as much as a difference of fair-share factors; NEVER if none is. */
    long waitEquivalent(double share) {
        long age = weight("Age");
        long most = Limit.millis(config.getOrDefault("PriorityMaxAge", "7-00:00:00"));
        return share * weight("FairShare") > age || most <= 0
                ? StartTimes.NEVER
                : age == 0 ? 0 : (long) (share * weight("FairShare") / age * most);
    }

    /** The part of a queued job's priority that its age has added. */
    long ageOf(long waited) {
        long most = Limit.millis(config.getOrDefault("PriorityMaxAge", "7-00:00:00"));
        return most <= 0 ? 0 : (long) (weight("Age") * Math.min(1, Math.max(0, waited) / (double) most));
    }

    /** Whether priorities of other users' new jobs can be computed, if their fair-share factors are known. */
    boolean isKnownForOtherUsers() {
        return isUsed() && unknownOfAll().isEmpty();
    }

    /**
     * The priority of another user's new job on whole nodes, in the usual QOS.
     *
     * @param partition one, or several separated by commas
     * @param share the fair-share factor of the user
     */
    long ofOtherUser(String partition, int size, double share) {
        double common = weight("FairShare") * share + weight("JobSize") * sizeFactor(size / (double) nodes);
        return Math.max(1, (long) (common + place(partition, quality)));
    }

    /** The priority of a new job with our fair-share factor. */
    long of(SlurmSnapshot snapshot, Submissions submissions, int size) {
        double share = shares.factor();
        return of(snapshot, submissions, size, Double.isNaN(share) ? 0 : share);
    }

    /**
     * The priority of a new job; the lowest one if it may be in several pools.
     *
     * @param size its nodes
     * @param share the fair-share factor of our user
     */
    long of(SlurmSnapshot snapshot, Submissions submissions, int size, double share) {
        double common = weight("FairShare") * share
                + weight("JobSize") * sizeFactor((size / (double) nodes + size * coresPerNode(submissions) / cores) / 2)
                - nice(submissions);
        double lowest = Double.POSITIVE_INFINITY;
        if (submissions.pools().count() == 0) {
            String partition =
                    submissions.partition().isEmpty() ? snapshot.defaultPartition() : submissions.partition();
            lowest = place(partition, submissions.quality().isEmpty() ? quality : submissions.quality());
        }
        for (int pool = 1; pool <= submissions.pools().count(); pool++) {
            List<String> words = submissions.options(pool);
            String named = Submissions.value(words, "--qos", "-q", submissions.quality());
            lowest = Math.min(lowest, place(Submissions.partition(words, Map.of()), named.isEmpty() ? quality : named));
        }
        return Math.max(1, (long) (common + lowest));
    }

    /** The weighted factors of one or several partitions, and of a QOS. */
    private double place(String partition, String named) {
        long partitionFactor = 0;
        for (String each : partition.split(",")) {
            partitionFactor = Math.max(partitionFactor, partitions.getOrDefault(each, 0));
        }
        long largest =
                partitions.values().stream().mapToLong(each -> each).max().orElse(0);
        long most = qualities.values().stream().mapToLong(each -> each).max().orElse(0);
        return weight("Partition") * part(partitionFactor, largest, has("NO_NORMAL_PART"))
                + weight("QOS") * part(qualities.getOrDefault(named, 0L), most, has("NO_NORMAL_QOS"));
    }

    private static double part(long factor, long largest, boolean raw) {
        return raw ? factor : largest == 0 ? 0 : factor / (double) largest;
    }

    private double sizeFactor(double part) {
        return config.getOrDefault("PriorityFavorSmall", "No").equalsIgnoreCase("yes") ? 1 - part : part;
    }

    /** The cores of our jobs on each node. */
    static double coresPerNode(Submissions submissions) {
        String cores = Submissions.value(submissions.options(), "--cpus-per-task", "-c", "1");
        return cores.matches("[0-9]{1,6}") ? Double.parseDouble(cores) : 1;
    }

    private static double nice(Submissions submissions) {
        if (submissions.options().contains("--nice")) {
            return 100;
        }
        String nice = Submissions.value(submissions.options(), "--nice", "", "0");
        return nice.matches("-?[0-9]{1,10}") ? Double.parseDouble(nice) : 0;
    }
}
