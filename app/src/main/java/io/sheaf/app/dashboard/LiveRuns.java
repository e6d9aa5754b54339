package io.sheaf.app.dashboard;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.manager.TaskState;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A cache of recently shown runs; keeps only the list entry of ended runs. */
final class LiveRuns {
    private static final int OPEN = 16;

    private final RunFolders folders;
    private final Map<Path, LiveRun> open = new LinkedHashMap<>(OPEN, 0.75f, true);
    private final Map<Path, String> endedJson = new LinkedHashMap<>();

    LiveRuns(RunFolders folders) {
        this.folders = folders;
    }

    LiveRun find(String id) throws IOException {
        return open(folders.find(id));
    }

    private synchronized LiveRun open(Path folder) throws IOException {
        LiveRun run = open.get(folder);
        if (run == null) {
            run = new LiveRun(folder);
            open.put(folder, run);
            if (open.size() > OPEN) {
                open.remove(open.keySet().iterator().next());
            }
        }
        return run;
    }

    /** The list of runs as one line of JSON, newest first. */
    String list() throws IOException {
        StringBuilder all = new StringBuilder("{\"runs\": [");
        String between = "";
        for (Path folder : folders.list()) {
            all.append(between).append(entry(folder).strip());
            between = ",\n";
        }
        return all.append("]}\n").toString();
    }

    private String entry(Path folder) throws IOException {
        synchronized (this) {
            String known = endedJson.get(folder);
            if (known != null) {
                return known;
            }
        }
        try {
            return open(folder).read((run, status) -> {
                String entry = entry(run, status);
                if (status.state().isFinished()) {
                    synchronized (this) {
                        endedJson.put(folder, entry);
                    }
                }
                return entry;
            });
        } catch (InputException e) {
            return JsonOut.line(out -> out.field("id", RunFolders.id(folder))
                    .field("state", "unreadable")
                    .field("why", String.valueOf(e.getMessage())));
        }
    }

    private static String entry(RecordedRun run, RunStatus status) {
        return JsonOut.line(out -> out.field("id", RunFolders.id(run.folder()))
                .field("workflow", run.workflow().name())
                .field("strategy", run.spec().strategy())
                .field("state", status.state().word())
                .optional("why", status.why())
                .field("tasks", status.size())
                .field("done", status.tasks(TaskState.DONE))
                .field("running", status.tasks(TaskState.RUNNING))
                .field("failed", status.tasks(TaskState.FAILED))
                .seconds("begunSeconds", run.history().begunAt() * 1000)
                .seconds("elapsedSeconds", (status.at() - status.begun()) * 1000));
    }

    /**
     * A read-only, cached view of a run. It rereads the journal only when it has grown, for at most a fifth of the time.
     * Calls in between return the last state.
     */
    static final class LiveRun {
        private static final int SHARE = 5;

        private final RecordedRun run;
        private long length;
        private long notBefore;

        LiveRun(Path folder) throws IOException {
            run = RecordedRun.open(folder);
            length = journalLength();
            notBefore = System.nanoTime();
        }

        /** A function of a run that does not change during the call. */
        @FunctionalInterface
        interface RunQuery<T> {
            T at(RecordedRun run, RunStatus status) throws IOException;
        }

        /** Applies a function to the current or a recent state. */
        synchronized <T> T read(RunQuery<T> reading) throws IOException {
            long now = System.nanoTime();
            if (now - notBefore >= 0) {
                long currentLength = journalLength();
                if (currentLength != length) {
                    run.readOn();
                    length = currentLength;
                    notBefore = System.nanoTime() + SHARE * (System.nanoTime() - now);
                }
            }
            return reading.at(run, run.status(run.now()));
        }

        private long journalLength() throws IOException {
            Path journal = run.folder().resolve("journal");
            try (Stream<Path> files = Files.isDirectory(journal) ? Files.list(journal) : Stream.empty()) {
                List<Path> all = files.toList();
                long sum = all.size();
                for (Path file : all) {
                    sum += Files.size(file);
                }
                return sum;
            }
        }
    }
}
