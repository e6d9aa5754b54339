package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.CheckpointMaker;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.TaskState;
import io.sheaf.planner.Policies;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.testing.ManagerState;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests runs that grow under faults, and whose tasks are held, released and dropped at random: each completes, and a
 * run that is restored from its journal at any record is the same.
 */
class GrowingRunsTest {
    private static final int NODES = 8;
    private static final long MINUTE = 60_000;
    private static final int SEEDS = 4;

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume", "hybrid"})
    void growingRunsComplete(String name) {
        checkCompletion(name, SEEDS);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume", "hybrid"})
    void manyMoreGrowingRunsComplete(String name) {
        checkCompletion(name, 60);
    }

    private static void checkCompletion(String name, int seeds) {
        int grown = 0;
        int done = 0;
        for (int seed = 0; seed < seeds; seed++) {
            Case run = new Case(name, seed);
            JournalledManager original = run.simulate(-1);
            String label = name + " seed " + seed;
            assertThat(original.manager.isFinished()).as(label).isTrue();
            assertThat(original.manager.pilotJobs()).as(label).isZero();
            assertThat(original.manager.workflow().size()).isEqualTo(run.forest.size());
            for (int task = 0; task < run.forest.size(); task++) {
                boolean parentsDone = true;
                for (int i = 0; i < run.forest.parents(task); i++) {
                    parentsDone &= original.manager.committed(run.forest.parent(task, i)) > 0;
                }
                TaskState state = original.manager.state(task);
                assertThat(state).as(label).isIn(TaskState.DONE, TaskState.FAILED, TaskState.SKIPPED);
                assertThat(state == TaskState.DONE).as(label).isEqualTo(original.manager.committed(task) > 0);
                assertThat(state != TaskState.DONE || parentsDone)
                        .as("task " + task + " after its parents: " + label)
                        .isTrue();
                done += state == TaskState.DONE ? 1 : 0;
            }
            grown += run.additions.size();
        }
        assertThat(grown).isGreaterThan(seeds);
        assertThat(done).isGreaterThan(seeds * 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "glume", "onejobpertask"})
    void replayReproducesEveryStateAndTheRestOfTheRun(String name) {
        checkReplay(name, 3, false);
    }

    /** Most of the time more tasks are expected, so that nodes are kept; task times are upper limits of users. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "glume"})
    void replayReproducesRunsThatAwaitMoreTasks(String name) {
        checkReplay(name, 2, true);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"auto", "glume", "onejobpertask"})
    void replayReproducesManyMoreRuns(String name) {
        checkReplay(name, 30, false);
    }

    private static void checkReplay(String name, int seeds, boolean awaited) {
        for (int seed = 0; seed < seeds; seed++) {
            Case run = new Case(name, seed, awaited);
            JournalledManager first = run.simulate(-1);
            first.checkReplay(run.manager(), name + " seed " + seed);
            int step = Math.max(1, first.journal.size() / 4);
            for (int crash = seed % step; crash < first.journal.size(); crash += step) {
                first.checkSame(run.simulate(crash), name + " seed " + seed + " crash " + crash);
            }
        }
    }

    /** A manager that receives the tasks and then a checkpoint equals the original from then on. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "glume", "onejobpertask", "asa"})
    void aCheckpointReproducesTheRestOfTheRun(String name) {
        for (int seed = 0; seed < 7; seed++) {
            Case run = new Case(name, seed);
            JournalledManager original = run.simulate(-1);
            int step = Math.max(1, original.journal.size() / 4);
            for (int at = seed % step; at < original.journal.size(); at += step) {
                Manager restored = restore(run, original, at);
                String label = name + " seed " + seed + " checkpoint at " + at + " record ";
                assertThat(ManagerState.of(restored)).as(label + at).isEqualTo(original.states.get(at));
                for (int i = at + 1; i < original.journal.size() && run.isOrderly(); i++) {
                    original.journal.get(i).replay(restored);
                    assertThat(ManagerState.of(restored)).as(label + i).isEqualTo(original.states.get(i));
                }
            }
        }
    }

    private static Manager restore(Case run, JournalledManager original, int at) {
        Manager before = run.manager();
        Manager restored = run.manager();
        for (int i = 0; i <= at; i++) {
            JournalledManager.JournalEntry entry = original.journal.get(i);
            entry.replay(before);
            if (entry.event() instanceof Event.Grown) {
                entry.replay(restored);
            }
        }
        CheckpointMaker maker = before.checkpoint();
        restored.on(new Event.Restored(before.now(), maker.create(List.of(), 0)), new NoEffects());
        return restored;
    }

    @Test
    void casesIncludeHeldAndDroppedTasks() {
        int held = 0;
        int dropped = 0;
        for (int seed = 0; seed < 3 * SEEDS; seed++) {
            for (JournalledManager.JournalEntry entry : new Case("zhang", seed).simulate(-1).journal) {
                held += entry.event() instanceof Event.Held h && h.held() ? 1 : 0;
                dropped += entry.event() instanceof Event.Dropped ? 1 : 0;
            }
        }
        assertThat(held).isGreaterThan(5);
        assertThat(dropped).isGreaterThan(5);
    }

    /** A run with the requests of its user. */
    private static final class Case {
        private final String name;
        private final Workflow first;
        private final Workflow forest;
        private final List<Addition> additions = new ArrayList<>();
        private final int seed;
        /** Whether more tasks are expected most of the time, and task times are upper limits of users. */
        private final boolean awaited;

        private final int cores;
        private final SimulatedQueue queue;
        private final SimulationSetup setup;

        Case(String name, int seed) {
            this(name, seed, false);
        }

        Case(String name, int seed, boolean awaited) {
            this.name = name;
            this.seed = seed;
            this.awaited = awaited;
            RandomStream random = new RandomStream(seed);
            cores = random.chance(0.7) ? 1 : 4;
            first = RandomRuns.workflow(random, cores);
            Workflow all = first;
            for (int i = random.between(1, 4); i > 0; i--) {
                Workflow more = RandomRuns.workflow(random, cores).prefixed("w" + i + "/");
                Addition added = Addition.of(new Origin("w" + i, i % 2 == 0 ? "ann" : "bob", i / 3, ""), more);
                for (int edge = random.nextInt(3); edge > 0; edge--) {
                    added = added.after(random.nextInt(all.size()), random.nextInt(more.size()));
                }
                additions.add(added);
                all = all.plus(added);
            }
            forest = all;
            queue = new SimulatedQueue(RandomRuns.background(random, NODES), Policy.conservative(), NODES);
            queue.advanceTo(random.nextInt(600) * MINUTE);
            Faults faults = seed % 3 == 0
                    ? Faults.NONE
                    : Faults.parse("task=0.1,job=0.2,node=0.1,refuse=0.2,silent=0.2,late=0.5,delay=1h,twice=0.2", seed);
            setup = SimulationSetup.of(Profile.OWN, Resources.node(cores), random.between(2, 16))
                    .taking(TaskTimes.spread(0.3, seed))
                    .recording(true)
                    .with(faults)
                    .rules(rules -> rules.keepGoing(true).ample(awaited).hold(awaited ? 5 * MINUTE : 0));
        }

        /** Random choices depend on the order of tasks in the pool, which a checkpoint does not store. */
        boolean isOrderly() {
            return seed % 4 == 3 || !policy().equals("random");
        }

        private String policy() {
            return Policies.NAMES.get(seed % Policies.NAMES.size());
        }

        Strategy strategy() {
            return PerWorkflow.of(
                    first, w -> Strategies.named(name, new RunTimes(w, Profile.OWN.planOrder(), cores), Profile.OWN));
        }

        Manager manager() {
            return manager(queue, strategy());
        }

        /** A manager that shares nodes between workflows by one of the policies, or by the ranks of all tasks. */
        Manager manager(SimulatedQueue on, Strategy by) {
            Manager made = WorkflowSimulation.manager(on, first, by, setup, DecisionSink.NOTHING);
            if (seed % 4 != 3) {
                made.shareBetweenWorkflows(Policies.named(policy(), seed), Map.of("ann", 2.0));
            }
            return made;
        }

        JournalledManager simulate(int crashAfter) {
            SimulatedQueue fork = queue.fork();
            UserRequests controller = new UserRequests(this, fork, crashAfter);
            new WorkflowSimulation(fork, fork.now(), forest, setup, controller).simulate();
            return controller;
        }

        /** The requests of the user, in order; the last ones release all tasks and close the run. */
        Deque<Event> requests() {
            RandomStream random = new RandomStream(1_000 + seed);
            Deque<Event> requests = new ArrayDeque<>();
            int size = first.size();
            for (Addition added : additions) {
                if (random.chance(0.5)) {
                    requests.add(new Event.Held(0, random.nextInt(size), random.between(1, 10), true));
                }
                requests.add(new Event.Grown(0, added));
                size += added.tasks().size();
                if (random.chance(0.5)) {
                    requests.add(new Event.Dropped(0, random.nextInt(size), random.between(1, 4)));
                }
                if (random.chance(0.5)) {
                    requests.add(new Event.Held(0, 0, size, false));
                }
            }
            requests.add(new Event.Held(0, 0, size, false));
            requests.add(new Event.Closed(0));
            return requests;
        }
    }

    /** A manager with a journal that receives user requests. */
    private static final class UserRequests extends JournalledManager {
        private final Case run;
        private final Deque<Event> requests;
        private int settled;

        UserRequests(Case run, SimulatedQueue queue, int crashAfter) {
            super(run.strategy(), by -> run.manager(queue, by), crashAfter);
            this.run = run;
            requests = run.requests();
        }

        @Override
        public @Nullable Decision settle(long at, Effects out) {
            if (settled++ == 0) {
                on(new Event.Opened(at), out);
            }
            if (run.awaited && settled % 5 == 1) {
                List<ExpectedTasks> expected = List.of(new ExpectedTasks(settled % 7 + 1, 10 * MINUTE, 1));
                on(new Event.Awaited(at, settled % 20 != 1, expected), out);
            }
            if (settled % 9 == 0 && !requests.isEmpty()) {
                request(at, out);
            }
            Decision decision = super.settle(at, out);
            while (manager.pilotJobs() == 0 && manager.paused() == null && isIdle() && !requests.isEmpty()) {
                request(at, out);
                decision = super.settle(at, out);
            }
            return decision;
        }

        private boolean isIdle() {
            for (int task = 0; task < manager.workflow().size(); task++) {
                if (!manager.isDone(task)) {
                    return false;
                }
            }
            return true;
        }

        private void request(long at, Effects out) {
            Event event = requests.remove();
            if (event instanceof Event.Grown grown) {
                on(new Event.Grown(at, grown.added()), out);
            } else if (event instanceof Event.Held held) {
                on(new Event.Held(at, held.first(), held.count(), held.held()), out);
            } else if (event instanceof Event.Dropped dropped) {
                on(new Event.Dropped(at, dropped.first(), dropped.count()), out);
            } else {
                on(new Event.Closed(at), out);
            }
        }
    }
}
