package io.sheaf.app.crate;

import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.formats.ShellWords;
import io.sheaf.manager.TaskState;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.text.DecimalText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a run as entities of a crate: steps, tools, attempts with what they used, nodes, containers and pilot jobs.
 *
 * <p>A pilot job is an {@code Action} of the batch system on the attempts that ran in it. A node is the {@code location} of an attempt.
 */
final class ExecutionEntities {
    private static final String UNIT = "https://qudt.org/vocab/unit/";
    private static final String SYSTEM = "#batch-system";

    /** A measured or allocated quantity; the unit is that of QUDT. */
    private enum Quantity {
        RUN_TIME("SEC", "Run time of an attempt on the node's clock"),
        CPU_TIME("SEC", "Processor time of an attempt's processes, sampled"),
        PEAK_MEMORY("BYTE", "Most memory of an attempt's processes at once, sampled"),
        BYTES_READ("BYTE", "Bytes that an attempt's processes read by system calls"),
        BYTES_WRITTEN("BYTE", "Bytes that an attempt's processes wrote by system calls"),
        CORES("NUM", "Allocated cores on each node"),
        MEMORY("BYTE", "Requested memory on each node"),
        NODES("NUM", "Allocated nodes"),
        WALLTIME("SEC", "Requested walltime of a pilot job");

        private final String unit;
        private final String meaning;

        Quantity(String unit, String meaning) {
            this.unit = unit;
            this.meaning = meaning;
        }

        String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** An attempt, the report of its agent if there is one, and the ids of its nodes. */
    private record Execution(String id, AttemptRecord attempt, Message.@Nullable Ended ended, Set<String> nodes) {
        long start() {
            return ended == null ? attempt.started() : ended.usage().startMillis();
        }

        long end() {
            return ended == null ? attempt.ended() : ended.usage().endMillis();
        }

        String error() {
            if (attempt.done()) {
                return "";
            }
            return ended != null && !ended.reason().isEmpty()
                    ? ended.reason()
                    : String.valueOf(attempt.outcome()).toLowerCase(Locale.ROOT);
        }
    }

    private final RecordedRun run;
    private final RunRecord record;
    private final Workflow workflow;
    private final CrateFiles files;
    private final List<List<Execution>> executions = new ArrayList<>();
    private final Map<String, Category> tools = new LinkedHashMap<>();
    private final Map<String, String> containers = new LinkedHashMap<>();
    private final Map<Long, List<String>> byJob = new HashMap<>();
    private final Set<String> hosts = new LinkedHashSet<>();
    private final Map<Long, Long> numbers;
    /** The machine of the embedded cluster; empty on batch systems. */
    private final String local;

    ExecutionEntities(RecordedRun run, RunRecord record, CrateFiles files) throws IOException {
        this.run = run;
        this.record = record;
        this.files = files;
        workflow = run.workflow();
        numbers = run.jobNumbers();
        local = run.machine();
        for (int task = 0; task < workflow.size(); task++) {
            executions.add(new ArrayList<>());
            tools.putIfAbsent(tool(task), workflow.category(task));
            String container = workflow.category(task).container();
            if (container != null) {
                containers.put(Entities.id("container", container), container);
            }
        }
        Map<Integer, List<AttemptResult>> reports = new LinkedHashMap<>();
        for (AttemptResult each : run.history().results()) {
            reports.computeIfAbsent(each.message().attempt().task(), task -> new ArrayList<>())
                    .add(each);
        }
        for (AttemptRecord each : record.attempts()) {
            if (!each.runs()) {
                add(each, reports.getOrDefault(each.task(), List.of()));
            }
        }
    }

    private void add(AttemptRecord attempt, List<AttemptResult> reports) {
        List<Execution> before = executions.get(attempt.task());
        Message.Ended ended = null;
        for (AttemptResult each : reports) {
            boolean used = before.stream().anyMatch(other -> each.message().equals(other.ended));
            if (ended == null && !used && each.token() == attempt.token() && each.node() == attempt.node()) {
                ended = each.message();
            }
        }
        String id = Entities.id("task", workflow.id(attempt.task())) + "/" + (before.size() + 1);
        before.add(new Execution(id, attempt, ended, hosts(attempt)));
        byJob.computeIfAbsent(attempt.token(), token -> new ArrayList<>()).add(id);
    }

    /** The ids of the nodes of an attempt, as far as they are known. */
    private Set<String> hosts(AttemptRecord attempt) {
        Set<String> ids = new LinkedHashSet<>();
        for (int node : attempt.nodes()) {
            String host = local.isEmpty() ? run.history().host(attempt.token(), node) : local;
            if (!host.isEmpty()) {
                hosts.add(host);
                ids.add(Entities.id("node", host));
            }
        }
        return ids;
    }

    private String tool(int task) {
        return ExpectedRunTimes.category(workflow, task);
    }

    /** Whether an attempt of a task has ended. */
    boolean hasRun(int task) {
        return !executions.get(task).isEmpty();
    }

    static String status(boolean succeeded) {
        return "http://schema.org/" + (succeeded ? "CompletedActionStatus" : "FailedActionStatus");
    }

    List<String> tools() {
        return tools.keySet().stream().map(name -> Entities.id("tool", name)).toList();
    }

    List<String> steps() {
        return tasks().map(workflow::inOrder).mapToObj(this::step).toList();
    }

    private IntStream tasks() {
        return IntStream.range(0, workflow.size());
    }

    private String step(int task) {
        return Entities.id("step", workflow.id(task));
    }

    /** The ids of the actions that run steps. */
    List<String> controls() {
        return tasks().filter(this::hasRun).mapToObj(this::control).toList();
    }

    private String control(int task) {
        return Entities.id("control", workflow.id(task));
    }

    /** The ids of attempts and pilot jobs. */
    List<String> actions() {
        List<String> ids = new ArrayList<>();
        executions.forEach(all -> all.forEach(each -> ids.add(each.id)));
        record.jobs().forEach(job -> ids.add("#job-" + job.token()));
        return ids;
    }

    void write(Entities out) {
        tools.forEach((name, category) -> out.entity(Entities.id("tool", name), "SoftwareApplication")
                .text("name", name.isEmpty() ? "task" : name)
                .text("description", category.setup().isEmpty() ? "" : "Setup:\n" + String.join("\n", category.setup()))
                .end());
        containers.forEach((id, image) -> container(out, id, image));
        hosts.forEach(host -> out.entity(Entities.id("node", host), "Place")
                .text("name", host)
                .end());
        for (Quantity each : Quantity.values()) {
            out.entity("#quantity-" + each.key(), "DefinedTerm")
                    .text("name", each.key().replace('-', ' '))
                    .text("description", each.meaning)
                    .end();
        }
        for (int i = 0; i < workflow.size(); i++) {
            task(out, workflow.inOrder(i), i);
        }
        for (JobRecord job : record.jobs()) {
            job(out, job);
        }
        out.entity(SYSTEM, "SoftwareApplication")
                .text("name", batchSystem())
                .text(
                        "description",
                        run.spec().where().options().isEmpty()
                                ? ""
                                : "Options: "
                                        + ShellWords.join(run.spec().where().options()))
                .end();
    }

    private String batchSystem() {
        return run.spec().where().equals(Placement.LOCAL)
                ? "embedded cluster of Sheaf"
                : run.spec().where().system();
    }

    private void task(Entities out, int task, int position) {
        String id = workflow.id(task);
        out.entity(step(task), "HowToStep")
                .text("name", id)
                .text("position", Integer.toString(position))
                .ref("workExample", Entities.id("tool", tool(task)))
                .end();
        List<Execution> all = executions.get(task);
        if (all.isEmpty()) {
            return;
        }
        boolean done = run.history().manager().state(task) == TaskState.DONE;
        out.entity(control(task), "ControlAction")
                .text("name", "Step " + id)
                .ref("instrument", step(task))
                .refs("object", all.stream().map(Execution::id).toList())
                .text("actionStatus", status(done))
                .end();
        for (Execution each : all) {
            attempt(out, each);
        }
    }

    private void attempt(Entities out, Execution execution) {
        int task = execution.attempt.task();
        Command command = workflow.command(task);
        Command ran = command == null || workflow.scaling(task) == null
                ? command
                : command.on(execution.attempt.needs().cores());
        Map<String, String> variables = ran == null ? Map.of() : ran.environment();
        String container = workflow.category(task).container();
        Set<String> read = new LinkedHashSet<>();
        for (int i = 0; i < workflow.inputs(task); i++) {
            read.add(files.of(workflow.fileName(workflow.input(task, i))).id());
        }
        Set<String> written = new LinkedHashSet<>();
        for (int i = 0; execution.attempt.done() && i < workflow.outputs(task); i++) {
            written.add(files.of(workflow.fileName(workflow.output(task, i))).id());
        }
        Map<Quantity, String> used = used(execution);
        out.entity(execution.id, "CreateAction")
                .text(
                        "name",
                        "Attempt " + execution.id.substring(execution.id.lastIndexOf('/') + 1) + " of "
                                + workflow.id(task))
                .text("description", ran == null ? "" : ran.isScript() ? ran.script() : ShellWords.join(ran.argv()))
                .ref("instrument", Entities.id("tool", tool(task)))
                .ref("agent", RunCrate.AGENT)
                .time("startTime", execution.start())
                .time("endTime", execution.end())
                .text("actionStatus", status(execution.attempt.done()))
                .text("error", execution.error())
                .refs("object", read)
                .refs("result", written)
                .refs("location", execution.nodes)
                .refs(
                        "environment",
                        variables.keySet().stream()
                                .map(name -> execution.id + "/env-" + Entities.encoded(name))
                                .toList())
                .ref("containerImage", container == null ? "" : Entities.id("container", container))
                .refs("resourceUsage", ids(execution.id, used))
                .end();
        variables.forEach((name, value) -> out.entity(execution.id + "/env-" + Entities.encoded(name), "PropertyValue")
                .text("name", name)
                .textOrEmpty("value", value)
                .end());
        quantities(out, execution.id, used);
    }

    private static Map<Quantity, String> used(Execution execution) {
        Map<Quantity, String> used = new LinkedHashMap<>();
        Resources needs = execution.attempt.needs();
        used.put(Quantity.CORES, needs.coresText());
        used.put(Quantity.NODES, Integer.toString(needs.nodes()));
        put(used, Quantity.MEMORY, needs.memory() == 0 ? -1 : needs.memory());
        if (execution.ended != null) {
            Usage usage = execution.ended.usage();
            used.put(Quantity.RUN_TIME, DecimalText.fixed(usage.runMillis() / 1000.0, 3));
            if (usage.cpuMillis() != Usage.UNKNOWN) {
                used.put(Quantity.CPU_TIME, DecimalText.fixed(usage.cpuMillis() / 1000.0, 3));
            }
            put(used, Quantity.PEAK_MEMORY, usage.peakMemoryBytes());
            put(used, Quantity.BYTES_READ, usage.readBytes());
            put(used, Quantity.BYTES_WRITTEN, usage.writtenBytes());
        }
        return used;
    }

    private static void put(Map<Quantity, String> used, Quantity quantity, long value) {
        if (value >= 0) {
            used.put(quantity, Long.toString(value));
        }
    }

    private static List<String> ids(String subject, Map<Quantity, String> used) {
        return used.keySet().stream().map(each -> subject + "/" + each.key()).toList();
    }

    private static void quantities(Entities out, String subject, Map<Quantity, String> used) {
        used.forEach((quantity, value) -> out.entity(subject + "/" + quantity.key(), "PropertyValue")
                .text("name", quantity.key().replace('-', ' '))
                .ref("propertyID", "#quantity-" + quantity.key())
                .text("value", value)
                .text("unitCode", UNIT + quantity.unit)
                .end());
    }

    private void job(Entities out, JobRecord job) {
        String id = "#job-" + job.token();
        Long number = numbers.get(job.token());
        Map<Quantity, String> used = new LinkedHashMap<>();
        used.put(Quantity.NODES, Integer.toString(job.nodes()));
        used.put(Quantity.WALLTIME, DecimalText.fixed(job.walltime() / 1000.0, 3));
        out.entity(id, "Action")
                .text("name", "Pilot job " + job.token() + (number == null ? "" : ": job " + number))
                .text("identifier", number == null ? "" : number.toString())
                .text(
                        "description",
                        "Submitted " + Instant.ofEpochMilli(job.submitted()) + "; "
                                + job.end().word() + (job.pool().isEmpty() ? "." : "; pool " + job.pool() + "."))
                .ref("instrument", SYSTEM)
                .time("startTime", job.started())
                .time("endTime", job.hasStarted() ? job.ended() : JobRecord.NEVER)
                .refs("object", byJob.getOrDefault(job.token(), List.of()))
                .refs("resourceUsage", ids(id, used))
                .end();
        quantities(out, id, used);
    }

    /** An image: {@code docker://REGISTRY/NAME:TAG@sha256:DIGEST}, or a file. */
    private static void container(Entities out, String id, String image) {
        boolean file = image.endsWith(".sif");
        String plain = image.startsWith("docker://") ? image.substring("docker://".length()) : image;
        if (file || plain.contains(" ") || plain.contains("://")) {
            out.entity(id, "ContainerImage")
                    .ref("additionalType", file ? "https://w3id.org/ro/terms/workflow-run#SIFImage" : "")
                    .text("name", image)
                    .end();
            return;
        }
        int at = plain.indexOf("@sha256:");
        String digest = at < 0 ? "" : plain.substring(at + "@sha256:".length());
        String tagged = at < 0 ? plain : plain.substring(0, at);
        int slash = tagged.indexOf('/');
        String first = slash < 0 ? "" : tagged.substring(0, slash);
        boolean registry = first.contains(".") || first.contains(":") || first.equals("localhost");
        String rest = registry ? tagged.substring(slash + 1) : tagged;
        int colon = rest.lastIndexOf(':');
        out.entity(id, "ContainerImage")
                .ref("additionalType", "https://w3id.org/ro/terms/workflow-run#DockerImage")
                .text("registry", registry ? first : "docker.io")
                .text("name", colon < 0 ? rest : rest.substring(0, colon))
                .text("tag", colon < 0 ? "" : rest.substring(colon + 1))
                .text("sha256", digest)
                .end();
    }
}
