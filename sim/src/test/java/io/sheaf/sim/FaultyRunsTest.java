package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Rules;
import io.sheaf.manager.RunController;
import io.sheaf.manager.TaskState;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that every task is committed once although jobs and tasks are refused, lost or fail, and reports are late or
 * duplicated.
 */
class FaultyRunsTest {
    private static final int NODES = 8;
    private static final long MINUTE = 60_000;
    private static final Rules PATIENT = Rules.DEFAULT.maxLosses(1000);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "auto",
                "onejob",
                "onejobpertask",
                "levelbylevel",
                "giant",
                "zhang",
                "zhang:global=false,sizing=false,bsearch=false",
                "glume"
            })
    void everyTaskIsCommittedOnce(String strategy) {
        int refused = 0;
        int late = 0;
        int lost = 0;
        for (int seed = 0; seed < 24; seed++) {
            Watched run = run(strategy, seed, PATIENT.sharedFiles(seed % 2 == 1), faults(seed), 1000);
            assertThat(run.manager.isFailed()).isFalse();
            for (int task = 0; task < run.workflow.size(); task++) {
                assertThat(run.manager.state(task)).as(strategy + " " + seed).isEqualTo(TaskState.DONE);
            }
            refused += run.refusals;
            late += run.lateSuccesses;
            lost += run.manager.reruns();
        }
        assertThat(refused).as("jobs were refused").isPositive();
        assertThat(late).isPositive();
        assertThat(lost).isGreaterThan(24);
    }

    /** Faults of one or two kinds, or all kinds together, depending on the seed. */
    private static Faults faults(int seed) {
        return switch (seed % 6) {
            case 0 -> Faults.parse("late=0.5,delay=20m,twice=0.3", seed);
            case 1 -> Faults.parse("task=0.2,refuse=0.3", seed);
            case 2 -> Faults.parse("job=0.3,node=0.2", seed);
            case 3 -> Faults.parse("late=0.9,delay=3h,twice=0.5", seed);
            case 4 -> Faults.parse("silent=0.4,late=0.2", seed);
            default ->
                Faults.parse("task=0.1,job=0.2,node=0.1,refuse=0.2,silent=0.1,late=0.4,delay=1h,twice=0.2", seed);
        };
    }

    @Test
    void withoutRetriesOnlyTasksAfterAFailureAreSkipped() {
        int failed = 0;
        for (int seed = 0; seed < 30; seed++) {
            Watched run = run("zhang", seed, PATIENT.keepGoing(true), Faults.parse("task=0.1,late=0.1", seed), 0);
            Workflow workflow = run.workflow;
            for (int task = 0; task < workflow.size(); task++) {
                boolean parentsDone = true;
                for (int i = 0; i < workflow.parents(task); i++) {
                    parentsDone &= run.manager.state(workflow.parent(task, i)) == TaskState.DONE;
                }
                TaskState state = run.manager.state(task);
                assertThat(state).isIn(TaskState.DONE, TaskState.FAILED, TaskState.SKIPPED);
                assertThat(state == TaskState.SKIPPED).isEqualTo(!parentsDone);
                failed += state == TaskState.FAILED ? 1 : 0;
            }
        }
        assertThat(failed).isPositive();
    }

    @Test
    void withoutKeepGoingTheRunEndsWithoutPilotJobs() {
        for (int seed = 0; seed < 15; seed++) {
            Watched run = run("onejobpertask", seed, PATIENT, Faults.parse("task=0.3,late=0.1", seed), 0);
            assertThat(run.manager.isFinished()).isTrue();
            assertThat(run.manager.pilotJobs()).isZero();
        }
    }

    private static Watched run(String strategy, int seed, Rules rules, Faults faults, int retries) {
        RandomStream random = new RandomStream(seed);
        int cores = random.chance(0.7) ? 1 : 4;
        Workflow workflow = retrying(RandomRuns.workflow(random, cores), retries);
        SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, NODES), Policy.conservative(), NODES);
        queue.advanceTo(random.nextInt(600) * MINUTE);
        TaskTimes times = random.chance(0.5) ? TaskTimes.AS_EXPECTED : TaskTimes.spread(0.3, seed);
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(cores), random.between(2, 16))
                .taking(times)
                .recording(true)
                .with(faults)
                .rules(any -> rules.node(Resources.node(cores)));
        Manager manager = WorkflowSimulation.manager(
                queue,
                workflow,
                Strategies.named(strategy, new RunTimes(workflow, Profile.OWN.planOrder(), cores), Profile.OWN),
                setup,
                DecisionSink.NOTHING);
        Watched watched = new Watched(manager, workflow);
        new WorkflowSimulation(queue, queue.now(), workflow, setup, watched).simulate();
        assertThat(queue.ownJobs()).as("own jobs left in the queue").isZero();
        return watched;
    }

    private static Workflow retrying(Workflow workflow, int retries) {
        WorkflowBuilder builder = workflow.extend();
        for (int task = 0; task < workflow.size(); task++) {
            builder.retries(task, retries);
        }
        return builder.build();
    }

    /** Checks after every event that committed tasks succeeded, stay committed, and ran after their parents. */
    private static final class Watched implements RunController {
        final Manager manager;
        final Workflow workflow;
        private final RunController controller;
        private final Set<Long> succeeded = new HashSet<>();
        private final Map<Long, Boolean> ended = new HashMap<>();
        private final int[] committed;
        int refusals;
        int lateSuccesses;

        Watched(Manager manager, Workflow workflow) {
            this.manager = manager;
            this.workflow = workflow;
            controller = manager;
            committed = new int[workflow.size()];
        }

        @Override
        public void on(Event event, Effects out) {
            if (event instanceof Event.TaskEnded task && task.outcome() == Event.Outcome.SUCCEEDED) {
                succeeded.add(key(task.task(), task.attempt()));
                boolean fresh = manager.committed(task.task()) == 0;
                lateSuccesses += fresh && ended.containsKey(task.token()) ? 1 : 0;
            } else if (event instanceof Event.Ended end) {
                ended.put(end.token(), true);
            } else if (event instanceof Event.Refused) {
                refusals++;
            }
            controller.on(event, out);
            check();
        }

        private void check() {
            for (int task = 0; task < committed.length; task++) {
                int attempt = manager.committed(task);
                if (committed[task] == 0 && attempt != 0) {
                    committed[task] = attempt;
                    assertThat(succeeded).contains(key(task, attempt));
                } else if (committed[task] != attempt) {
                    throw new AssertionError("task " + task + " was committed before");
                }
            }
            for (int task = 0; task < committed.length; task++) {
                for (int i = 0; manager.attempts(task) > 0 && i < workflow.parents(task); i++) {
                    if (committed[workflow.parent(task, i)] == 0) {
                        throw new AssertionError("task " + task + " ran before its parents were committed");
                    }
                }
            }
        }

        private static long key(int task, int attempt) {
            return 1000L * task + attempt;
        }

        @Override
        public @Nullable Decision settle(long at, Effects out) {
            return controller.settle(at, out);
        }

        @Override
        public boolean isFinished() {
            return controller.isFinished();
        }

        @Override
        public @Nullable String paused() {
            return controller.paused();
        }
    }
}
