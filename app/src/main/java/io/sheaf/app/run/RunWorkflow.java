package io.sheaf.app.run;

import io.sheaf.app.cli.ReadOptions;
import io.sheaf.formats.Deferred;
import io.sheaf.runtime.rerun.Rerun;
import io.sheaf.runtime.run.DynamicGroups;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workflow of a new run, as far as it is known. A group over files that a task writes is a part of it if that task does not
 * have to run again; otherwise the run adds the group ({@link DynamicGroups}).
 */
public final class RunWorkflow {
    private final ReadOptions reading;
    private final String file;
    private final @Nullable Path workDir;
    private final Path folder;
    private final Workflow first;
    private final Set<String> written = new LinkedHashSet<>();
    private final List<Deferred> madeGroups = new ArrayList<>();
    private List<Deferred> deferred;
    private Workflow current;

    /**
     * Reads a workflow file.
     *
     * @param workDir the folder of {@code --work-dir}; null if it is not given
     * @param folder the folder in which tasks run
     */
    public RunWorkflow(ReadOptions reading, String file, @Nullable Path workDir, Path folder) {
        this.reading = reading;
        this.file = file;
        this.workDir = workDir;
        this.folder = folder;
        deferred = new ArrayList<>();
        first = reading.read(file, workDir, written, deferred);
        current = first;
    }

    /** Makes the groups over files of tasks that an earlier run completed. */
    public void addKnown(RerunOptions rerunOptions) throws IOException {
        for (Deferred group = nextKnown(rerunOptions); group != null; group = nextKnown(rerunOptions)) {
            madeGroups.add(group);
            written.addAll(group.writers());
            reread();
        }
    }

    private @Nullable Deferred nextKnown(RerunOptions rerunOptions) throws IOException {
        if (deferred.isEmpty()) {
            return null;
        }
        Rerun rerun = rerunOptions.unselected(current, folder);
        return deferred.stream()
                .filter(group -> group.tasks().stream().noneMatch(task -> rerun.runs(current.find(task))))
                .findFirst()
                .orElse(null);
    }

    /** The tasks that must run. Groups over files of tasks among them are not known any more. */
    public Rerun rerun(RerunOptions rerunOptions) throws IOException {
        Rerun rerun = rerunOptions.of(current, folder);
        List<Deferred> outdated = new ArrayList<>();
        for (Deferred group : madeGroups) {
            if (group.tasks().stream().anyMatch(task -> current.find(task) < 0 || rerun.runs(current.find(task)))) {
                outdated.add(group);
            }
        }
        if (outdated.isEmpty()) {
            return rerun;
        }
        madeGroups.removeAll(outdated);
        outdated.forEach(group -> group.writers().forEach(written::remove));
        reread();
        return rerun(rerunOptions);
    }

    private void reread() {
        deferred = new ArrayList<>();
        current = reading.read(file, workDir, written, deferred);
    }

    /** The workflow without any group over files that tasks write, by which a run of it is recognised. */
    Workflow first() {
        return first;
    }

    public Workflow current() {
        return current;
    }

    /** The groups that the run will add. */
    public List<Deferred> deferred() {
        return deferred;
    }

    /** Keeps the workflow file in the run's folder. */
    void keepSource(Path run) throws IOException {
        Path named = Path.of(file.equals("-") ? "standard-input" : file).getFileName();
        String name = String.valueOf(named);
        RunFiles.keepSource(
                run, name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name, reading.content(file));
    }

    /** Whether a run was created from the present content of the file, or that is unknown. */
    boolean isFrom(Path run) throws IOException {
        Path kept = RunFiles.source(run);
        return kept == null || Arrays.equals(Files.readAllBytes(kept), reading.content(file));
    }

    /** What the run needs to add groups; null if there are none. */
    DynamicGroups.@Nullable WorkflowInput groups() throws IOException {
        if (deferred.isEmpty()) {
            return null;
        }
        Path parent = file.equals("-") ? folder : Path.of(file).toAbsolutePath().getParent();
        String text = new String(reading.content(file), StandardCharsets.UTF_8);
        Path base = parent == null ? folder : parent;
        return new DynamicGroups.WorkflowInput(
                file, text, base, folder, current.fileEdges(), written, reading.variables());
    }
}
