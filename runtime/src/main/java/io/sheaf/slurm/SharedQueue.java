package io.sheaf.slurm;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The user's jobs, asked for by one {@code squeue} at a time however many processes of the user want to know. */
public final class SharedQueue {
    /** How old an answer may be unless configured. */
    public static final int INTERVAL_MILLIS = 30_000;

    private final SlurmCommands commands;
    private final SharedAnswer answer;
    private final String user;

    /**
     * The queue of a cluster as a user sees it.
     *
     * @param folder the user's state folder
     * @param cluster tells clusters apart
     */
    public SharedQueue(SlurmCommands commands, Path folder, String cluster, String user, int interval) {
        this.commands = commands;
        this.user = user;
        answer = new SharedAnswer(folder.resolve("squeue-" + Integer.toHexString(cluster.hashCode())), interval);
    }

    /**
     * An answer.
     *
     * @param at when it was asked for, on the wall clock
     */
    public record Snapshot(long at, List<QueueLine> jobs) {
        /** Nothing is known yet. */
        static final Snapshot NONE = new Snapshot(0, List.of());

        public Snapshot {
            jobs = List.copyOf(jobs);
        }
    }

    public int interval() {
        return answer.interval();
    }

    /** What is known, asked for anew if it is too old; the old answer, or {@link Snapshot#NONE}, if another process is just asking. */
    Snapshot look() throws IOException, InterruptedException {
        SharedAnswer.Told told = answer.look(this::ask);
        return told == null
                ? Snapshot.NONE
                : new Snapshot(told.at(), parse(told.text().lines().toList()));
    }

    private String ask() throws IOException, InterruptedException {
        SlurmCommands.Answer said = commands.ask("squeue", "-h", "-u", user, "-o", QueueLine.FORMAT);
        if (!said.isGood()) {
            throw new SlurmAwayException("squeue: " + said.why());
        }
        // What cannot be understood is not left for others.
        parse(said.lines());
        return said.out();
    }

    private static List<QueueLine> parse(List<String> lines) throws SlurmAwayException {
        try {
            return QueueLine.parse(lines);
        } catch (InputException e) {
            throw new SlurmAwayException(String.valueOf(e.getMessage()));
        }
    }
}
