package io.sheaf.slurm.whatif;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * How long our jobs ran in preemptible partitions, and which of them were preempted: a file of a line per job, which all processes of the user share.
 *
 * <p>The time until preemption is assumed to be exponential. Its mean is (run times + {@value #PRIOR} ms) / (preemptions + 1): that of a first guess with the weight of one
 * preemption, corrected by the jobs of the partition.
 */
public final class Preemptions {
    private static final long PRIOR = 4 * 3_600_000L;

    /** Lines after which the older half is removed. */
    private static final int MOST = 4_000;

    private final Path file;

    /** The records in a folder per user and cluster. */
    public Preemptions(Path folder) {
        file = folder.resolve("preemptions");
    }

    /** Records a job that has ended; without effect if the file cannot be written. */
    void ended(String partition, long ran, boolean preempted) {
        try {
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(
                    file,
                    partition + " " + Math.max(0, ran) + " " + (preempted ? 1 : 0) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            List<String> lines = RunFolder.lines(file);
            if (lines.size() > MOST) {
                RunFolder.replace(file, String.join("\n", lines.subList(MOST / 2, lines.size())) + "\n");
            }
        } catch (IOException e) {
            // Nothing is learnt from this job.
        }
    }

    /** The mean time from the start of a job in a partition to its preemption, in milliseconds. */
    public long mean(String partition) {
        double ran = PRIOR;
        int preempted = 1;
        try {
            for (String line : RunFolder.lines(file)) {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && words[0].equals(partition) && words[1].matches("[0-9]{1,15}")) {
                    ran += Long.parseLong(words[1]);
                    preempted += words[2].equals("1") ? 1 : 0;
                }
            }
        } catch (IOException e) {
            return PRIOR;
        }
        return Math.max(1, Math.round(ran / preempted));
    }
}
