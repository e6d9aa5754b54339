package io.sheaf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long does a Nextflow pipeline take on Slurm with {@code executor = 'sheaf'}, compared with {@code slurm} with and without
 * job arrays, and how many node-seconds do the jobs allocate? 61 tasks in four stages beside background jobs, then many tasks
 * of a second in an empty queue. Arguments: the command that starts Nextflow, a working folder, nodes, seconds of a task of
 * the stages (0: none), tasks of a second (0: none), rounds.
 */
public final class HowFastIsNextflowOnSlurm {
    private static final String STAGES = """
            process A { input: val x
              output: val x
              script: "sleep ${params.seconds}" }
            process B { input: val x
              output: val x
              script: "sleep ${params.seconds}" }
            process C { input: val pair
              output: val pair
              script: "sleep ${params.seconds}" }
            process D { input: val all
              script: "sleep ${params.seconds}" }
            workflow { A(Channel.of(1..24)) | B | buffer(size: 2) | C | collect | D }
            """;

    private static final String SHORT = """
            process SHORT { input: val x
              script: "sleep 1" }
            workflow { SHORT(Channel.of(1..params.tasks)) }
            """;

    private final String nextflow;
    private final Path folder;
    private final SlurmContest contest;
    private final int rounds;

    private HowFastIsNextflowOnSlurm(String nextflow, Path folder, int nodes, int rounds) {
        this.nextflow = nextflow;
        this.folder = folder;
        this.rounds = rounds;
        contest = new SlurmContest(folder, nodes);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        HowFastIsNextflowOnSlurm bench = new HowFastIsNextflowOnSlurm(
                args[0], Path.of(args[1]).toAbsolutePath(), Integer.parseInt(args[2]), Integer.parseInt(args[5]));
        if (Integer.parseInt(args[3]) > 0) {
            System.out.println("61 tasks of " + args[3] + " s in four stages, background jobs");
            bench.sideBySide("stages", STAGES, true, "--seconds", args[3]);
        }
        if (Integer.parseInt(args[4]) > 0) {
            System.out.println(args[4] + " tasks of 1 s, no background jobs");
            bench.sideBySide("short", SHORT, false, "--tasks", args[4]);
        }
    }

    private void sideBySide(String name, String pipeline, boolean background, String parameter, String value)
            throws IOException, InterruptedException {
        System.out.println("executor      makespan  node-seconds  jobs");
        Map<String, String> executors = new TreeMap<>(Map.of(
                "sheaf",
                "plugins { id 'nf-sheaf@0.1.0' }\nprocess.executor = 'sheaf'\nsheaf.on = 'slurm'\nsheaf.queueInterval = '2s'\n",
                "slurm",
                "process.executor = 'slurm'\nexecutor.queueSize = 100\n",
                "slurm-array",
                "process.executor = 'slurm'\nexecutor.queueSize = 100\nprocess.array = 24\n"));
        Map<String, List<SlurmContest.ContestResult>> all = new TreeMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (Map.Entry<String, String> each : executors.entrySet()) {
                // A folder of its own: a second run of 'sheaf' in the same one would know the first.
                Path in = folder.resolve(name + "-" + each.getKey() + "-" + round);
                Files.createDirectories(in);
                Files.writeString(in.resolve("main.nf"), pipeline);
                Files.writeString(in.resolve("nextflow.config"), each.getValue() + "process.time = '5m'\n");
                SlurmContest.ContestResult result = contest.run(
                        in,
                        background,
                        List.of(nextflow, "-q", "run", "main.nf", "-ansi-log", "false", parameter, value));
                print(
                        each.getKey(),
                        result,
                        result.status() == 0 ? "" : "  (ended with status " + result.status() + ")");
                all.computeIfAbsent(each.getKey(), key -> new ArrayList<>()).add(result);
            }
        }
        if (rounds > 1) {
            System.out.println("medians by makespan of " + rounds + " rounds");
            all.forEach((executor, results) -> {
                results.sort(Comparator.comparingDouble(SlurmContest.ContestResult::seconds));
                String range = String.format(
                        Locale.ROOT,
                        "  (%.1f to %.1f s)",
                        results.get(0).seconds(),
                        results.get(rounds - 1).seconds());
                print(executor, results.get(rounds / 2), range);
            });
        }
    }

    private static void print(String executor, SlurmContest.ContestResult result, String remark) {
        Measure.print(
                "%-12s %7.1f s %12d  %5d%s", executor, result.seconds(), result.nodeSeconds(), result.jobs(), remark);
    }
}
