package io.sheaf.app.dashboard;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.manager.TaskState;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

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
            return JsonOut.line(out -> out.object()
                    .field("id", RunFolders.id(folder))
                    .field("state", "unreadable")
                    .field("why", String.valueOf(e.getMessage()))
                    .end());
        }
    }

    private static String entry(RecordedRun run, RunStatus status) {
        return JsonOut.line(out -> {
            out.object()
                    .field("id", RunFolders.id(run.folder()))
                    .field("workflow", run.workflow().name())
                    .field("strategy", run.spec().strategy())
                    .field("state", status.state().word());
            if (!status.why().isEmpty()) {
                out.field("why", status.why());
            }
            out.field("tasks", status.size())
                    .field("done", status.tasks(TaskState.DONE))
                    .field("running", status.tasks(TaskState.RUNNING))
                    .field("failed", status.tasks(TaskState.FAILED))
                    .seconds("begunSeconds", run.history().begunAt() * 1000)
                    .seconds("elapsedSeconds", (status.at() - status.begun()) * 1000)
                    .end();
        });
    }
}
