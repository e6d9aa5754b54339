package io.sheaf.slurm.whatif;

import io.sheaf.batch.Pools;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Snapshots from text as the commands print it, with bars between the columns. */
final class Texts {
    /** A partition of eight nodes of two cores, some of them allocated, as sinfo prints it. */
    static final String EIGHT = "main*|up|infinite|mixed|2|NO|(null)|n[1-8]\n";

    static final long AT = 1_794_740_400_000L;

    private Texts() {}

    static String columns(String text) {
        return text.replace('|', Columns.BETWEEN);
    }

    static SlurmSnapshot snapshot(String squeue, String sinfo) {
        return snapshot(squeue, sinfo, "", Map.of());
    }

    static SlurmSnapshot snapshot(String squeue, String sinfo, String reservations, Map<String, String> config) {
        Columns.Read<SlurmJob> jobs = SlurmJob.read(columns(squeue));
        Columns.Read<SlurmNodes> nodes = SlurmNodes.read(columns(sinfo));
        List<String> problems = new ArrayList<>(jobs.problems());
        problems.addAll(nodes.problems());
        return new SlurmSnapshot(
                AT,
                "me",
                jobs.rows(),
                nodes.rows(),
                Scontrol.reservations(reservations, problems),
                PartitionTiers.NONE,
                config,
                OwnLimits.NONE,
                jobs.lost(),
                problems,
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
    }

    /** A snapshot with memory and our priority. */
    static SlurmSnapshot counting(SlurmSnapshot plain, SlurmMemory memory, SlurmPriority priority) {
        return new SlurmSnapshot(
                plain.at(),
                plain.user(),
                plain.jobs(),
                plain.nodes(),
                plain.reservations(),
                plain.tiers(),
                plain.config(),
                plain.limits(),
                plain.lost(),
                plain.problems(),
                memory,
                priority);
    }

    /** A job behind all other jobs of a partition. */
    static QueueModel.SubmissionTarget target(String partition) {
        return target(partition, QueueModel.SubmissionTarget.LAST);
    }

    /** A job of some priority in a partition. */
    static QueueModel.SubmissionTarget target(String partition, long priority) {
        return new QueueModel.SubmissionTarget(partition, Set.of(), priority, "", Pools.NONE, 0);
    }

    /** Limits of nodes, in use and of a job. */
    static OwnLimits limits(int running, int submitted, long inUse, long perJob, long walltime) {
        return new OwnLimits(
                running,
                submitted,
                new OwnLimits.Tres(inUse, Long.MAX_VALUE),
                new OwnLimits.Tres(perJob, Long.MAX_VALUE),
                walltime,
                OwnLimits.Tres.NONE,
                OwnLimits.Tres.NONE);
    }

    /** A line of a job that runs on whole nodes until a given number of seconds from now. */
    static String running(int id, String hosts, long endsIn) {
        return id + "|" + id + "|RUNNING|9|main|" + HostList.expand(hosts).size() + "|2|NO|1:00:00|1794740000|"
                + (AT / 1000 + endsIn) + "|None|(null)|(null)||(null)|you|" + hosts + "|N/A|(null)|normal|job\n";
    }

    /** A line of a waiting job of whole nodes; priorities fall with the number. */
    static String waiting(int id, int nodes, String limit, String reason, String dependency) {
        return id + "|" + id + "|PENDING|" + (100_000 - id) + "|main|" + nodes + "|" + nodes + "|NO|" + limit
                + "|N/A|N/A|" + reason + "|" + dependency + "|(null)||(null)|you||N/A|(null)|normal|job\n";
    }

    static long start(SlurmSnapshot snapshot, QueueModel.SubmissionTarget where, int nodes, long minutes) {
        long start = starts(new QueueModel(snapshot, where), AT, new int[] {nodes}, new long[] {minutes * 60_000})[0];
        return start == StartTimes.NEVER ? -1 : (start - AT) / 1000;
    }

    /** The starts of jobs, each alone. */
    static long[] starts(QueueModel model, long now, int[] units, long[] walltime) {
        return starts(model, now, 0, units, walltime);
    }

    /** The starts of jobs in a pool, each alone. */
    static long[] starts(QueueModel model, long now, int pool, int[] units, long[] walltime) {
        StartQuery query = new StartQuery().begin(now, StartQuery.Arrangement.ALONE);
        for (int i = 0; i < units.length; i++) {
            query.add(pool, units[i], walltime[i]);
        }
        StartTimes starts = model.estimator().estimate(query);
        return IntStream.range(0, units.length).mapToLong(starts::job).toArray();
    }
}
