package io.sheaf.runtime.run;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.formats.Deferred;
import io.sheaf.formats.Source;
import io.sheaf.formats.WorkflowParameters;
import io.sheaf.formats.registry.Formats;
import io.sheaf.manager.Event;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.spec.FlatJson;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import io.sheaf.workflow.WorkflowSubset;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds groups of tasks to a run once the files that they are over have been written ({@link Deferred}).
 *
 * <p>The run is open until no group is left. When the writers of a group have succeeded, the text of the workflow is read again,
 * and the tasks that are new become a part of the run, named {@code foreach GROUP}. That part is in the journal, so a group is
 * added once, whatever happens to its files later. If the tasks cannot be made, a task with the same name fails in their place; other
 * groups are added nevertheless. If the text of a resumed run cannot be read, one task fails, and the run is closed.
 *
 * <p>Until then pilot jobs are sized for one task of each group and those after it, so that a group need not wait in the queue again.
 */
public final class DynamicGroups implements ControlRequests {
    private static final String FILE = "groups.json";

    /** The name of the task that fails if the text cannot be read. */
    private static final String ALL = "all groups";

    /**
     * The text of a workflow, and all that its reading depends on besides files.
     *
     * @param name the file's name for messages
     * @param fileFolder the folder to which names of tables are relative
     * @param workFolder the folder in which tasks run
     * @param written the tasks and groups whose files were known when the run was created
     */
    public record WorkflowInput(
            String name,
            String text,
            Path fileFolder,
            Path workFolder,
            boolean fileEdges,
            Set<String> written,
            WorkflowParameters parameters) {
        /** The workflow with the groups over files that these tasks and groups have written; the others are added to a list. */
        Workflow read(Set<String> names, List<Deferred> deferred) throws IOException {
            Source source = Source.of(name, text.getBytes(StandardCharsets.UTF_8), fileFolder)
                    .in(workFolder)
                    .with(parameters)
                    .written(names, deferred::add);
            return Formats.reader("yaml").read(source, fileEdges);
        }
    }

    private final ControlRequests requests;
    private final WorkflowInput text;
    private Set<String> written;
    private @Nullable Workflow known;
    private List<Deferred> left = List.of();

    /** The groups whose tasks could not be made. */
    private final Set<String> failed = new HashSet<>();

    /**
     * The groups of a run.
     *
     * @param requests the requests of users, which come first
     */
    DynamicGroups(ControlRequests requests, WorkflowInput text) {
        this.requests = requests;
        this.text = text;
        written = text.written();
    }

    @Override
    public boolean areSettled() {
        return requests.areSettled();
    }

    @Override
    public void poll(long now, Manager manager, Forest forest, BiConsumer<Event, Runnable> to) throws IOException {
        // No tool submits tasks to such a run.
        requests.poll(now, manager, forest, (event, then) -> {
            if (!(event instanceof Event.Awaited)) {
                to.accept(event, then);
            }
        });
        if (!manager.isOpen()) {
            return;
        }
        if (known == null) {
            left = new ArrayList<>();
            try {
                known = text.read(written, left);
            } catch (InputException e) {
                // For example, input files have been removed since the run was created.
                left = List.of();
                if (forest.named(ALL) == null) {
                    Origin origin = new Origin(ALL, "", 0, "");
                    to.accept(new Event.Grown(now, Addition.of(origin, failing(ALL, e))), () -> {});
                }
            }
        }
        for (Deferred group = ready(manager); group != null; group = ready(manager)) {
            add(group, now, manager, forest, to);
        }
        List<ExpectedTasks> expected = left.stream()
                .filter(group -> group.millis() > 0)
                .map(group -> new ExpectedTasks(1, group.millis(), 1))
                .toList();
        if (!expected.equals(manager.expected())) {
            to.accept(new Event.Awaited(now, false, expected), () -> {});
        }
        if (left.isEmpty() || manager.isDone()) {
            to.accept(new Event.Closed(now), () -> {});
        }
    }

    /** A group whose writers have succeeded; null if there is none. */
    private @Nullable Deferred ready(Manager manager) {
        // Tasks that the run does not have were completed by an earlier one.
        return left.stream()
                .filter(group -> group.tasks().stream()
                        .mapToInt(manager.workflow()::find)
                        .allMatch(task -> task < 0 || manager.state(task) == TaskState.DONE))
                .findFirst()
                .orElse(null);
    }

    private void add(Deferred group, long now, Manager manager, Forest forest, BiConsumer<Event, Runnable> to)
            throws IOException {
        Set<String> more = new LinkedHashSet<>(written);
        more.addAll(group.writers());
        List<Deferred> deferred = new ArrayList<>();
        Origin origin = new Origin("foreach " + group.group(), "", 0, "");
        Forest.ForestWorkflow before = forest.named(origin.id());
        Addition added = null;
        if (before != null && before.tasks().find(origin.id()) >= 0) {
            // It failed in an earlier process.
            failed.add(group.group());
            deferred.addAll(left);
        } else {
            try {
                Workflow larger = text.read(more, deferred);
                added = before == null ? tasks(larger, origin, manager) : null;
                known = larger;
                written = more;
            } catch (InputException e) {
                // Other groups are read without the files of this one.
                failed.add(group.group());
                deferred.clear();
                deferred.addAll(left);
                added = before == null ? Addition.of(origin, failing(origin.id(), e)) : null;
            }
        }
        deferred.removeIf(each -> failed.contains(each.group()));
        left = deferred;
        if (added != null) {
            to.accept(new Event.Grown(now, added), () -> {});
        }
    }

    /** The tasks that are new, with edges from those of the run; null if there are none. */
    private @Nullable Addition tasks(Workflow larger, Origin origin, Manager manager) {
        Workflow before = known;
        BitSet fresh = new BitSet();
        for (int task = 0; task < larger.size(); task++) {
            String id = larger.id(task);
            fresh.set(
                    task,
                    before != null && before.find(id) < 0 && manager.workflow().find(id) < 0);
        }
        if (fresh.isEmpty()) {
            return null;
        }
        List<ControlRequest.Edge> edges = new ArrayList<>();
        int number = 0;
        for (int task = fresh.nextSetBit(0); task >= 0; task = fresh.nextSetBit(task + 1)) {
            for (int i = 0; i < larger.parents(task); i++) {
                String parent = larger.id(larger.parent(task, i));
                if (manager.workflow().find(parent) >= 0) {
                    edges.add(new ControlRequest.Edge(parent, number));
                }
            }
            number++;
        }
        return ControlRequestQueue.addition(
                new ControlRequest.Submit(origin, WorkflowSubset.of(larger, fresh), edges), manager);
    }

    /** A task that fails and reports why the group cannot be made. */
    private static Workflow failing(String id, InputException why) {
        WorkflowBuilder builder = new WorkflowBuilder(id);
        builder.command(
                builder.task(id), Command.of(List.of("sh", "-c", "echo \"$1\" >&2; exit 1", "sh", why.getMessage())));
        return builder.build();
    }

    // --- the file in the run's folder ---

    /** Writes the text of a run's workflow, before the run's specification. */
    static void write(Path folder, WorkflowInput text) throws IOException {
        String json = FlatJson.object(out -> {
            out.writeStringProperty("name", text.name);
            out.writeStringProperty("text", text.text);
            out.writeStringProperty("fileFolder", text.fileFolder.toString());
            out.writeStringProperty("workFolder", text.workFolder.toString());
            out.writeStringProperty("fileEdges", String.valueOf(text.fileEdges));
            FlatJson.write(out, "written", text.written);
            text.parameters.values().forEach((name, value) -> {
                FlatJson.write(out, (value.list() ? "list " : "value ") + name, value.values());
            });
            text.parameters.environment().forEach((name, value) -> {
                // Only variables that the text may name.
                if (text.text.contains(name)) {
                    out.writeStringProperty("environment " + name, value);
                }
            });
        });
        RunFolder.replace(folder.resolve(FILE), json + "\n");
    }

    /** Whether a run was created without the tasks of some groups. */
    public static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FILE));
    }

    /** The text of a run's workflow; null if all its tasks were known when it was created. */
    static @Nullable WorkflowInput read(Path folder) throws IOException {
        if (!isIn(folder)) {
            return null;
        }
        Path file = folder.resolve(FILE);
        try {
            return text(FlatJson.parse(Files.readString(file)), file.toString());
        } catch (InputException e) {
            throw e.in(file.toString());
        }
    }

    private static WorkflowInput text(FlatJson all, String file) {
        Map<String, WorkflowParameters.Given> parameters = new LinkedHashMap<>();
        Map<String, String> environment = new LinkedHashMap<>();
        all.values().forEach((key, values) -> {
            int blank = key.indexOf(' ');
            String name = key.substring(blank + 1);
            switch (blank < 0 ? "" : key.substring(0, blank)) {
                case "list" -> parameters.put(name, new WorkflowParameters.Given(values, true, file));
                case "value" -> parameters.put(name, new WorkflowParameters.Given(values, false, file));
                case "environment" -> environment.put(name, values.get(0));
                default -> {}
            }
        });
        return new WorkflowInput(
                all.text("name"),
                all.text("text"),
                Path.of(all.text("fileFolder")),
                Path.of(all.text("workFolder")),
                all.flag("fileEdges"),
                new LinkedHashSet<>(all.list("written")),
                new WorkflowParameters(parameters, environment));
    }
}
