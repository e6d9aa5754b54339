package io.sheaf.bench;

import io.sheaf.formats.registry.Formats;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * How long does a Montage-like workflow take on a busy Slurm, under Sheaf's strategies and other tools, and how many node-seconds do their jobs allocate? And 100 tasks of
 * 0.1 s on allocated nodes, compared with Work Queue? Arguments: the command, a working folder, nodes, tasks (0: only the
 * short ones), seconds of a task on average.
 */
public final class HowFastIsAWorkflowOnSlurm {
    private static final int PORT = 29_990;
    private static final int ROUNDS = 5;

    private final String sheaf;
    private final Path folder;
    private final int nodes;
    private final SlurmContest contest;

    private HowFastIsAWorkflowOnSlurm(String sheaf, Path folder, int nodes) {
        this.sheaf = sheaf;
        this.folder = folder;
        this.nodes = nodes;
        contest = new SlurmContest(folder, nodes);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        HowFastIsAWorkflowOnSlurm bench =
                new HowFastIsAWorkflowOnSlurm(args[0], Path.of(args[1]).toAbsolutePath(), Integer.parseInt(args[2]));
        int tasks = Integer.parseInt(args[3]);
        long micros = (long) (tasks * Double.parseDouble(args[4]) * 1e6);
        if (tasks > 0) {
            bench.sideBySide(withSleeps(Families.named("montage").generate(Recipe.of(tasks, micros, 7))));
        }
        bench.shortTasks();
    }

    private static Workflow withSleeps(Workflow shape) {
        WorkflowBuilder made = new WorkflowBuilder("montage");
        for (int task = 0; task < shape.size(); task++) {
            made.task("t" + task);
            made.category(task, shape.category(task).name());
            made.time(task, shape.timeMicros(task));
            made.command(task, Command.of(List.of("sleep", seconds(shape.timeMicros(task)))));
        }
        for (int task = 0; task < shape.size(); task++) {
            for (int i = 0; i < shape.parents(task); i++) {
                made.edge(shape.parent(task, i), task);
            }
        }
        return made.build();
    }

    private static String seconds(long micros) {
        return String.format(Locale.ROOT, "%.3f", micros / 1e6);
    }

    private void sideBySide(Workflow workflow) throws IOException, InterruptedException {
        Path form = folder.resolve("montage.json");
        try (Writer out = Files.newBufferedWriter(form)) {
            Formats.writer("wfformat").write(workflow, out);
        }
        Measure.print(
                "%d tasks, %.0f s of work, critical path %.0f s, %d nodes",
                workflow.size(), workflow.totalMicros() / 1e6, workflow.criticalPathMicros() / 1e6, nodes);
        System.out.println("by                makespan  node-seconds  jobs");
        for (String strategy : List.of("onejob", "glume", "zhang", "auto", "onejobpertask")) {
            print(strategy, contest.run(folder.resolve(strategy), true, sheaf(form, strategy, "64")));
        }
        long minutes = 2 + 3 * workflow.totalMicros() / nodes / 60_000_000;
        for (String other : List.of("makeflow", "work-queue", "snakemake")) {
            String program = other.equals("work-queue") ? "work_queue_worker" : other;
            if (!SlurmContest.isThere(program)) {
                System.out.println(other + ": " + program + " is not installed");
                continue;
            }
            Path in = folder.resolve(other);
            Files.createDirectories(in);
            List<String> words =
                    switch (other) {
                        case "makeflow" ->
                            List.of("makeflow", "-T", "slurm", "-J", "64", "-B", "-t 1 -N 1", makeflow(workflow, in));
                        case "work-queue" -> workQueue(makeflow(workflow, in), minutes);
                        default -> snakemake(workflow, in);
                    };
            print(other, contest.run(in, true, words));
        }
    }

    private List<String> sheaf(Path form, String strategy, String cap) {
        List<String> words = new ArrayList<>(List.of(sheaf, "run", form.toString(), "--on", "slurm", "--json"));
        // The previous strategy ran the same in the same folder.
        words.addAll(List.of("--run-dir", "run", "--rerun", "all"));
        words.addAll(List.of("--nodes=" + nodes, "--strategy", strategy, "--cap", cap, "--queue-interval=2s"));
        return words;
    }

    private static void print(String tool, SlurmContest.ContestResult result) {
        Measure.print(
                "%-14s %9.1f s  %12d  %4d%s",
                tool,
                result.seconds(),
                result.nodeSeconds(),
                result.jobs(),
                result.status() == 0 ? "" : "  exit status " + result.status());
    }

    /** Each task writes a file that its children read. */
    private static String makeflow(Workflow workflow, Path in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int task = 0; task < workflow.size(); task++) {
            text.append("out.").append(task).append(':');
            parents(workflow, task).forEach(parent -> text.append(' ').append(parent));
            text.append("\n\tsleep ").append(seconds(workflow.timeMicros(task)));
            text.append(" && touch out.").append(task).append("\n\n");
        }
        return Files.writeString(in.resolve("montage.makeflow"), text).toString();
    }

    private static List<String> parents(Workflow workflow, int task) {
        return IntStream.range(0, workflow.parents(task))
                .mapToObj(i -> "out." + workflow.parent(task, i))
                .toList();
    }

    /** Workers on all nodes in one job, for three times the minimum time of the work. */
    private List<String> workQueue(String makeflow, long minutes) {
        return List.of(
                "bash",
                "-c",
                "sbatch -J workers -o /dev/null -N " + nodes + " -t " + minutes
                        + " --wrap 'srun work_queue_worker --cores 1 -t 30 127.0.0.1 " + PORT
                        + "' && exec makeflow -T wq -p " + PORT + " " + makeflow);
    }

    private static List<String> snakemake(Workflow workflow, Path in) throws IOException {
        StringBuilder text =
                new StringBuilder("rule all:\n    input: expand('out.{i}', i=range(" + workflow.size() + "))\n");
        for (int task = 0; task < workflow.size(); task++) {
            text.append("rule t").append(task).append(":\n    input: '");
            text.append(String.join("', '", parents(workflow, task))).append("'\n");
            text.append("    output: 'out.").append(task).append("'\n    shell: 'sleep ");
            text.append(seconds(workflow.timeMicros(task))).append(" && touch {output}'\n");
        }
        Files.writeString(in.resolve("Snakefile"), text.toString().replace("    input: ''\n", ""));
        return List.of(
                "bash", "-c", "exec snakemake --cluster 'sbatch -t 1 -N 1 -o /dev/null' -j 64 --latency-wait 10");
    }

    /**
     * The nodes are allocated when the tasks begin: a first task sleeps while agents and workers connect. All tasks touch a file; measured is the time from the first
     * file to the last.
     */
    private void shortTasks() throws IOException, InterruptedException {
        WorkflowBuilder made = new WorkflowBuilder("short");
        made.time(made.task("first"), 15_000_000);
        String first = "sleep 15 && touch out.first";
        made.command(0, Command.of(List.of("sh", "-c", first)));
        StringBuilder text = new StringBuilder("out.first:\n\t" + first + "\n\n");
        for (int i = 1; i <= 100; i++) {
            String line = "sleep 0.1 && touch out." + i;
            int task = made.task("t" + i);
            made.time(task, 100_000);
            made.command(task, Command.of(List.of("sh", "-c", line)));
            made.edge(0, task);
            text.append("out." + i + ": out.first\n\t" + line + "\n\n");
        }
        Path form = folder.resolve("short.json");
        try (Writer out = Files.newBufferedWriter(form)) {
            Formats.writer("wfformat").write(made.build(), out);
        }
        double[] ratios = new double[ROUNDS];
        for (int round = 1; round <= ROUNDS; round++) {
            Path in = Files.createDirectories(folder.resolve("short-" + round));
            List<String> words = sheaf(form, "giant", "16");
            words.addAll(List.of("--work-dir", in.toString()));
            Path heldFolder = Files.createDirectories(folder.resolve("held-" + round));
            Files.writeString(heldFolder.resolve("short.makeflow"), text.toString());
            // The order changes from round to round, so that other load affects both.
            boolean oursFirst = round % 2 == 1;
            if (oursFirst) {
                contest.run(in, false, words);
            }
            if (SlurmContest.isThere("work_queue_worker")) {
                contest.run(heldFolder, false, workQueue("short.makeflow", 5));
            }
            if (!oursFirst) {
                contest.run(in, false, words);
            }
            double sheaf = behindTheFirst(in);
            double held = behindTheFirst(heldFolder);
            ratios[round - 1] = sheaf / held;
            Measure.print(
                    "100 tasks of 0.1 s on %d nodes held: sheaf %.2f s, Work Queue %.2f s, ratio %.2f",
                    nodes, sheaf, held, ratios[round - 1]);
        }
        Arrays.sort(ratios);
        Measure.print("median of the ratios %.2f", ratios[ROUNDS / 2]);
    }

    /** The time from the end of the first task to that of the last; NaN if a task has not ended. */
    private static double behindTheFirst(Path in) throws IOException {
        if (!Files.exists(in.resolve("out.first"))) {
            return Double.NaN;
        }
        long first = Files.getLastModifiedTime(in.resolve("out.first")).to(TimeUnit.MICROSECONDS);
        long last = first;
        for (int i = 1; i <= 100; i++) {
            Path out = in.resolve("out." + i);
            if (!Files.exists(out)) {
                return Double.NaN;
            }
            last = Math.max(last, Files.getLastModifiedTime(out).to(TimeUnit.MICROSECONDS));
        }
        return (last - first) / 1e6;
    }
}
