package io.sheaf.runtime.spec;

import io.sheaf.batch.JobLimits;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.workflow.Category;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Checks that a workflow can run here, before anything is submitted. */
public final class Preflight {
    /**
     * The maximum length of an argument on Linux: 32 pages. All together may have a quarter of the stack, 8 MiB by
     * default.
     */
    private static final int LONGEST_WORD = 128 << 10;

    private static final int LONGEST_COMMAND = 2 << 20;
    private static final long MIB = 1 << 20;

    private static final List<String> FILE_ENGINES = List.of("apptainer", "singularity");
    private static final List<String> ENGINES = List.of("apptainer", "singularity", "podman", "docker");

    private final Workflow workflow;
    private final Path folder;
    /** Whether nodes are on this machine and have its programs. */
    private final boolean local;

    private final boolean fixedNodes;

    private final Set<String> written = new HashSet<>();
    private final Set<String> checked = new HashSet<>();

    private Preflight(Workflow workflow, RunSpec spec, boolean fixedNodes) {
        this.workflow = workflow;
        this.fixedNodes = fixedNodes;
        this.folder = Path.of(spec.workFolder());
        this.local = spec.where().equals(Placement.LOCAL);
        for (int task = 0; task < workflow.size(); task++) {
            written.addAll(workflow.outputNames(task));
        }
    }

    /**
     * Checks all tasks against the nodes of a run's cluster.
     *
     * @param offered the limits of what a pilot job offers its tasks
     * @param fixedNodes whether the batch system reports the size of each node, so that no option makes one larger
     * @param environment where programs without a folder are searched
     */
    public static void check(
            Workflow workflow, RunSpec spec, JobLimits offered, boolean fixedNodes, Map<String, String> environment) {
        if (workflow.size() == 0) {
            throw new InputException("the workflow has no tasks");
        }
        offered.check(workflow);
        Preflight preflight = new Preflight(workflow, spec, fixedNodes);
        String path = environment.getOrDefault("PATH", "");
        preflight.each(task -> preflight.check(task, spec, path));
        BitSet known = new BitSet();
        preflight.each(task -> preflight.checkInputs(task, known));
    }

    /** Checks all tasks; a problem gets the task's place in the file. */
    private void each(IntConsumer check) {
        for (int task = 0; task < workflow.size(); task++) {
            try {
                check.accept(task);
            } catch (InputException e) {
                throw e.at(workflow.place(task));
            }
        }
    }

    private void check(int task, RunSpec spec, String path) {
        Command command = workflow.command(task);
        if (command == null) {
            throw new InputException("task '" + workflow.id(task)
                    + "' has no command: the workflow can be simulated (sheaf simulate), not run");
        }
        checkNeeds(task, spec);
        checkLength(task, command);
        if (spec.where().isStaged()) {
            checkNames(task);
        }
        checkProgram(task, command, path);
    }

    /**
     * Checks that the nodes have what tasks need, also of a workflow without commands.
     *
     * @param fixedNodes whether the batch system reports the size of each node, so that no option makes one larger
     */
    public static void checkNeeds(Workflow workflow, RunSpec spec, boolean fixedNodes) {
        Preflight preflight = new Preflight(workflow, spec, fixedNodes);
        preflight.each(task -> preflight.checkNeeds(task, spec));
    }

    /** Refuses files that would have another path at a site without a shared file system. */
    private void checkNames(int task) {
        List<String> names = new ArrayList<>(workflow.inputNames(task));
        names.addAll(workflow.outputNames(task));
        for (String name : names) {
            if (Path.of(name).isAbsolute()) {
                throw new InputException(
                        "task '" + workflow.id(task) + "': file '" + name
                                + "' is absolute, and files are copied to a site of the run; name it relative to the working folder");
            }
        }
    }

    /** Checks the system's limits on the length of an argument and of all arguments. */
    private void checkLength(int task, Command command) {
        long sum = 0;
        for (String word : command.argv()) {
            int length = word.getBytes(StandardCharsets.UTF_8).length;
            sum += length + 1;
            if (length >= LONGEST_WORD || sum >= LONGEST_COMMAND) {
                throw new InputException("task '" + workflow.id(task) + "' has a command of more than "
                        + SizeText.text(length >= LONGEST_WORD ? LONGEST_WORD : LONGEST_COMMAND)
                        + ", more than the system allows. Put its arguments into a file");
            }
        }
    }

    private void checkNeeds(int task, RunSpec spec) {
        String prefix = "task '" + workflow.id(task) + "' needs ";
        String why = unavailable(workflow.resources(task), spec, fixedNodes);
        if (why != null) {
            throw new InputException(prefix + why);
        }
    }

    /**
     * What a task needs that no job of a run can have, with advice; null if it can run.
     *
     * @param fixedNodes whether the batch system reports the size of each node, so that no option makes one larger
     */
    public static @Nullable String unavailable(Resources needs, RunSpec spec, boolean fixedNodes) {
        if (needs.nodes() > spec.nodes()) {
            return needs.nodes() + " nodes, the cluster has " + spec.nodes() + ". Maybe --nodes " + needs.nodes();
        }
        Resources node = spec.node();
        String excess = needs.excess(node);
        if (excess != null && fixedNodes) {
            return excess + ". Change the task, or name another partition";
        }
        if (excess != null && needs.cores() > node.cores()) {
            return excess + ". Maybe --cores-per-node " + needs.cores();
        }
        if (excess != null && needs.memory() > node.memory()) {
            return excess + ". Maybe --mem-per-node " + SizeText.text((needs.memory() + MIB - 1) / MIB * MIB);
        }
        if (excess != null) {
            return excess + (needs.gpus() > node.gpus() ? ". Maybe --gpus-per-node " + GpuText.text(needs) : "");
        }
        if (spec.pools().areUnequal() && spec.pools().all().stream().noneMatch(pool -> pool.has(needs))) {
            return SizeText.rounded(needs.memory()) + " of memory, " + needs.cores() + " cores and "
                    + GpuText.text(needs) + " GPUs on a node; no node has all of these";
        }
        for (int i = 0; i < needs.named().size(); i++) {
            String name = needs.named().name(i);
            long limit = spec.perRun().amount(name);
            if (spec.perRun().index(name) >= 0 && needs.named().amount(i) * needs.nodes() > limit) {
                return needs.named().amount(i) + " of '" + name + "'; the run has " + limit;
            }
            if (spec.perRun().index(name) < 0 && spec.node().named().index(name) < 0) {
                return "'" + name + "', which has no limit. Set --run-resource " + name + "=N or --node-resource "
                        + name + "=N";
            }
        }
        return null;
    }

    /**
     * Checks that the program exists or a task creates it; a setup or a container may also provide it, which cannot
     * be checked.
     */
    private void checkProgram(int task, Command command, String path) {
        String program = command.argv().get(0);
        Category category = workflow.category(task);
        Map<String, String> environment = command.environment();
        if (!category.setup().isEmpty() && !isOn(path, "bash")) {
            throw missing(task, "setup", "setup lines need bash, which is in no folder of PATH; install bash");
        }
        String image = category.container();
        if (image != null && checked.add("container " + image)) {
            checkImage(task, image, path);
        }
        if (image != null || !category.setup().isEmpty() || environment.containsKey("PATH")) {
            return;
        }
        if (!checked.add(program) || written.contains(program)) {
            return;
        }
        if (program.indexOf('/') >= 0) {
            Path file = folder.resolve(program);
            if (!Files.exists(file)) {
                throw missing(task, program, "there is no file " + file);
            }
            if (!Files.isExecutable(file)) {
                throw missing(task, program, file + " may not be executed (chmod +x)");
            }
        } else if (!isOn(path, program) && command.isScript()) {
            throw new InputException("task '" + workflow.id(task) + "' has a script for '" + program
                    + "', which is in no folder of PATH; install it, or set 'shell: /bin/sh' under 'defaults'");
        } else if (!isOn(path, program)) {
            throw missing(task, program, "it is in no folder of PATH; install it or write where it is");
        }
    }

    /** Checks that an image that is a file exists and, for nodes of this machine, that there is an engine. */
    private void checkImage(int task, String image, String path) {
        String prefix = "task '" + workflow.id(task) + "' runs in the container '" + image + "'";
        boolean file = image.endsWith(".sif") || image.startsWith("/") || image.startsWith("./");
        if (file && !Files.exists(folder.resolve(image)) && !written.contains(image)) {
            throw new InputException(
                    prefix + ": there is no file " + folder.resolve(image).normalize());
        }
        List<String> engines = file ? FILE_ENGINES : ENGINES;
        if (local && image.indexOf(' ') < 0 && engines.stream().noneMatch(engine -> isOn(path, engine))) {
            throw new InputException(prefix + ", but this machine has no container engine for it; install one of: "
                    + String.join(", ", engines));
        }
    }

    private boolean isOn(String path, String program) {
        for (String each : path.split(":", -1)) {
            Path file = folder.resolve(each).resolve(program);
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                return true;
            }
        }
        return false;
    }

    private InputException missing(int task, String program, String why) {
        return new InputException("task '" + workflow.id(task) + "' runs '" + program + "': " + why);
    }

    /**
     * Checks that the input files of a task exist or are the output of a task.
     *
     * @param known files that were checked
     */
    private void checkInputs(int task, BitSet known) {
        for (int i = 0; i < workflow.inputs(task); i++) {
            int file = workflow.input(task, i);
            String name = workflow.fileName(file);
            if (!known.get(file) && !written.contains(name) && !Files.exists(folder.resolve(name))) {
                throw new InputException("task '" + workflow.id(task) + "' reads '" + name
                        + "', which no task writes and which is not in " + folder);
            }
            known.set(file);
        }
    }
}
