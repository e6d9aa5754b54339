package io.sheaf.app.setup;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.ShutdownHook;
import io.sheaf.app.run.ManagerOptions;
import io.sheaf.app.run.RunCommand;
import io.sheaf.app.run.RunSession;
import io.sheaf.manager.Manager;
import io.sheaf.manager.TaskState;
import io.sheaf.runtime.cluster.EmbeddedAccess;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.Requests;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Runs one workflow with several strategies concurrently, displayed below each other. */
final class DemoRace {
    static final int NODES = 8;
    static final String OTHERS = "kth-like@600x";

    private static final long POLL_MILLIS = 250;
    private static final String ESCAPE = "\u001b[";
    private static final int HOOK_SECONDS = 30;

    private final Path folder;
    private final Workflow workflow;
    private final long seed;
    private final Session session;
    private final List<DemoLane> lanes = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();

    DemoRace(Path folder, Workflow workflow, long seed, Session session) {
        this.folder = folder;
        this.workflow = workflow;
        this.seed = seed;
        this.session = session;
    }

    /** The folder of a strategy's run. */
    static Path folder(Path folder, String strategy) {
        return folder.resolve(strategy.replaceAll("[^A-Za-z0-9_.-]", "_"));
    }

    /** A strategy's name, padded to the column. */
    static String named(String strategy) {
        return String.format(Locale.ROOT, "%-15s", strategy);
    }

    /** Runs all strategies to their ends; returns false if interrupted. */
    boolean run(List<String> strategies, boolean screen) throws IOException, InterruptedException {
        List<Callable<RunLoop.Ending>> runs = new ArrayList<>();
        for (String strategy : strategies) {
            runs.add(prepared(strategy));
        }
        // Before any run begins: reports missing prerequisites immediately.
        ExecutorService threads = Executors.newFixedThreadPool(runs.size());
        List<Future<RunLoop.Ending>> running = new ArrayList<>();
        runs.forEach(run -> running.add(threads.submit(run)));
        threads.shutdown();
        ShutdownHook hook = new ShutdownHook("interrupt", () -> cancelAll(strategies, threads));
        try (hook) {
            long from = System.nanoTime();
            while (!threads.awaitTermination(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                show(screen, from);
            }
            show(screen, from);
            boolean ended = true;
            for (Future<RunLoop.Ending> run : running) {
                ended &= run.get() == RunLoop.Ending.ENDED;
            }
            return ended;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException problem) {
                throw problem;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private Callable<RunLoop.Ending> prepared(String strategy) throws IOException {
        Path own = folder(folder, strategy);
        Path work = Files.createDirectories(own.resolve("work"));
        RunSpec spec = new RunSpecBuilder(RunCommand.newId(), workflow.name(), work, strategy)
                .fileEdges(workflow.fileEdges())
                .nodes(NODES, 1)
                .background(OTHERS, seed)
                .build();
        WorkflowRun run = WorkflowRun.create(
                own, spec, WorkflowRun.Tasks.of(workflow), RunSession.agentFiles(session), new EmbeddedAccess());
        DemoLane lane = new DemoLane(strategy);
        lanes.add(lane);
        return () -> {
            RunLoop.Ending ending =
                    run.execute(lane, new ManagerOptions().lease(Placement.LOCAL), new EmbeddedAccess());
            var manager = run.manager();
            lane.ends(
                    manager == null || ending != RunLoop.Ending.ENDED || manager.isFailed()
                            ? "did not complete"
                            : "makespan " + Rounded.time(makespan(own)));
            return ending;
        };
    }

    /** The recorded makespan, as in the table of all runs: the manager's time goes on until its last job has ended. */
    private static long makespan(Path folder) throws IOException {
        RecordedRun run = RecordedRun.open(folder);
        return run.record(run.now()).makespanMillis();
    }

    /** Redraws the lines on a terminal; otherwise prints those that have changed. */
    private void show(boolean screen, long from) {
        PrintWriter err = session.err();
        String time = String.format(Locale.ROOT, "%6d s  ", (System.nanoTime() - from) / 1_000_000_000L);
        if (screen && !shown.isEmpty()) {
            err.print(ESCAPE + shown.size() + "A");
        }
        for (int i = 0; i < lanes.size(); i++) {
            String line = lanes.get(i).line();
            if (screen) {
                err.println(line + ESCAPE + "K");
            } else if (i >= shown.size() || !shown.get(i).equals(line)) {
                err.println(time + line);
            }
            if (i < shown.size()) {
                shown.set(i, line);
            } else {
                shown.add(line);
            }
        }
        err.flush();
    }

    /** Cancels all runs after a signal, so that no process remains. */
    private void cancelAll(List<String> strategies, ExecutorService threads) {
        try {
            for (String strategy : strategies) {
                new Requests(folder(folder, strategy)).cancel();
            }
            threads.awaitTermination(HOOK_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitStatus.INTERRUPTED);
    }

    /** The progress of one of several runs, as a line that is redrawn after each event. */
    private static final class DemoLane implements RunListener {
        private static final int BAR = 32;

        private final String strategy;
        private volatile String line;

        DemoLane(String strategy) {
            this.strategy = strategy;
            line = named(strategy) + "starting";
        }

        String line() {
            return line;
        }

        /** Sets the final text of the line. */
        private static int count(int size, IntPredicate which) {
            return (int) IntStream.range(0, size).filter(which).count();
        }

        void ends(String words) {
            line = named(strategy) + words;
        }

        @Override
        public void turned(Manager manager) {
            int size = manager.workflow().size();
            int done = count(size, task -> manager.state(task) == TaskState.DONE);
            int running = count(size, manager::isRunning);
            int queued = count(manager.pilotJobs(), i -> manager.pilotJob(i).isQueued());
            int full = BAR * done / size;
            int busy = Math.min(BAR - full, BAR * running / size);
            line = named(strategy) + "[" + "#".repeat(full) + "+".repeat(busy) + ".".repeat(BAR - full - busy) + "] "
                    + done
                    + " of " + size + " tasks done, " + running + " running; jobs: " + (manager.pilotJobs() - queued)
                    + " running, " + queued + " queued";
        }

        @Override
        public void message(String text) {}
    }
}
