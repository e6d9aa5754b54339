package io.sheaf.app.crate;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.manager.TaskState;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunState;
import io.sheaf.runtime.rerun.FileDigests;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The provenance of a run as a Provenance Run Crate 0.5, the most detailed profile of Workflow Run RO-Crate (RO-Crate 1.1).
 *
 * <p><b>Plan.</b> The main entity is the workflow file that the run was created from, or {@code record.json} if the run has no such file. Each
 * task is a step ({@code HowToStep}). Each category is a tool; the tool of a task without category is its program.
 *
 * <p><b>Execution.</b> Each attempt that ended is a {@code CreateAction} ({@link ExecutionEntities}), and a {@code ControlAction} joins the
 * attempts of a task. A {@code CreateAction} of the workflow and an {@code OrganizeAction} of Sheaf describe the run as a whole.
 *
 * <p><b>Files.</b> See {@link CrateFiles}. A digest is that of the content in the run.
 *
 * <p>Variables of the environment that the workflow does not declare are not part of a crate. It depends on the run and its files alone: the
 * same run gives the same bytes.
 */
public final class RunCrate {
    /** The profile that crates conform to. */
    public static final String PROFILE = "Provenance Run Crate 0.5";

    static final String RUN = "#run";
    static final String AGENT = "#user";

    private static final String METADATA = "ro-crate-metadata.json";
    private static final String SETTINGS = "run.json";
    private static final String SPECIFICATION = "https://w3id.org/ro/crate/1.1";
    private static final String TERMS = "https://w3id.org/ro/terms/workflow-run/context";
    private static final String WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0";
    private static final String PROFILES = "https://w3id.org/ro/wfrun/";
    private static final String ENGINE = "#sheaf";
    private static final String ENGINE_RUN = "#sheaf-run";
    private static final String LANGUAGE = "#language";

    private final RecordedRun run;
    private final RunRecord record;
    private final RunState state;
    private final Workflow workflow;
    private final String licence;
    private final CrateFiles files;
    private final ExecutionEntities executions;
    private final Path measured;
    private final Path source;
    /** The id of the workflow file. */
    private final String main;

    private final Set<String> inputs = new LinkedHashSet<>();
    private final Set<String> results = new LinkedHashSet<>();

    /**
     * The crate of a run that has ended.
     *
     * @param licence an SPDX identifier or a URL; empty if none is stated
     * @param maxCopiedBytes the maximum size of files that are copied into the crate, in bytes
     */
    public RunCrate(RecordedRun run, String licence, long maxCopiedBytes) throws IOException {
        this.run = run;
        this.licence = licence;
        state = run.status(run.now()).state();
        Path written = run.measured();
        if (written == null) {
            throw new InputException("the run is " + state.word() + "; a crate describes a run that has ended")
                    .in(run.folder().toString());
        }
        measured = written;
        record = run.record(run.now());
        workflow = run.workflow();
        Path folder = Path.of(run.spec().workFolder());
        run.history().forest().parts().forEach(part -> {
            String other = part.origin().folder();
            if (!other.isEmpty() && !Path.of(other).equals(folder)) {
                throw new InputException("its workflows ran in several folders; a crate describes one workflow")
                        .in(run.folder().toString());
            }
        });
        FileDigests digests = new FileDigests(
                run.spec().name(), folder, run.folder(), run.history().results(), record.end());
        files = new CrateFiles(folder, digests, maxCopiedBytes);
        executions = new ExecutionEntities(run, record, files);
        Path kept = RunFiles.source(run.folder());
        source = kept == null ? measured : kept;
        main = kept == null ? RunFiles.RECORD : Entities.encoded("workflow/" + kept.getFileName());
        noteFiles();
    }

    /** Inputs of the workflow are the files that no task writes; its results are those that no task reads. */
    private void noteFiles() {
        Set<String> read = new LinkedHashSet<>();
        Set<String> written = new LinkedHashSet<>();
        for (int task = 0; task < workflow.size(); task++) {
            boolean done = run.history().manager().state(task) == TaskState.DONE;
            for (int i = 0; executions.hasRun(task) && i < workflow.inputs(task); i++) {
                read.add(files.of(workflow.fileName(workflow.input(task, i))).id());
            }
            for (int i = 0; done && i < workflow.outputs(task); i++) {
                written.add(
                        files.of(workflow.fileName(workflow.output(task, i))).id());
            }
        }
        inputs.addAll(read);
        inputs.removeAll(written);
        results.addAll(written);
        results.removeAll(read);
    }

    /** The number of files that the crate refers to and does not contain. */
    public int referred() {
        return (int) files.all().stream().filter(each -> each.path().isEmpty()).count();
    }

    /** The number of files in the crate that the workflow read or wrote. */
    public int copied() {
        return files.all().size() - referred();
    }

    /** The end of the run, in milliseconds. */
    public long end() {
        return record.end();
    }

    public void write(CrateTarget to) throws IOException {
        for (CrateFiles.CrateFile each : files.all()) {
            if (!each.path().isEmpty()) {
                to.add(each.path(), out -> Files.copy(each.original(), out));
            }
        }
        if (!source.equals(measured)) {
            to.add("workflow/" + source.getFileName(), out -> Files.copy(source, out));
        }
        to.add(RunFiles.RECORD, out -> Files.copy(measured, out));
        to.add(SETTINGS, out -> Files.copy(run.folder().resolve(SETTINGS), out));
        to.add(METADATA, this::metadata);
        to.finish();
    }

    private void metadata(OutputStream stream) throws IOException {
        PrintWriter writer = new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
        try (JsonOut json = new JsonOut(writer)) {
            json.object().array("@context");
            json.value(SPECIFICATION + "/context").value(TERMS).end();
            json.array("@graph");
            Entities out = new Entities(json);
            root(out);
            context(out);
            plan(out);
            whole(out);
            executions.write(out);
            files.all().forEach(each -> CrateFiles.write(out, each));
            json.end().end();
        }
        if (writer.checkError()) {
            throw new IOException("the metadata of the crate cannot be written");
        }
    }

    private void root(Entities out) {
        out.entity(METADATA, "CreativeWork")
                .ref("about", "./")
                .refs("conformsTo", List.of(SPECIFICATION, WORKFLOW_CRATE))
                .end();
        Set<String> parts = new LinkedHashSet<>(List.of(main, RunFiles.RECORD, SETTINGS));
        files.all().forEach(each -> parts.add(each.id()));
        List<String> mentioned = new ArrayList<>(List.of(RUN, ENGINE_RUN));
        mentioned.addAll(executions.actions());
        out.entity("./", "Dataset")
                .text("name", "Run of " + name())
                .text(
                        "description",
                        "A run of " + workflow.size() + " tasks by Sheaf on "
                                + run.spec().where().system() + " with strategy " + record.strategy() + ": "
                                + state.word() + ".")
                .time("datePublished", record.end())
                .ref("author", AGENT)
                .refs(
                        "conformsTo",
                        List.of(
                                PROFILES + "process/0.5",
                                PROFILES + "workflow/0.5",
                                PROFILES + "provenance/0.5",
                                WORKFLOW_CRATE))
                .ref("license", licenceId())
                .ref("mainEntity", main)
                .refs("hasPart", parts)
                .refs("mentions", mentioned)
                .end();
    }

    private String name() {
        String name = workflow.name().isEmpty() ? run.spec().name() : workflow.name();
        return name.isEmpty() ? "a workflow" : name;
    }

    private String licenceId() {
        if (licence.isEmpty()) {
            return "#licence";
        }
        return licence.contains("://") ? licence : "https://spdx.org/licenses/" + Entities.encoded(licence);
    }

    /** The profiles, the licence and the user. */
    private void context(Entities out) throws IOException {
        profile(out, PROFILES + "process/0.5", "Process Run Crate", "0.5");
        profile(out, PROFILES + "workflow/0.5", "Workflow Run Crate", "0.5");
        profile(out, PROFILES + "provenance/0.5", "Provenance Run Crate", "0.5");
        profile(out, WORKFLOW_CRATE, "Workflow RO-Crate", "1.0");
        out.entity(licenceId(), "CreativeWork")
                .text("name", licence.isEmpty() ? "No licence stated" : licence)
                .text("description", licence.isEmpty() ? "The writer of the crate stated no licence." : "")
                .end();
        out.entity(AGENT, "Person")
                .text("name", Files.getOwner(run.folder()).getName())
                .end();
    }

    private static void profile(Entities out, String id, String name, String version) {
        out.entity(id, "CreativeWork")
                .text("name", name)
                .text("version", version)
                .end();
    }

    /** The workflow file and its language. */
    private void plan(Entities out) throws IOException {
        out.entity(main, "File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo")
                .text("name", name())
                .ref("programmingLanguage", LANGUAGE)
                .refs("hasPart", executions.tools())
                .refs("step", executions.steps())
                .text("contentSize", Long.toString(Files.size(source)))
                .text("sha256", FileDigests.sha256(source))
                .end();
        out.entity(LANGUAGE, "ComputerLanguage")
                .text("name", Formats.readerFor(Source.of(source)).title())
                .end();
        if (!source.equals(measured)) {
            out.entity(RunFiles.RECORD, "File")
                    .text("name", "The tasks of the run with measured run times (WfFormat 1.5)")
                    .text("encodingFormat", "application/json")
                    .ref("about", RUN)
                    .text("contentSize", Long.toString(Files.size(measured)))
                    .text("sha256", FileDigests.sha256(measured))
                    .end();
        }
        Path settings = run.folder().resolve(SETTINGS);
        out.entity(SETTINGS, "File")
                .text("name", "The settings of the run")
                .text("encodingFormat", "application/json")
                .ref("about", ENGINE_RUN)
                .text("contentSize", Long.toString(Files.size(settings)))
                .text("sha256", FileDigests.sha256(settings))
                .end();
    }

    /** The run of the workflow, and of Sheaf. */
    private void whole(Entities out) throws IOException {
        String version = RunFiles.version(run.folder());
        String command = "";
        for (String line : run.origin()) {
            command = line.startsWith("Command: ") ? line.substring("Command: ".length()) : command;
        }
        String status = ExecutionEntities.status(state == RunState.DONE);
        out.entity(RUN, "CreateAction")
                .text("name", "Run of " + name())
                .text("description", command)
                .ref("instrument", main)
                .ref("agent", AGENT)
                .time("startTime", record.start())
                .time("endTime", record.end())
                .text("actionStatus", status)
                .text("error", state == RunState.DONE ? "" : "The run is " + state.word() + ".")
                .refs("object", inputs)
                .refs("result", results)
                .end();
        out.entity(ENGINE, "SoftwareApplication")
                .text("name", "Sheaf")
                .text("softwareVersion", version.isEmpty() ? "unknown" : version)
                .end();
        out.entity(ENGINE_RUN, "OrganizeAction")
                .text("name", "Run of Sheaf")
                .text("description", command)
                .ref("instrument", ENGINE)
                .ref("agent", AGENT)
                .time("startTime", record.start())
                .time("endTime", record.end())
                .text("actionStatus", status)
                .refs("object", executions.controls())
                .ref("result", RUN)
                .end();
    }
}
