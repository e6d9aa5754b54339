package io.sheaf.runtime.batch;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A snapshot of the user's jobs that all processes of the user share; one process at a time queries it. */
public final class SharedQueue {
    /** The default maximum age of a snapshot. */
    public static final int INTERVAL_MILLIS = 30_000;

    private final QueueSource source;
    private final SharedAnswer answer;

    /** Queries and parses the queue. */
    public interface QueueSource {
        /** The batch system's output about the user's jobs that have not ended. */
        String query() throws IOException, InterruptedException;

        /** The jobs in an output. If one is invalid, the whole output is refused, since jobs might be missing. */
        List<QueueLine> parse(String text);
    }

    /**
     * The user's queue.
     *
     * @param file where snapshots are kept, for all processes of the user
     * @param interval the maximum age of a snapshot, in milliseconds
     */
    public SharedQueue(QueueSource source, Path file, int interval) {
        this.source = source;
        answer = new SharedAnswer(file, interval);
    }

    /**
     * A snapshot.
     *
     * @param at when it was queried, on the wall clock
     */
    public record Snapshot(long at, List<QueueLine> jobs) {
        /** No snapshot yet. */
        static final Snapshot NONE = new Snapshot(0, List.of());

        public Snapshot {
            jobs = List.copyOf(jobs);
        }
    }

    public int interval() {
        return answer.interval();
    }

    /**
     * The snapshot, queried again if it is too old; the old one, or {@link Snapshot#NONE}, while another process
     * queries.
     */
    Snapshot snapshot() throws IOException, InterruptedException {
        SharedAnswer.Answer shared = answer.current(() -> {
            String text = source.query();
            // Output that cannot be parsed is not shared.
            parse(text);
            return text;
        });
        return shared == null ? Snapshot.NONE : new Snapshot(shared.at(), parse(shared.text()));
    }

    private List<QueueLine> parse(String text) throws UnreachableException {
        try {
            return source.parse(text);
        } catch (InputException e) {
            throw new UnreachableException(String.valueOf(e.getMessage()));
        }
    }
}
