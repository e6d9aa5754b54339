package io.sheaf.runtime.batch;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The priorities of a run's jobs under multifactor priority, as predicted and as the batch system computed them: a file of the run. Thread-safe. */
public final class OwnPriorities {
    /** In place of a priority that the batch system has not reported. */
    public static final long UNSEEN = -1;

    private final Path file;

    /**
     * A job of the run.
     *
     * @param predicted the priority at its submission
     * @param observed the same as the batch system computed it, or {@link #UNSEEN}
     * @param fairShare the user's factor at the submission; NaN if unknown
     * @param fairShareAfter the same after the job has used its nodes for its walltime; NaN if unknown
     * @param waitEquivalent the waiting time of a later job that makes up for the difference, in milliseconds; {@link WhatIf#NEVER} or {@link WhatIf#UNKNOWN}
     */
    public record JobPriority(
            long token, long predicted, long observed, double fairShare, double fairShareAfter, long waitEquivalent) {}

    /** The priorities in a folder. */
    public OwnPriorities(Path folder) {
        file = folder.resolve("priorities");
    }

    /** Records the prediction for a job; without effect if the file cannot be written. */
    public synchronized void predicted(long token, WhatIf.Priority as) {
        write(token + " " + as.value() + " " + as.fairShare() + " " + as.fairShareAfter() + " " + as.waitEquivalent());
    }

    /** Records the priority that the batch system computed for a job. */
    public synchronized void observed(long token, long priority) {
        write(token + " " + priority);
    }

    private void write(String line) {
        try {
            Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            // It is not explained.
        }
    }

    /** The jobs in order of their tokens; none if nothing was recorded. */
    public List<JobPriority> jobs() throws IOException {
        Map<Long, JobPriority> jobs = new TreeMap<>();
        for (String line : RunFolder.lines(file)) {
            String[] words = line.split(" ", -1);
            try {
                long token = Long.parseLong(words[0]);
                if (words.length == 2) {
                    long observed = Long.parseLong(words[1]);
                    jobs.computeIfPresent(
                            token,
                            (same, job) -> new JobPriority(
                                    token,
                                    job.predicted,
                                    observed,
                                    job.fairShare,
                                    job.fairShareAfter,
                                    job.waitEquivalent));
                } else if (words.length == 5) {
                    jobs.put(
                            token,
                            new JobPriority(
                                    token,
                                    Long.parseLong(words[1]),
                                    UNSEEN,
                                    Double.parseDouble(words[2]),
                                    Double.parseDouble(words[3]),
                                    Long.parseLong(words[4])));
                }
            } catch (NumberFormatException e) {
                // The line was cut off, so it is the last one.
                break;
            }
        }
        return new ArrayList<>(jobs.values());
    }
}
