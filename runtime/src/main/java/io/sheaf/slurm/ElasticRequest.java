package io.sheaf.slurm;

import io.sheaf.slurm.whatif.Submissions;
import java.util.List;

/**
 * The least that a pilot job accepts of its request: Slurm's {@code --time-min} and {@code --nodes=MIN-MAX}. Slurm decides when the job starts; its script reads the decision and leaves it to the
 * manager.
 *
 * @param nodes the fewest nodes; 0 for no range
 * @param minutes the shortest time limit; 0 for no range
 */
record ElasticRequest(int nodes, long minutes) {
    /** The words before the values in a run's options, which have no other nodes or times. */
    static final String NODES = "--nodes=";

    static final String TIME = "--time-min=";

    /** The minimum in the options of a run. */
    static ElasticRequest of(List<String> options) {
        return new ElasticRequest(
                Integer.parseInt(Submissions.value(options, "--nodes", "", "0")),
                Long.parseLong(Submissions.value(options, "--time-min", "", "0")));
    }

    boolean isNone() {
        return nodes == 0 && minutes == 0;
    }

    /** The nodes of a request, as {@code sbatch} reads them. */
    String nodes(int requested) {
        return nodes == 0 || nodes >= requested ? Integer.toString(requested) : nodes + "-" + requested;
    }

    /** The shortest time limit of a request, in minutes. */
    long minutes(long requested) {
        return minutes == 0 ? requested : Math.min(minutes, requested);
    }

    /** The part of the script that reads what was granted; afterwards {@code limit} is the time limit in milliseconds. */
    String read(long requested) {
        return """
                # What was granted of the range that was requested.
                granted=$(SLURM_TIME_FORMAT=%%s scontrol -o show job "$SLURM_JOB_ID" | sed -n 's/.* StartTime=\\([0-9]*\\) EndTime=\\([0-9]*\\) .*/\\2 - \\1/p')
                limit=$(((${granted:-%d}) * 1000))
                echo "$limit $SLURM_JOB_NUM_NODES" > granted.tmp && mv granted.tmp granted
                """.formatted(minutes(requested) * 60);
    }
}
