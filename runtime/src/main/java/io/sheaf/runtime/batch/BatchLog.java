package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchJob.Phase;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.journal.JournalEntry;
import io.sheaf.runtime.record.ResourcesCodec;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * The durable state of the driver: the job number and phase of each pilot job. Each entry begins with its instant.
 *
 * @param marks the folder of the pilot jobs' folders
 * @param rounding rounds a walltime to the batch system's time limit
 */
public record BatchLog(Journal journal, Path marks, LongUnaryOperator rounding) {
    private static final byte REQUESTED = 1;
    private static final byte ACCEPTED = 2;
    private static final byte REFUSED = 3;
    private static final byte STARTED = 4;
    private static final byte SHORTENED = 5;
    private static final byte END_REQUESTED = 6;
    private static final byte ENDED = 7;

    /** Records a new pilot job. */
    BatchJob newJob(long token, Request request, long at) {
        return new BatchJob(token, request, at, JobFolder.of(marks, token), rounding);
    }

    void requested(long at, long token, Request r) {
        append(REQUESTED, at, token, out -> {
            out.writeInt(r.pool());
            out.writeInt(r.units());
            out.writeLong(r.walltime());
            out.writeLong(r.notBefore());
            out.writeLong(r.afterToken());
            ResourcesCodec.write(r.node(), out);
            out.writeUTF(String.join(",", r.without()));
        });
    }

    void accepted(long at, BatchJob job) {
        append(ACCEPTED, at, job.token, out -> out.writeLong(job.job));
    }

    void refused(long at, BatchJob job) {
        append(REFUSED, at, job.token, out -> out.writeUTF(job.why));
    }

    void started(long at, BatchJob job) {
        append(STARTED, at, job.token, out -> out.writeLong(job.startedAt));
    }

    void shortened(long at, BatchJob job) {
        append(SHORTENED, at, job.token, out -> out.writeLong(job.request.walltime()));
    }

    void endRequested(long at, BatchJob job, Event.End end) {
        append(END_REQUESTED, at, job.token, out -> out.writeUTF(end.name()));
    }

    void ended(long at, BatchJob job) {
        append(ENDED, at, job.token, out -> out.writeUTF(job.end.name()));
    }

    /** The job numbers of pilot jobs by token, as a log in a folder has them; another process may be writing it. */
    public static Map<Long, Long> jobNumbers(Path folder) throws IOException {
        Map<Long, Long> numbers = new LinkedHashMap<>();
        Journal.readWithoutLease(folder, entry -> {
            if (entry.type() == ACCEPTED) {
                ByteBuffer payload = ByteBuffer.wrap(entry.payload());
                long token = payload.getLong(Long.BYTES);
                long number = payload.getLong(2 * Long.BYTES);
                if (number != BatchCommands.UNKNOWN) {
                    numbers.put(token, number);
                }
            }
        });
        return numbers;
    }

    /** All pilot jobs by token, in their recorded state. */
    Map<Long, BatchJob> replay() throws IOException {
        Map<Long, BatchJob> jobs = new LinkedHashMap<>();
        try {
            journal.replay(entry -> apply(entry, jobs));
        } catch (UncheckedIOException e) {
            throw new IOException("the log of pilot jobs cannot be parsed: " + e.getMessage(), e);
        }
        return jobs;
    }

    private void apply(JournalEntry entry, Map<Long, BatchJob> jobs) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry.payload()));
        try {
            long at = in.readLong();
            long token = in.readLong();
            if (entry.type() == REQUESTED) {
                Request plain = new Request(in.readInt(), in.readInt(), in.readLong(), in.readLong(), in.readLong());
                // Earlier releases requested nodes and time only.
                Request needing = in.available() == 0 ? plain : plain.needing(ResourcesCodec.read(in));
                // Nor did they exclude nodes.
                String excluded = in.available() == 0 ? "" : in.readUTF();
                Request request =
                        excluded.isEmpty() ? needing : needing.avoiding(Arrays.asList(excluded.split(",", -1)));
                BatchJob made = newJob(token, request, at);
                made.lost = true;
                jobs.put(token, made);
                return;
            }
            BatchJob job = jobs.get(token);
            if (job == null) {
                throw new IOException("pilot job " + token + " was never submitted");
            }
            apply(entry.type(), at, job, in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void apply(byte type, long at, BatchJob job, DataInputStream in) throws IOException {
        switch (type) {
            case ACCEPTED -> {
                job.job = in.readLong();
                job.acceptedAt = at;
                job.phase = job.startedAt >= 0 ? Phase.RUNNING : Phase.QUEUED;
                job.lost = false;
            }
            case REFUSED -> {
                job.why = in.readUTF();
                job.phase = Phase.REFUSED;
                job.endedAt = at;
            }
            case STARTED -> {
                job.startedAt = in.readLong();
                job.phase = Phase.RUNNING;
            }
            case SHORTENED -> job.request = job.request.lasting(in.readLong());
            case END_REQUESTED -> job.requestedEnd = Event.End.valueOf(in.readUTF());
            case ENDED -> {
                job.end = Event.End.valueOf(in.readUTF());
                job.phase = Phase.ENDED;
                job.endedAt = at;
            }
            default -> throw new IOException("an entry of type " + type);
        }
    }

    private void append(byte type, long at, long token, Journal.RecordContent content) {
        journal.append(type, out -> {
            out.writeLong(at);
            out.writeLong(token);
            content.to(out);
        });
    }
}
