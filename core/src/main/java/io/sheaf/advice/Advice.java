package io.sheaf.advice;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Claim;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.UnknownTimes;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a strategy would submit now for a workflow without queued jobs.
 *
 * <p>Omit completed tasks from the workflow. The result is deterministic and calls share no state.
 *
 * @param jobs the jobs to submit, in this order; empty if the strategy would wait
 * @param options the options that the strategy compared
 * @param reason the choice and its reason; empty if the strategy records none
 */
public record Advice(List<Job> jobs, List<Option> options, String reason) {
    /**
     * A batch job to submit.
     *
     * @param walltime the walltime to request
     * @param tasks the ids of the tasks that it may run, in workflow order
     * @param startsIn its queue wait if no other job arrives and all jobs run for their requested time; null if it would never start
     */
    public record Job(
            int nodes,
            Duration walltime,
            List<String> tasks,
            @Nullable Duration startsIn) {
        public Job {
            tasks = List.copyOf(tasks);
        }
    }

    /**
     * An option that the strategy compared.
     *
     * @param label a description
     * @param startsIn its queue wait; null if it would never start
     * @param makespan until the workflow would end; null if the strategy does not estimate it
     */
    public record Option(
            String label,
            int nodes,
            Duration walltime,
            @Nullable Duration startsIn,
            @Nullable Duration makespan) {}

    public Advice {
        jobs = List.copyOf(jobs);
        options = List.copyOf(options);
    }

    /**
     * Returns the decision of a strategy. Where run times are unknown, walltimes are quantiles of what is believed about them.
     *
     * @param coresPerNode of each node
     * @param strategy its name, as for {@code sheaf simulate --strategy}: {@code glume}, {@code zhang:global=false}
     * @param cap the maximum number of our jobs at once
     */
    public static Advice of(Workflow workflow, ObservedQueue queue, int coresPerNode, String strategy, int cap) {
        BatchEngine engine = queue.settled();
        RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), coresPerNode);
        Strategy chosenStrategy = UnknownTimes.named(strategy, times, Profile.OWN);
        Weighed sink = new Weighed();
        Manager manager = new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                chosenStrategy,
                new EngineEstimator(engine),
                sink,
                queue.nodes(),
                cap,
                Rules.DEFAULT.node(Resources.node(coresPerNode)));
        Starts starts = new Starts(engine.fork());
        manager.settle(ObservedQueue.NOW, starts);
        List<Job> jobs = new ArrayList<>();
        for (PilotJob p : manager.jobs()) {
            jobs.add(new Job(
                    p.request().units(),
                    Duration.ofMillis(p.request().walltime()),
                    tasks(workflow, p.claim()),
                    within(starts.found.get(jobs.size()))));
        }
        return new Advice(jobs, sink.options, sink.reason);
    }

    private static List<String> tasks(Workflow workflow, Claim claim) {
        return IntStream.range(0, workflow.size())
                .filter(task -> claim.has(task, workflow.level(task)))
                .mapToObj(workflow::id)
                .toList();
    }

    private static @Nullable Duration within(long start) {
        return start == Long.MAX_VALUE ? null : Duration.ofMillis(start - ObservedQueue.NOW);
    }

    /** Records the options of the strategy. */
    private static final class Weighed implements DecisionSink {
        private final List<Option> options = new ArrayList<>();
        private String reason = "";

        @Override
        public void option(String label, int nodes, long walltime, long wait, long makespan) {
            options.add(new Option(
                    label,
                    nodes,
                    Duration.ofMillis(walltime),
                    wait == Long.MAX_VALUE ? null : Duration.ofMillis(wait),
                    makespan < 0 || makespan == Long.MAX_VALUE ? null : Duration.ofMillis(makespan)));
        }

        @Override
        public void chosen(String words) {
            reason = words;
        }
    }

    /** Adds submitted jobs to the queue in order and records their estimated starts. */
    private static final class Starts extends NoEffects {
        private final BatchEngine engine;
        private final List<Long> found = new ArrayList<>();

        Starts(BatchEngine engine) {
            this.engine = engine;
        }

        @Override
        public void submit(long token, Request request) {
            Submission submission =
                    Submission.of(request.units(), request.walltime()).notBefore(request.notBefore());
            found.add(engine.estimate(ObservedQueue.NOW, submission));
            engine.submit(ObservedQueue.NOW, submission);
        }
    }
}
