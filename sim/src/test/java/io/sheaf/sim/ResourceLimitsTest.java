package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.MemoryGrowth;
import io.sheaf.manager.Request;
import io.sheaf.manager.RunController;
import io.sheaf.manager.TaskState;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that tasks never exceed a resource of a node or of the run, for random workflows, nodes and faults, and that
 * all complete.
 */
class ResourceLimitsTest {
    private static final int NODES = 8;
    private static final int CORES = 4;
    private static final long MINUTE = 60_000;
    private static final long GIB = 1L << 30;
    private static final Resources NODE =
            Resources.node(CORES, 64 * GIB, 2).named(NamedAmounts.of(Map.of("gpu:a100", 1L, "scratch", 100L)));
    private static final NamedAmounts LICENCES = NamedAmounts.of(Map.of("licence", 3L));

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask", "levelbylevel", "zhang", "glume", "perstage"})
    void tasksNeverExceedTheResourcesOfANode(String strategy) {
        int crowded = 0;
        int grown = 0;
        int small = 0;
        for (int seed = 0; seed < 24; seed++) {
            Watched run = run(strategy, seed, false);
            assertThat(run.manager.isFailed()).isFalse();
            for (int task = 0; task < run.manager.workflow().size(); task++) {
                assertThat(run.manager.state(task)).as(strategy + " " + seed).isEqualTo(TaskState.DONE);
            }
            crowded += run.crowded;
            grown += run.grown;
            small += run.small;
        }
        assertThat(crowded).as("memory was short").isPositive();
        assertThat(grown).as("requests grew").isPositive();
        assertThat(small).as("nodes were smaller than expected").isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "glume"})
    void chosenCoresNeverExceedANode(String strategy) {
        int chosen = 0;
        for (int seed = 0; seed < 24; seed++) {
            Watched run = run(strategy, seed, true);
            for (int task = 0; task < run.manager.workflow().size(); task++) {
                assertThat(run.manager.state(task)).as(strategy + " " + seed).isEqualTo(TaskState.DONE);
            }
            chosen += run.chosen;
        }
        assertThat(chosen > 0).as("cores are chosen").isEqualTo(strategy.equals("auto"));
    }

    private static Watched run(String strategy, int seed, boolean moldable) {
        RandomStream random = new RandomStream(seed);
        Workflow workflow = workflow(random);
        if (moldable) {
            workflow = moldable(workflow, random);
        }
        SimulatedQueue queue = new SimulatedQueue(RandomRuns.background(random, NODES), Policy.conservative(), NODES);
        queue.advanceTo(random.nextInt(600) * MINUTE);
        Faults faults = seed % 4 == 0
                ? Faults.parse("twice=0.01", seed)
                : Faults.parse("task=0.2,job=0.1,node=0.1,refuse=0.1,late=0.4,delay=1h,twice=0.2", seed);
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, NODE, random.between(2, 16))
                .taking(TaskTimes.spread(0.3, seed))
                .recording(true)
                .with(faults)
                .rules(rules -> rules.maxLosses(1000).perRun(LICENCES).growth(new MemoryGrowth(150, NODE.memory())));
        Manager manager = WorkflowSimulation.manager(
                queue,
                workflow,
                Strategies.named(strategy, new RunTimes(workflow, Profile.OWN.planOrder(), setup.node()), Profile.OWN),
                setup,
                DecisionSink.NOTHING);
        Watched watched = new Watched(manager, seed);
        new WorkflowSimulation(queue, queue.now(), workflow, setup, watched).simulate();
        assertThat(queue.ownJobs()).as("own jobs left in the queue").isZero();
        return watched;
    }

    private static Workflow workflow(RandomStream random) {
        WorkflowBuilder builder = RandomRuns.workflow(random, CORES).extend();
        for (int task = 0; task < builder.size(); task++) {
            Map<String, Long> named = new TreeMap<>();
            boolean typed = random.chance(0.1);
            named.put("gpu:a100", typed ? 1L : 0);
            named.put("scratch", random.chance(0.3) ? (long) random.between(1, 80) : 0);
            named.put("licence", random.chance(0.2) ? 1L : 0);
            builder.resources(
                            task,
                            new Resources(
                                    random.between(1, CORES),
                                    random.chance(0.2) ? 0 : random.between(1, 40) * GIB,
                                    typed ? 1 : random.chance(0.2) ? random.between(1, 2) : 0,
                                    random.chance(0.1) ? 2 : 1,
                                    0,
                                    NamedAmounts.of(named)))
                    .retries(task, 1000);
        }
        return builder.build();
    }

    /** Tasks that scale within a node, or over nodes, with serial fractions. */
    private static Workflow moldable(Workflow workflow, RandomStream random) {
        WorkflowBuilder builder = workflow.extend();
        for (int task = 0; task < workflow.size(); task++) {
            Resources needed = workflow.resources(task);
            Map<Integer, Long> table = new TreeMap<>();
            double serial = random.uniform(0, 0.5);
            for (int count = 1; count <= CORES; count++) {
                table.put(
                        count * (needed.nodes() == 1 ? 1 : needed.cores()),
                        Math.round(1e9 * (serial + (1 - serial) / count)));
            }
            builder.scaling(task, new Scaling(table));
        }
        return builder.build();
    }

    /** Counts the resources in use on each node. Some nodes have fewer, or more, resources than the manager expects. */
    private static final class Watched implements RunController {
        @SuppressWarnings("ArrayRecordComponent")
        private record Bound(long token, int[] nodes, int attempt, Resources needs) {}

        final Manager manager;
        private final int seed;
        private final RunController controller;
        private final Map<Integer, Bound> bound = new HashMap<>();
        int crowded;
        int grown;
        int small;
        int chosen;

        Watched(Manager manager, int seed) {
            this.manager = manager;
            this.seed = seed;
            controller = manager;
        }

        /** The real resources of a node: one in four has half of the expected ones, one in four more. */
        private Resources real(long token, int node) {
            int kind = new RandomStream(1000L * seed + 31 * token + node).nextInt(4);
            long factor = kind == 0 ? 1 : kind == 1 ? 3 : 2;
            Map<String, Long> named = new TreeMap<>();
            NODE.named().map().forEach((name, amount) -> named.put(name, amount * factor / 2));
            return Resources.node((int) (CORES * factor / 2), NODE.memory() * factor / 2, (int) factor)
                    .named(NamedAmounts.of(named));
        }

        @Override
        public void on(Event event, Effects out) {
            Event delivered = event;
            if (event instanceof Event.NodeUp up) {
                Resources resources = real(up.token(), up.node());
                small += resources.cores() < CORES ? 1 : 0;
                delivered = new Event.NodeUp(up.at(), up.token(), up.node(), resources, "");
            } else if (event instanceof Event.TaskEnded ended
                    && ended.outcome() == Event.Outcome.FAILED
                    && canGrow(ended.task())) {
                delivered = new Event.TaskEnded(
                        ended.at(), ended.token(), ended.task(), ended.attempt(), Event.Outcome.OUT_OF_MEMORY);
            }
            controller.on(delivered, recordingStarts(out));
            check();
        }

        private boolean canGrow(int task) {
            long memory = manager.needs(task).memory();
            return memory > 0 && memory < NODE.memory();
        }

        private void check() {
            Map<String, Resources> used = new HashMap<>();
            long licences = 0;
            bound.entrySet()
                    .removeIf(each -> !manager.isRunning(each.getKey())
                            || manager.attempts(each.getKey()) != each.getValue().attempt);
            for (Map.Entry<Integer, Bound> each : bound.entrySet()) {
                Bound one = each.getValue();
                licences += one.needs.named().amount("licence") * one.nodes.length;
                grown += one.needs.memory()
                                > manager.workflow().resources(each.getKey()).memory()
                        ? 1
                        : 0;
                for (int node : one.nodes) {
                    used.merge(one.token + "." + node, one.needs, Watched::plus);
                }
            }
            assertThat(licences).isLessThanOrEqualTo(LICENCES.amount("licence"));
            used.forEach((where, sum) -> {
                int dot = where.indexOf('.');
                Resources resources =
                        real(Long.parseLong(where.substring(0, dot)), Integer.parseInt(where.substring(dot + 1)));
                assertThat(sum.cores()).isLessThanOrEqualTo(resources.cores());
                assertThat(sum.memory()).isLessThanOrEqualTo(resources.memory());
                assertThat(sum.gpus()).isLessThanOrEqualTo(resources.gpus());
                for (String name : NODE.named().map().keySet()) {
                    assertThat(sum.named().amount(name))
                            .isLessThanOrEqualTo(resources.named().amount(name));
                }
                crowded += sum.memory() > resources.memory() * 3 / 4 && sum.cores() < resources.cores() ? 1 : 0;
            });
        }

        private static Resources plus(Resources a, Resources b) {
            Map<String, Long> named = new TreeMap<>(a.named().map());
            b.named().map().forEach((name, amount) -> named.merge(name, amount, Long::sum));
            return new Resources(
                    a.cores() + b.cores(), a.memory() + b.memory(), a.gpus() + b.gpus(), 1, 0, NamedAmounts.of(named));
        }

        private Effects recordingStarts(Effects out) {
            return new Effects() {
                @Override
                public void start(long token, int[] nodes, int task, int attempt) {
                    bound.put(task, new Bound(token, Arrays.copyOf(nodes, nodes.length), attempt, manager.needs(task)));
                    out.start(token, nodes, task, attempt);
                }

                @Override
                public void start(long token, int[] nodes, Resources needs, int task, int attempt) {
                    bound.put(task, new Bound(token, Arrays.copyOf(nodes, nodes.length), attempt, needs));
                    chosen++;
                    out.start(token, nodes, needs, task, attempt);
                }

                @Override
                public void submit(long token, Request request) {
                    out.submit(token, request);
                }

                @Override
                public void cancel(long token) {
                    out.cancel(token);
                }

                @Override
                public void shorten(long token, long walltime) {
                    out.shorten(token, walltime);
                }

                @Override
                public void stop(long token, int task, int attempt) {
                    out.stop(token, task, attempt);
                }

                @Override
                public void release(long token) {
                    out.release(token);
                }

                @Override
                public void wake(long at) {
                    out.wake(at);
                }
            };
        }

        @Override
        public @Nullable Decision settle(long at, Effects out) {
            Decision decision = controller.settle(at, recordingStarts(out));
            check();
            return decision;
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
