package io.sheaf.app.run;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Session;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.lab.savings.JobName;
import io.sheaf.report.Job;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.past.PastQueue;
import io.sheaf.runtime.past.QueueSnapshots;
import io.sheaf.runtime.recorded.Regret;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.TaskTimes;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A shadow run: watches a workflow that another tool runs on a batch system, and simulates what a strategy would have done in the same queue. It submits
 * nothing.
 *
 * <h2>Observation</h2>
 * The tool's jobs are those of the user whose names begin with a prefix. Each observation records them, the rest of the queue, and predicted starts of
 * queued jobs, all durably in the shadow's folder and the state folder. It ends when no such job is left and all output files exist, or after ten minutes
 * without jobs.
 *
 * <h2>Simulation</h2>
 * The strategy decides in the recorded queue without the tool's jobs, from the tool's first submission on, and sees no more of the future than a real run. Tasks take the
 * run times of the tool's jobs of the same rule or process; other tasks the mean of all jobs.
 */
final class ShadowRun {
    private static final long GIVE_UP = 600_000;

    private final Workflow workflow;
    private final RunSpec spec;
    private final Path work;
    private final Path folder;
    private final WhatIf cluster;
    private final WatchedJobs jobs;
    private final Set<String> predicted = new HashSet<>();
    private List<WhatIf.Checked> checked = List.of();

    /** What came of it. */
    private record Result(
            long makespan, int jobs, long nodeMillis, long waited, SimulatedRun simulated, List<String> unknown) {}

    ShadowRun(Workflow workflow, RunSpec spec, Path work, Path folder, WhatIf cluster) throws IOException {
        this.workflow = workflow;
        this.spec = spec;
        this.work = work;
        this.folder = Files.createDirectories(folder);
        this.cluster = cluster;
        jobs = new WatchedJobs(folder);
    }

    /** Watches until the workflow has ended. */
    void watch(String prefix, long pause) throws IOException, InterruptedException {
        try (QueueSnapshots background = new QueueSnapshots(folder)) {
            long idleSince = System.nanoTime();
            while (true) {
                long now = System.currentTimeMillis();
                WhatIf.Watched seen = cluster.watch(now, prefix, background::saw);
                int queued = jobs.observe(now, seen.jobs());
                seen.jobs().forEach(job -> predicted.add(job.id()));
                checked = seen.checks().started();
                long idle = (System.nanoTime() - idleSince) / 1_000_000;
                if (queued > 0) {
                    idleSince = System.nanoTime();
                } else if ((!jobs.all().isEmpty() && hasOutputs()) || idle > GIVE_UP) {
                    return;
                }
                Thread.sleep(pause);
            }
        }
    }

    private boolean hasOutputs() {
        for (int task = 0; task < workflow.size(); task++) {
            for (int i = 0; i < workflow.outputs(task); i++) {
                if (!Files.exists(work.resolve(workflow.fileName(workflow.output(task, i))))) {
                    return false;
                }
            }
        }
        return true;
    }

    private Result result() throws IOException {
        List<QueueSnapshot> seen = QueueSnapshots.read(folder);
        if (jobs.all().isEmpty() || seen.isEmpty()) {
            throw new InputException("not enough data: no job of the watched workflow was seen in the queue")
                    .in(folder.toString());
        }
        long begin = Long.MAX_VALUE;
        long end = 0;
        long nodeMillis = 0;
        long waited = 0;
        for (WatchedJobs.Job job : jobs.all()) {
            begin = Math.min(begin, job.seen());
            end = Math.max(end, job.end());
            nodeMillis += job.ran() * job.nodes();
            waited += Math.max(0, job.start() - job.seen());
        }
        PastQueue past = PastQueue.of(seen);
        SimulatedQueue queue = past.queue().fork();
        long start = Math.max(queue.now(), begin);
        queue.advanceTo(start);
        SimulatedRun run = Regret.simulated(spec, workflow, null, queue, start, times(), spec.strategy());
        return new Result(end - begin, jobs.all().size(), nodeMillis, waited, run, past.unknown());
    }

    /** By task: the run time of a job of the same rule or process, or the mean of all jobs. */
    private TaskTimes times() {
        Map<String, List<Long>> byKind = new HashMap<>();
        long sum = 0;
        int count = 0;
        for (WatchedJobs.Job job : jobs.all()) {
            if (job.ran() > 0) {
                byKind.computeIfAbsent(JobName.of(job.name()).stem(), kind -> new ArrayList<>())
                        .add(job.ran());
                sum += job.ran();
                count++;
            }
        }
        long mean = Math.max(1, count == 0 ? 1 : sum / count);
        Map<String, Integer> next = new HashMap<>();
        long[] took = new long[workflow.size()];
        for (int i = 0; i < took.length; i++) {
            int task = workflow.inOrder(i);
            String kind = workflow.category(task).name();
            List<Long> measured = byKind.getOrDefault(kind, List.of(mean));
            int number = next.merge(kind, 1, Integer::sum) - 1;
            took[task] = Math.max(1, measured.get(number % measured.size()));
        }
        return (of, task, attempt) -> took[task];
    }

    /** By how many milliseconds jobs started later than predicted at their first observation; sorted by size. */
    private long[] errors() {
        return checked.stream()
                .filter(each -> predicted.contains(each.job()))
                .mapToLong(each -> each.waited() - each.engine())
                .sorted()
                .toArray();
    }

    private static long median(long[] errors) {
        long[] sizes = Arrays.stream(errors).map(Math::abs).sorted().toArray();
        return sizes[sizes.length / 2];
    }

    void report(Session session, boolean json) throws IOException {
        Result result = result();
        if (json) {
            JsonOut.print(session.out(), out -> fields(out, result));
        } else {
            print(session.out(), result);
        }
    }

    private void print(PrintWriter out, Result result) {
        SimulatedRun run = result.simulated();
        String other = spec.strategy() + " would have ";
        out.println("shadow run of '" + workflow.name() + "': " + workflow.size() + " tasks; nothing was submitted");
        out.println(Fields.line(
                "measured",
                "makespan " + Rounded.time(result.makespan()) + ", " + result.jobs() + " jobs, "
                        + Rounded.hours(result.nodeMillis()) + " node-hours, queue wait "
                        + Rounded.time(result.waited())
                        + " total"));
        out.println(Fields.line(
                spec.strategy(),
                run.completed()
                        ? "makespan " + Rounded.time(run.makespanMillis()) + ", " + run.jobsSubmitted() + " jobs, "
                                + Rounded.hours(run.heldNodeMillis()) + " node-hours, queue wait "
                                + Rounded.time(run.waitMillis()) + " total (simulated)"
                        : "did not complete in the simulation: " + run.why()));
        long[] errors = errors();
        out.println(Fields.line(
                "forecast",
                errors.length == 0
                        ? "not enough data: no job was seen to wait and start"
                        : "starts of " + errors.length + " jobs predicted, median error "
                                + Rounded.time(median(errors))));
        out.println();
        out.println(other + "submitted");
        pilotJobs(run.start()).table(out, run.pilotJobs());
        for (String each : result.unknown()) {
            out.println();
            out.println("not known: " + each);
        }
    }

    private static Fields<Job> pilotJobs(long start) {
        return new Fields<Job>()
                .time("after", "submittedSeconds", job -> job.submitted() - start)
                .count("nodes", "nodes", Job::nodes)
                .time("walltime", "walltimeSeconds", Job::walltime)
                .right("started after", job -> job.started() == Job.NEVER ? "-" : Rounded.time(job.started() - start))
                .right("ended after", job -> job.ended() == Job.NEVER ? "-" : Rounded.time(job.ended() - start))
                .decimal(
                        "startedSeconds",
                        3,
                        job -> job.started() == Job.NEVER ? Double.NaN : (job.started() - start) / 1000.0)
                .decimal(
                        "endedSeconds",
                        3,
                        job -> job.ended() == Job.NEVER ? Double.NaN : (job.ended() - start) / 1000.0)
                .text("end", "end", job -> job.how().word());
    }

    private void fields(JsonOut out, Result result) {
        SimulatedRun run = result.simulated();
        long[] errors = errors();
        out.field("workflow", workflow.name())
                .field("strategy", spec.strategy())
                .field("tasks", workflow.size())
                .object("measured")
                .seconds("makespanSeconds", result.makespan() * 1000)
                .field("jobs", result.jobs())
                .decimal("nodeHours", result.nodeMillis() / 3.6e6, 4)
                .seconds("waitSeconds", result.waited() * 1000)
                .end()
                .object("simulated")
                .field("completed", run.completed())
                .seconds("makespanSeconds", run.makespanMillis() * 1000)
                .field("jobs", run.jobsSubmitted())
                .decimal("nodeHours", run.heldNodeMillis() / 3.6e6, 4)
                .seconds("waitSeconds", run.waitMillis() * 1000)
                .end()
                .object("forecast")
                .field("jobs", errors.length)
                .decimal("medianErrorSeconds", errors.length == 0 ? Double.NaN : median(errors) / 1000.0, 3)
                .end();
        pilotJobs(run.start()).array(out, "pilotJobs", run.pilotJobs());
        out.array("unknown");
        result.unknown().forEach(out::value);
        out.end();
    }
}
