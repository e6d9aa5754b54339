package io.sheaf.runtime.batch;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The user's jobs, asked for by one process at a time however many of the user want to know. */
public final class SharedQueue {
    /** How old an answer may be unless configured. */
    public static final int INTERVAL_MILLIS = 30_000;

    private final Source source;
    private final SharedAnswer answer;

    /** Where the queue is asked for. */
    public interface Source {
        /** What the batch system prints about the user's jobs that are not over. */
        String ask() throws IOException, InterruptedException;

        /** The jobs in it; refused as a whole if one cannot be understood, since then nobody knows what is missing. */
        List<QueueLine> parse(String text);
    }

    /**
     * The queue as a user sees it.
     *
     * @param file where answers lie, for all processes of the user
     * @param interval how old one may be, in milliseconds
     */
    public SharedQueue(Source source, Path file, int interval) {
        this.source = source;
        answer = new SharedAnswer(file, interval);
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
        return told == null ? Snapshot.NONE : new Snapshot(told.at(), parse(told.text()));
    }

    private String ask() throws IOException, InterruptedException {
        String said = source.ask();
        // What cannot be understood is not left for others.
        parse(said);
        return said;
    }

    private List<QueueLine> parse(String text) throws AwayException {
        try {
            return source.parse(text);
        } catch (InputException e) {
            throw new AwayException(String.valueOf(e.getMessage()));
        }
    }
}
