package io.sheaf.advice;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Claim;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a strategy would submit now for a workflow of which nothing is in the queue yet.
 *
 * <p>Tasks that are done are left out of the workflow. The same question, the same answer: nothing is remembered between two.
 *
 * @param jobs to be submitted, in this order; none where the strategy would wait
 * @param options what was weighed against each other
 * @param why what was chosen, in words; empty where the strategy has nothing to say
 */
public record Advice(List<Job> jobs, List<Option> options, String why) {
    /**
     * A batch job to be submitted.
     *
     * @param walltime the time to ask for
     * @param tasks the ids of those that it may run, in the workflow's order
     * @param startsIn how long it would wait, if no other job arrives and all jobs run for their requested time; null if it would never start
     */
    public record Job(
            int nodes,
            Duration walltime,
            List<String> tasks,
            @Nullable Duration startsIn) {
        /** Copies the list. */
        public Job {
            tasks = List.copyOf(tasks);
        }
    }

    /**
     * Something that was considered.
     *
     * @param what in words
     * @param startsIn how long it would wait; null if it would never start
     * @param makespan until the workflow would end; null where the strategy does not estimate it
     */
    public record Option(
            String what,
            int nodes,
            Duration walltime,
            @Nullable Duration startsIn,
            @Nullable Duration makespan) {}

    /** Copies the lists. */
    public Advice {
        jobs = List.copyOf(jobs);
        options = List.copyOf(options);
    }

    /**
     * Asks a strategy.
     *
     * @param coresPerNode of each node
     * @param strategy its name, as {@code sheaf simulate --strategy} takes it: {@code glume}, {@code zhang:global=false}
     * @param cap the most jobs of ours at once
     */
    public static Advice of(Workflow workflow, QueuePicture queue, int coresPerNode, String strategy, int cap) {
        BatchEngine engine = queue.settled();
        RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), coresPerNode);
        Strategy asked = Strategies.named(strategy, times, Profile.OWN);
        Weighed weighed = new Weighed();
        Manager manager = new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                asked,
                new EngineEstimator(engine),
                weighed,
                queue.nodes(),
                coresPerNode,
                cap);
        Starts starts = new Starts(engine.fork());
        manager.settle(QueuePicture.NOW, starts);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            jobs.add(new Job(
                    p.request().units(),
                    Duration.ofMillis(p.request().walltime()),
                    tasks(workflow, p.claim()),
                    within(starts.found.get(i))));
        }
        return new Advice(jobs, weighed.options, weighed.why);
    }

    private static List<String> tasks(Workflow workflow, Claim claim) {
        List<String> ids = new ArrayList<>();
        for (int task = 0; task < workflow.size(); task++) {
            int level = workflow.level(task);
            if (level >= claim.firstLevel()
                    && level <= claim.lastLevel()
                    && claim.tasks().contains(task)) {
                ids.add(workflow.id(task));
            }
        }
        return ids;
    }

    private static @Nullable Duration within(long start) {
        return start == Long.MAX_VALUE ? null : Duration.ofMillis(start - QueuePicture.NOW);
    }

    /** Takes down what the strategy weighed. */
    private static final class Weighed implements Considered {
        private final List<Option> options = new ArrayList<>();
        private String why = "";

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public void asked(long at) {}

        @Override
        public void option(String what, int nodes, long walltime, long wait, long makespan) {
            options.add(new Option(
                    what,
                    nodes,
                    Duration.ofMillis(walltime),
                    wait == Long.MAX_VALUE ? null : Duration.ofMillis(wait),
                    makespan < 0 || makespan == Long.MAX_VALUE ? null : Duration.ofMillis(makespan)));
        }

        @Override
        public void chosen(String words) {
            why = words;
        }
    }

    /** Puts what is submitted into the queue, each behind the ones before, and takes down when it would start. */
    private static final class Starts extends NoEffects {
        private final BatchEngine engine;
        private final Submission submission = new Submission();
        private final List<Long> found = new ArrayList<>();

        Starts(BatchEngine engine) {
            this.engine = engine;
        }

        @Override
        public void submit(long token, Request request) {
            submission.size(request.units(), request.walltime());
            if (request.notBefore() != Request.AT_ONCE) {
                submission.notBefore(request.notBefore());
            }
            found.add(engine.estimate(QueuePicture.NOW, submission));
            engine.submit(QueuePicture.NOW, submission);
        }
    }
}
