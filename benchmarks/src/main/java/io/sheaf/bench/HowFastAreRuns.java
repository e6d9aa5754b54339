package io.sheaf.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How long does {@code sheaf run} take for tasks that do nothing, with its journal, compared with xargs? And how much memory does its
 * manager need while many tasks wait? Arguments: the command, a working folder, tasks, rounds, waiting tasks.
 */
public final class HowFastAreRuns {
    private static final int AGENTS = 4;
    private static final long TIMEOUT_MINUTES = 20;

    private final Path sheaf;
    private final Path folder;

    private HowFastAreRuns(Path sheaf, Path folder) {
        this.sheaf = sheaf;
        this.folder = folder;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        HowFastAreRuns bench = new HowFastAreRuns(Path.of(args[0]).toAbsolutePath(), Path.of(args[1]));
        // Creates the class-data archives of commands and agents.
        bench.sheaf(bench.workflow("warm-up", 10));
        int tasks = Integer.parseInt(args[2]);
        Path workflow = bench.workflow("tasks", tasks);
        for (int round = 1; round <= Integer.parseInt(args[3]); round++) {
            bench.compare(tasks, workflow, round);
        }
        bench.waiting(Integer.parseInt(args[4]));
    }

    /** Alternates the two, without deletions in between: a file system is slow to create files after many deletions. */
    private void compare(int tasks, Path workflow, int round) throws IOException, InterruptedException {
        double before = Measure.childrensSeconds();
        Path place = Files.createDirectory(folder.resolve("xargs-" + round));
        double xargs = timed(Measure.xargs(place, tasks, AGENTS, "/bin/true"));
        double between = Measure.childrensSeconds();
        double sheaf = sheaf(workflow);
        double after = Measure.childrensSeconds();
        Measure.print(
                "%d tasks: xargs -P %d %.2f s (processor %.2f s), sheaf run %.2f s (%.2f s), ratio %.2f (%.2f)",
                tasks,
                AGENTS,
                xargs,
                between - before,
                sheaf,
                after - between,
                sheaf / xargs,
                (after - between) / (between - before));
    }

    private Path workflow(String name, int tasks) throws IOException {
        return Files.writeString(folder.resolve(name + ".yaml"), """
                name: %s
                vars: {n: 1..%d}
                tasks:
                  nothing:
                    foreach: {i: n}
                    time: 1s
                    run: [/bin/true]
                """.formatted(name, tasks));
    }

    private double sheaf(Path workflow) throws IOException, InterruptedException {
        String run = Files.createTempDirectory(folder, "run-").toString();
        List<String> words =
                List.of(sheaf.toString(), "run", workflow.toString(), "--nodes=" + AGENTS, "--run-dir", run);
        return timed(Measure.quiet(folder, words));
    }

    private static double timed(ProcessBuilder command) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Process process = command.start();
        if (!process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("failed: " + command.command());
        }
        return Measure.seconds(began);
    }

    /** A run in which all tasks wait for one task, which reads the memory of the manager. */
    private void waiting(int tasks) throws IOException, InterruptedException {
        Path size = folder.resolve("size.txt");
        Path run = folder.resolve("waiting");
        // The first task fails, and with it the run: the other tasks never start.
        Path workflow = Files.writeString(folder.resolve("waiting.yaml"), """
                name: waiting
                vars: {n: 1..%d}
                tasks:
                  look:
                    time: 1s
                    run: sleep 3; grep VmHWM /proc/$(sed -n 's/process //p' %s/endpoint)/status > %s; exit 1
                  wait:
                    foreach: {i: n}
                    after: look
                    time: 1s
                    run: [/bin/true]
                """.formatted(tasks, run, size));
        long began = System.nanoTime();
        Process process = Measure.quiet(
                        folder, List.of(sheaf.toString(), "run", workflow.toString(), "--run-dir", run.toString()))
                .start();
        process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        Measure.print(
                "%d waiting tasks: the manager's largest size %s; %.1f s for reading, starting, failing, writing the record",
                tasks, Files.readString(size).replaceAll("\\s+", " ").strip(), Measure.seconds(began));
    }
}
