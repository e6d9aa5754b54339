package io.sheaf.runtime.rerun;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Output;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of a run's tasks as they are committed.
 *
 * <p>A record is in its file before the journal marks the task as done, so a killed process leaves no committed task
 * without one. The file is synced about once per second. A separate thread adds content digests, since large files take
 * long.
 */
public final class RunRecorder implements CommitBook {
    private static final long FORCE_NANOS = 1_000_000_000L;
    private static final int LONGEST_HASHING_HOURS = 24;

    private Workflow workflow;
    private final Path folder;
    private final RunInputs inputs;

    /** Files that tasks read and none writes, before any of these tasks begins. */
    private final Map<String, FileMark> unwritten = new HashMap<>();

    private final Path file;
    private final Consumer<String> messages;
    private final Map<String, FileMark> written = new HashMap<>();
    /** By task. */
    private final BitSet recorded = new BitSet();

    private final Map<String, CommittedTask> before = new HashMap<>();
    /** Confined to the hashing thread. */
    private final Map<String, FileMark> digests = new HashMap<>();

    private final @Nullable ExecutorService hashing;
    private final StringBuilder pending = new StringBuilder();
    private @Nullable FileChannel channel;
    /** Whether the file contains data that is not synced, and since when. */
    private boolean unsafe;

    private long unsafeSince;
    private boolean broken;

    /**
     * Creates a recorder that continues the file of an earlier process.
     *
     * @param workflow the tasks that run
     * @param folder the folder in which they run
     * @param fresh whether the run is new
     */
    public RunRecorder(
            Workflow workflow,
            Path folder,
            String run,
            Path runFolder,
            RunInputs inputs,
            boolean fresh,
            Consumer<String> messages) {
        this.workflow = workflow;
        this.folder = folder;
        this.inputs = inputs;
        unwritten.putAll(inputs.files());
        this.messages = messages;
        TaskRecords records = new TaskRecords(folder, workflow.name());
        file = records.file(run);
        hashing = inputs.check() == FileCheck.HASH
                ? Executors.newSingleThreadExecutor(task -> new Thread(task, "hashing"))
                : null;
        open(records, run, runFolder, fresh);
    }

    private void open(TaskRecords records, String run, Path runFolder, boolean fresh) {
        try {
            Files.createDirectories(file.resolveSibling(""));
            if (fresh) {
                records.begin(run, runFolder);
            } else if (Files.exists(file)) {
                before.putAll(TaskRecords.read(file));
                // Ends an incomplete line.
                pending.append('\n');
            }
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            stopWriting(e);
        }
    }

    private void stopWriting(IOException why) {
        if (!broken) {
            messages.accept("task records cannot be written (" + why + "); the next run repeats these tasks");
        }
        broken = true;
    }

    @Override
    public void committed(AttemptResult result) {
        int task = result.message().attempt().task();
        if (task >= workflow.size() || recorded.get(task)) {
            return;
        }
        recorded.set(task);
        Map<String, FileMark> outputs = new LinkedHashMap<>();
        for (Output output : result.message().outputs()) {
            outputs.put(output.name(), new FileMark(output.bytes(), output.modifiedMillis(), ""));
        }
        Map<String, FileMark> read = new LinkedHashMap<>();
        for (String name : workflow.inputNames(task)) {
            FileMark mark = written.containsKey(name) ? written.get(name) : unwritten.get(name);
            if (mark != null && !outputs.containsKey(name)) {
                read.put(name, mark);
            }
        }
        written.putAll(outputs);
        CommittedTask record = new CommittedTask(
                workflow.id(task),
                CommandDigest.of(workflow, task),
                result.message().usage().endMillis(),
                new CommittedTask.SuccessfulAttempt(
                        result.message().attempt().attempt(),
                        result.token(),
                        result.node(),
                        result.message().usage().runMillis()),
                read,
                outputs);
        CommittedTask known = before.get(record.task());
        if (known != null
                && known.at() == record.at()
                && known.outputs().keySet().equals(outputs.keySet())) {
            return;
        }
        append(record);
        if (hashing != null) {
            hashing.execute(() -> hash(record));
        }
    }

    @Override
    public void grown(Workflow larger) {
        workflow = larger;
        new FileMarks(folder, inputs.check()).unwritten(larger).forEach(unwritten::putIfAbsent);
    }

    @Override
    public List<AttemptResult> missing(IntUnaryOperator committed) {
        List<AttemptResult> missing = new ArrayList<>();
        for (int task = 0; task < workflow.size(); task++) {
            CommittedTask record = before.get(workflow.id(task));
            CommittedTask.SuccessfulAttempt by = record == null ? null : record.by();
            if (record != null && by != null && by.number() != committed.applyAsInt(task) && isIntact(record)) {
                List<Output> outputs = new ArrayList<>();
                record.outputs().forEach((name, mark) -> outputs.add(new Output(name, mark.bytes(), mark.millis())));
                Usage usage = new Usage(record.at() - by.took(), by.took(), Usage.UNKNOWN, Usage.UNKNOWN);
                missing.add(new AttemptResult(
                        by.token(),
                        by.node(),
                        new Message.Ended(
                                new AttemptId(task, by.number()),
                                AttemptOutcome.SUCCEEDED,
                                0,
                                "",
                                usage,
                                outputs,
                                List.of())));
            }
        }
        return missing;
    }

    /** Whether the outputs of a record are on disk as recorded. */
    private boolean isIntact(CommittedTask record) {
        return record.outputs().entrySet().stream().allMatch(output -> {
            FileMark now = FileMark.of(folder.resolve(output.getKey()), FileCheck.TIME);
            return now != null && output.getValue().difference(now).isEmpty();
        });
    }

    private synchronized void append(CommittedTask record) {
        pending.append(RecordLines.line(record));
    }

    /** Writes the record again with digests, unless its files have changed meanwhile. */
    private void hash(CommittedTask record) {
        CommittedTask hashed = new CommittedTask(
                record.task(),
                record.command(),
                record.at(),
                record.by(),
                hashed(record.inputs()),
                hashed(record.outputs()));
        append(hashed);
        flush();
    }

    private Map<String, FileMark> hashed(Map<String, FileMark> marks) {
        Map<String, FileMark> result = new LinkedHashMap<>();
        marks.forEach((name, mark) -> {
            FileMark now = mark.hash().isEmpty() ? digest(name, mark) : mark;
            boolean same = now != null && now.bytes() == mark.bytes() && now.millis() == mark.millis();
            result.put(name, now != null && same ? now : mark);
        });
        return result;
    }

    private @Nullable FileMark digest(String name, FileMark mark) {
        FileMark known = digests.get(name);
        if (known == null || known.bytes() != mark.bytes() || known.millis() != mark.millis()) {
            known = FileMark.of(folder.resolve(name), FileCheck.HASH);
            if (known != null) {
                digests.put(name, known);
            }
        }
        return known;
    }

    @Override
    public synchronized void flush() {
        FileChannel out = channel;
        if (broken || out == null) {
            return;
        }
        try {
            if (!pending.isEmpty()) {
                write(out);
            }
            // Not with the first record: dependent tasks are waiting for it.
            if (unsafe && System.nanoTime() - unsafeSince > FORCE_NANOS) {
                out.force(false);
                unsafe = false;
            }
        } catch (IOException e) {
            stopWriting(e);
        }
    }

    private void write(FileChannel out) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(pending.toString().getBytes(StandardCharsets.UTF_8));
        pending.setLength(0);
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
        unsafeSince = unsafe ? unsafeSince : System.nanoTime();
        unsafe = true;
    }

    @Override
    public void close() {
        if (hashing != null) {
            hashing.shutdown();
            try {
                boolean done = hashing.awaitTermination(LONGEST_HASHING_HOURS, TimeUnit.HOURS);
                if (!done) {
                    messages.accept("some files were too large to hash; their sizes and times are recorded");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        flush();
        try {
            FileChannel out = channel;
            if (out != null) {
                out.force(false);
                out.close();
            }
        } catch (IOException e) {
            stopWriting(e);
        }
    }
}
