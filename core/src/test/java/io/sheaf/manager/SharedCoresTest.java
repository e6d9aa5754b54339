package io.sheaf.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that need less than a core share one, and no core is oversubscribed. */
class SharedCoresTest {
    /** Independent tasks that need a given number of thousandths of a core. */
    private static Workflow tasks(int... millicores) {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (int i = 0; i < millicores.length; i++) {
            int task = builder.task("t" + i);
            builder.time(task, 10_000_000).resources(task, Resources.of(millicores[i], 0, 0, 1));
        }
        return builder.build();
    }

    private static Manager started(Workflow workflow, int cores, int nodes, Effects out) {
        Script script = new Script();
        script.lines.add(List.of(Rig.submit(nodes)));
        Manager manager = Rig.manager(workflow, script, cores, 4, Rules.DEFAULT);
        manager.settle(0, out);
        manager.on(new Event.Started(1, 1, true), out);
        return manager;
    }

    private static List<String> started(Notes out) {
        return out.take().stream().filter(line -> line.startsWith("start")).toList();
    }

    private static void end(Manager manager, long at, int task, Effects out) {
        manager.on(new Event.TaskEnded(at, 1, task, 1, Event.Outcome.SUCCEEDED), out);
    }

    @Test
    void twoHalfCoreTasksShareACoreAndAThirdWaits() {
        Notes out = new Notes();
        Manager manager = started(tasks(500, 500, 500), 1, 1, out);
        assertThat(started(out)).containsExactly("start t0 on 1.0 core 0", "start t1 on 1.0 core 0");
        end(manager, 2, 0, out);
        assertThat(started(out)).containsExactly("start t2 on 1.0 core 0");
    }

    @Test
    void aCoreIsWholeAgainWhenNoTaskSharesIt() {
        Notes out = new Notes();
        Manager manager = started(tasks(300, 300, 1000), 1, 1, out);
        assertThat(started(out)).containsExactly("start t0 on 1.0 core 0", "start t1 on 1.0 core 0");
        end(manager, 2, 0, out);
        assertThat(started(out)).isEmpty();
        end(manager, 3, 1, out);
        assertThat(started(out)).containsExactly("start t2 on 1.0");
    }

    /**
     * Tasks of 0.6 use each of two cores. In total 0.8 of a core is free, but 0.6 is free on neither; a task of 0.4
     * fits.
     */
    @Test
    void noTaskUsesPartsOfSeveralCores() {
        Notes out = new Notes();
        started(tasks(600, 600, 600, 400), 2, 1, out);
        assertThat(started(out))
                .containsExactly("start t0 on 1.0 core 0", "start t1 on 1.0 core 1", "start t3 on 1.0 core 0");
    }

    /** A task uses the fullest core with room, so that the last task, of 0.7, finds an unused core. */
    @Test
    void tasksThatShareUseTheFullestCore() {
        Notes out = new Notes();
        started(tasks(600, 500, 300, 400, 700), 3, 1, out);
        // 0.6 and 0.5 use a core each. 0.3 joins the 0.6, 0.4 joins the 0.5, and 0.7 uses the third core.
        assertThat(started(out))
                .containsExactly(
                        "start t0 on 1.0 core 0",
                        "start t1 on 1.0 core 1",
                        "start t2 on 1.0 core 0",
                        "start t3 on 1.0 core 1",
                        "start t4 on 1.0 core 2");
    }

    @Test
    void tasksOnSharedCoresOfALostNodeAreRequeued() {
        Notes out = new Notes();
        Manager manager = started(tasks(500, 500, 500), 1, 2, out);
        assertThat(started(out))
                .containsExactly("start t0 on 1.0 core 0", "start t1 on 1.0 core 0", "start t2 on 1.1 core 0");
        manager.on(new Event.NodeLost(2, 1, 0), out);
        manager.settle(2, out);
        // One of the two lost tasks starts on the free half core of the remaining node.
        assertThat(started(out)).containsExactly("start t0 on 1.1 core 0 again");
        end(manager, 3, 2, out);
        manager.settle(3, out);
        assertThat(started(out)).containsExactly("start t1 on 1.1 core 0 again");
    }

    /** Checks that no core is oversubscribed. */
    private static final class Watch extends NoEffects {
        final Workflow workflow;
        final int cores;
        final Map<Integer, String> placeOf = new TreeMap<>();
        final Map<String, Integer> used = new HashMap<>();
        final Map<Integer, Integer> whole = new HashMap<>();
        int together;

        Watch(Workflow workflow, int cores) {
            this.workflow = workflow;
            this.cores = cores;
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            assertThat(workflow.resources(task).isShare()).isFalse();
            placeOf.put(task, nodes[0] + "");
            whole.merge(nodes[0], workflow.resources(task).cores(), Integer::sum);
            check(nodes[0]);
        }

        @Override
        public void share(long token, int node, int core, int task, int attempt) {
            String place = node + "/" + core;
            placeOf.put(task, place);
            int sum = used.merge(place, workflow.resources(task).share(), Integer::sum);
            together += sum > workflow.resources(task).share() ? 1 : 0;
            assertThat(sum).as("used share of core %s", place).isLessThanOrEqualTo(Resources.CORE);
            check(node);
        }

        private void check(int node) {
            long shared = used.entrySet().stream()
                    .filter(each -> each.getValue() > 0 && each.getKey().startsWith(node + "/"))
                    .count();
            assertThat(whole.getOrDefault(node, 0) + shared).isLessThanOrEqualTo(cores);
        }

        void end(int task) {
            String place = String.valueOf(placeOf.remove(task));
            Resources needed = workflow.resources(task);
            if (needed.isShare()) {
                used.merge(place, -needed.share(), Integer::sum);
            } else {
                whole.merge(Integer.valueOf(place), -needed.cores(), Integer::sum);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noCoreIsEverOvercommitted(long seed) {
        RandomStream random = new RandomStream(seed);
        int[] needed = new int[200];
        for (int i = 0; i < needed.length; i++) {
            needed[i] = random.nextInt(4) == 0 ? 1000 * random.between(1, 3) : random.between(1, 999);
        }
        Workflow workflow = tasks(needed);
        Watch watch = new Watch(workflow, 4);
        Manager manager = started(workflow, 4, 2, watch);
        int done = 0;
        for (long at = 2; !watch.placeOf.isEmpty(); at++) {
            List<Integer> running = List.copyOf(watch.placeOf.keySet());
            int task = running.get(random.nextInt(running.size()));
            watch.end(task);
            end(manager, at, task, watch);
            done++;
        }
        assertThat(done).isEqualTo(needed.length);
        assertThat(watch.together).as("starts on a core that another task uses").isGreaterThan(20);
    }

    /** Random tasks that need one core in total all start on it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void tasksThatFitOneCoreStartThereTogether(long seed) {
        RandomStream random = new RandomStream(seed);
        int[] needed = new int[random.between(2, 12)];
        int left = 1000;
        for (int i = 0; i < needed.length - 1; i++) {
            needed[i] = random.between(1, Math.min(999, left - (needed.length - 1 - i)));
            left -= needed[i];
        }
        needed[needed.length - 1] = left;
        Notes out = new Notes();
        started(tasks(needed), 1, 1, out);
        assertThat(started(out)).hasSize(needed.length).allMatch(line -> line.endsWith(" on 1.0 core 0"));
    }
}
