package io.sheaf.runtime.record;

import io.sheaf.manager.Checkpoint;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Encodes checkpoints as bytes: components in order, lists and maps prefixed by their lengths. */
final class CheckpointCodec {
    /** Flags of running attempts. */
    private static final int AHEAD = 1;

    private static final int CHOSEN_CORES = 2;

    private CheckpointCodec() {}

    /** Writes one element. */
    interface Writer<T> {
        void write(T one) throws IOException;
    }

    /** Reads one element. */
    interface Reader<T> {
        T read() throws IOException;
    }

    static void write(Checkpoint as, DataOutput out) throws IOException {
        write(as.tasks(), out, task -> write(task, out));
        write(as.ready(), out, out::writeInt);
        write(as.pilotJobs(), out, job -> write(job, out));
        write(as.attempts(), out, attempt -> write(attempt, out));
        write(as.workflows(), out, part -> write(part, out));
        write(List.copyOf(new TreeMap<>(as.usage()).entrySet()), out, each -> {
            out.writeUTF(each.getKey());
            out.writeDouble(each.getValue());
        });
        write(List.copyOf(new TreeMap<>(as.assigned()).entrySet()), out, each -> {
            out.writeInt(each.getKey());
            out.writeLong(each.getValue());
        });
        write(as.counts(), out);
        write(as.submissionFailures(), out);
        out.writeUTF(as.memo());
        write(as.pilotJobs(), out, job -> {
            ResourcesCodec.write(job.request().node(), out);
            write(job.free(), out, out::writeLong);
        });
        for (Checkpoint.Task task : as.tasks()) {
            out.writeInt(task.kills());
        }
        write(as.hosts(), out, host -> write(host, out));
        for (Checkpoint.PilotJobState job : as.pilotJobs()) {
            write(job.request().without(), out, out::writeUTF);
        }
        for (Checkpoint.Task task : as.tasks()) {
            out.writeInt(task.preempted());
        }
    }

    /** Reads a checkpoint of this release. */
    static Checkpoint read(DataInput in) throws IOException {
        Checkpoint plain = readWithoutHosts(in);
        List<Checkpoint.Host> hosts = read(in, () -> host(in));
        List<Checkpoint.PilotJobState> jobs = new ArrayList<>();
        for (Checkpoint.PilotJobState job : plain.pilotJobs()) {
            jobs.add(job.with(job.request().avoiding(read(in, in::readUTF))));
        }
        List<Checkpoint.Task> tasks = new ArrayList<>();
        for (Checkpoint.Task task : plain.tasks()) {
            tasks.add(task.with(task.kills(), in.readInt()));
        }
        return plain.with(tasks, jobs, hosts);
    }

    /** Reads a checkpoint of a release that knew no names of nodes. */
    static Checkpoint readWithoutHosts(DataInput in) throws IOException {
        Checkpoint plain = readPlain(in, RunJournal.SHARED_CORES);
        List<Checkpoint.PilotJobState> jobs = new ArrayList<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            Checkpoint.PilotJobState job = plain.pilotJobs().get(i);
            jobs.add(job.with(job.request().needing(ResourcesCodec.read(in)), read(in, in::readLong)));
        }
        List<Checkpoint.Task> tasks = new ArrayList<>();
        for (Checkpoint.Task task : plain.tasks()) {
            tasks.add(task.with(in.readInt(), 0));
        }
        return plain.with(tasks, jobs, List.of());
    }

    /** Reads a checkpoint of a release that counted cores and GPUs only. */
    static Checkpoint readPlain(DataInput in, int version) throws IOException {
        boolean shared = version >= RunJournal.SHARED_CORES;
        return new Checkpoint(
                read(in, () -> task(in)),
                read(in, in::readInt),
                read(in, () -> job(in)),
                read(in, () -> attempt(in, shared)),
                read(
                        in,
                        () -> new Checkpoint.WorkflowState(
                                in.readInt(), in.readBoolean(), in.readBoolean(), in.readLong())),
                map(read(in, () -> Map.entry(in.readUTF(), in.readDouble()))),
                map(read(in, () -> Map.entry(in.readInt(), in.readLong()))),
                counts(in, shared),
                submissionFailures(in),
                in.readUTF(),
                List.of());
    }

    private static void write(Checkpoint.Task task, DataOutput out) throws IOException {
        out.writeByte(task.state());
        out.writeBoolean(task.held());
        out.writeInt(task.attempts());
        out.writeInt(task.failures());
        out.writeInt(task.committed());
        out.writeInt(task.cuts());
        if (task.cuts() > 0) {
            out.writeLong(task.cutAfter());
        }
    }

    private static Checkpoint.Task task(DataInput in) throws IOException {
        byte state = in.readByte();
        boolean held = in.readBoolean();
        int attempts = in.readInt();
        int failures = in.readInt();
        int committed = in.readInt();
        int cuts = in.readInt();
        return new Checkpoint.Task(
                state, held, attempts, failures, committed, cuts, cuts > 0 ? in.readLong() : 0, 0, 0);
    }

    private static void write(Checkpoint.PilotJobState job, DataOutput out) throws IOException {
        out.writeLong(job.token());
        DecisionCodec.write(job.request(), out);
        DecisionCodec.write(job.claim(), out);
        out.writeLong(job.submittedAt());
        out.writeLong(job.startedAt());
        out.writeUTF(job.state());
        write(job.freeCores(), out, out::writeInt);
        write(job.freeGpus(), out, out::writeInt);
        out.writeInt(job.flags());
    }

    private static Checkpoint.PilotJobState job(DataInput in) throws IOException {
        return new Checkpoint.PilotJobState(
                in.readLong(),
                DecisionCodec.request(in),
                DecisionCodec.claim(in),
                in.readLong(),
                in.readLong(),
                in.readUTF(),
                read(in, in::readInt),
                read(in, in::readInt),
                in.readInt(),
                List.of());
    }

    private static void write(Checkpoint.Running attempt, DataOutput out) throws IOException {
        out.writeInt(attempt.task());
        out.writeInt(attempt.number());
        out.writeLong(attempt.token());
        write(attempt.nodes(), out, out::writeInt);
        out.writeInt(attempt.core());
        out.writeLong(attempt.startedAt());
        out.writeByte((attempt.ahead() ? AHEAD : 0) | (attempt.cores() > 0 ? CHOSEN_CORES : 0));
        out.writeBoolean(attempt.recalled());
        if (attempt.cores() > 0) {
            out.writeInt(attempt.cores());
        }
    }

    private static Checkpoint.Running attempt(DataInput in, boolean shared) throws IOException {
        int task = in.readInt();
        int number = in.readInt();
        long token = in.readLong();
        List<Integer> nodes = read(in, in::readInt);
        int core = shared ? in.readInt() : -1;
        long startedAt = in.readLong();
        int flags = shared ? in.readByte() : 0;
        boolean recalled = shared && in.readBoolean();
        int cores = (flags & CHOSEN_CORES) == 0 ? 0 : in.readInt();
        return new Checkpoint.Running(
                task, number, token, nodes, core, startedAt, (flags & AHEAD) != 0, recalled, cores);
    }

    private static void write(Checkpoint.Host host, DataOutput out) throws IOException {
        out.writeUTF(host.name());
        out.writeBoolean(host.connected());
        out.writeInt(host.silent());
        out.writeInt(host.failedInARow());
        out.writeLong(host.until());
        out.writeUTF(EventCodec.clipped(host.reason()));
        write(List.copyOf(new TreeMap<>(host.counts()).entrySet()), out, each -> {
            out.writeUTF(each.getKey());
            write(each.getValue(), out, out::writeInt);
        });
        write(List.copyOf(new TreeMap<>(host.open()).entrySet()), out, each -> {
            out.writeInt(each.getKey());
            out.writeUTF(each.getValue());
        });
        write(host.nodes(), out, out::writeLong);
    }

    private static Checkpoint.Host host(DataInput in) throws IOException {
        return new Checkpoint.Host(
                in.readUTF(),
                in.readBoolean(),
                in.readInt(),
                in.readInt(),
                in.readLong(),
                in.readUTF(),
                map(read(in, () -> Map.entry(in.readUTF(), read(in, in::readInt)))),
                map(read(in, () -> Map.entry(in.readInt(), in.readUTF()))),
                read(in, in::readLong));
    }

    private static void write(Checkpoint.WorkflowState part, DataOutput out) throws IOException {
        out.writeInt(part.number());
        out.writeBoolean(part.held());
        out.writeBoolean(part.dropped());
        out.writeLong(part.endedAt());
    }

    private static void write(Checkpoint.Counts counts, DataOutput out) throws IOException {
        out.writeLong(counts.now());
        out.writeLong(counts.nextToken());
        out.writeBoolean(counts.changed());
        out.writeBoolean(counts.cancelled());
        out.writeBoolean(counts.open());
        out.writeInt(counts.expiries());
        out.writeInt(counts.reruns());
        out.writeInt(counts.failures());
        out.writeInt(counts.runTimeError());
        out.writeLong(counts.wakeAt());
        out.writeLong(counts.nextGivingUp());
        out.writeLong(counts.requestedWake());
        out.writeInt(counts.nextNumber());
    }

    private static Checkpoint.Counts counts(DataInput in, boolean shared) throws IOException {
        return new Checkpoint.Counts(
                in.readLong(),
                in.readLong(),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                shared ? in.readInt() : 0,
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readInt());
    }

    private static void write(Checkpoint.Trouble submissionFailures, DataOutput out) throws IOException {
        String paused = submissionFailures.paused();
        out.writeInt(submissionFailures.refusals());
        out.writeInt(submissionFailures.silent());
        out.writeBoolean(submissionFailures.delayDue());
        out.writeBoolean(submissionFailures.lostTogether());
        out.writeLong(submissionFailures.quietUntil());
        out.writeBoolean(paused != null);
        if (paused != null) {
            out.writeUTF(EventCodec.clipped(paused));
        }
    }

    private static Checkpoint.Trouble submissionFailures(DataInput in) throws IOException {
        return new Checkpoint.Trouble(
                in.readInt(),
                in.readInt(),
                in.readBoolean(),
                in.readBoolean(),
                in.readLong(),
                in.readBoolean() ? in.readUTF() : null);
    }

    /** Writes a list, with its length first. */
    static <T> void write(List<T> all, DataOutput out, Writer<T> each) throws IOException {
        out.writeInt(all.size());
        for (T one : all) {
            each.write(one);
        }
    }

    /** Reads a list, with its length first. */
    static <T> List<T> read(DataInput in, Reader<T> each) throws IOException {
        int count = in.readInt();
        List<T> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(each.read());
        }
        return all;
    }

    private static <K extends Comparable<K>, V> Map<K, V> map(List<Map.Entry<K, V>> entries) {
        Map<K, V> map = new TreeMap<>();
        entries.forEach(each -> map.put(each.getKey(), each.getValue()));
        return map;
    }
}
