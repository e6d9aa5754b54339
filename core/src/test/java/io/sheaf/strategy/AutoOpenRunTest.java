package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Strategy auto where a program submits tasks one by one and nodes are free: no ready task waits while nodes are idle.
 *
 * <p>Two nodes of one core. Task a takes a minute; its pilot job starts at once and is kept when a has ended.
 */
class AutoOpenRunTest {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;

    private static final class Notes extends NoEffects {
        private final List<Request> requests = new ArrayList<>();
        private final List<Integer> started = new ArrayList<>();

        @Override
        public void submit(long token, Request request) {
            requests.add(request);
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            started.add(task);
        }
    }

    private final Notes out = new Notes();
    private Manager manager = manager(2);

    private Manager manager(int nodes) {
        Workflow none = new WorkflowBuilder("none").build();
        Manager made = new Manager(
                none,
                Profile.OWN.runOrder()::ranks,
                PerWorkflow.of(
                        none,
                        each -> Strategies.named("auto", new RunTimes(each, Profile.OWN.planOrder(), 1), Profile.OWN)),
                new EngineEstimator(new BatchEngine(Policy.easy(), nodes)),
                DecisionSink.NOTHING,
                nodes,
                4,
                Rules.DEFAULT.keepGoing(true).hold(5 * MINUTE));
        made.on(new Event.Opened(0), out);
        made.on(new Event.Awaited(0, true), out);
        return made;
    }

    private void add(long at, String id, long millis, int... parents) {
        WorkflowBuilder builder = new WorkflowBuilder(id);
        builder.time(builder.task(id), millis * 1_000);
        Addition added = Addition.of(new Origin(id, "", 0, ""), builder.build());
        for (int parent : parents) {
            added = added.after(parent, 0);
        }
        manager.on(new Event.Grown(at, added), out);
    }

    private void submit(long at, String id, long millis, int... parents) {
        add(at, id, millis, parents);
        manager.settle(at, out);
        manager.settle(at + 2 * SECOND, out);
    }

    /** Task a has run, and its pilot job is kept from second 4 on. */
    private void runFirst() {
        submit(0, "a", MINUTE);
        assertThat(out.requests).hasSize(1);
        manager.on(new Event.Started(2 * SECOND, 1), out);
        manager.on(new Event.NodeUp(2 * SECOND, 1, 0), out);
        manager.settle(3 * SECOND, out);
        manager.on(new Event.TaskEnded(4 * SECOND, 1, 0, 1, Event.Outcome.SUCCEEDED), out);
        manager.settle(4 * SECOND, out);
        assertThat(out.started).containsExactly(0);
        assertThat(manager.pilotJob(0).isKept()).isTrue();
    }

    @Test
    void aTaskOfALaterLevelRunsInTheJobThatIsKept() {
        runFirst();
        submit(5 * SECOND, "b", 10 * SECOND, 0);
        assertThat(out.started).containsExactly(0, 1);
        assertThat(out.requests).hasSize(1);
    }

    /**
     * A kept job uses one of two nodes: a job of both would wait for its end, even if the estimate does not show that.
     */
    @Test
    void aFurtherJobDoesNotRequestTheNodesOfTheKeptOne() {
        runFirst();
        for (int i = 0; i < 8; i++) {
            add(5 * SECOND, "b" + i, MINUTE);
        }
        manager.settle(8 * SECOND, out);
        assertThat(out.requests.subList(1, out.requests.size())).isNotEmpty().allMatch(request -> request.units() == 1);
    }

    /** Three tasks of 20 minutes on at most two nodes with a core each: two rounds on two nodes, three on one. */
    @Test
    void aJobIsLongEnoughForTheTasksThatAreExpected() {
        manager.on(new Event.Awaited(0, true, List.of(new ExpectedTasks(3, 20 * MINUTE, 1))), out);
        submit(0, "a", MINUTE);
        Request request = out.requests.get(0);
        assertThat(request.walltime()).isGreaterThanOrEqualTo((request.units() == 2 ? 41 : 61) * MINUTE);
        assertThat(out.requests).as("no job is for expected tasks only").hasSize(1);
    }

    @Test
    void noJobIsSubmittedForExpectedTasksOnly() {
        manager.on(new Event.Awaited(0, true, List.of(new ExpectedTasks(3, 20 * MINUTE, 1))), out);
        manager.settle(3 * SECOND, out);
        assertThat(out.requests).isEmpty();
    }

    /** Task b takes an hour and does not fit into the minutes that the kept job has left. */
    @Test
    void aTaskThatDoesNotFitTheKeptJobGetsAnotherJobAtOnce() {
        runFirst();
        submit(5 * SECOND, "b", 60 * MINUTE);
        assertThat(out.requests).hasSize(2);
        assertThat(out.requests.get(1).walltime()).isGreaterThanOrEqualTo(60 * MINUTE);
    }

    /** A group of 20 minutes follows task a: it runs in the same job, though no program submits tasks. */
    @Test
    void anExpectedGroupNeedsNoFurtherJob() {
        manager.on(new Event.Awaited(0, false, List.of(new ExpectedTasks(1, 20 * MINUTE, 1))), out);
        submit(0, "a", 5 * MINUTE);
        assertThat(out.requests).hasSize(1);
        assertThat(out.requests.get(0).walltime()).isGreaterThanOrEqualTo(25 * MINUTE);
        manager.on(new Event.Started(2 * SECOND, 1), out);
        manager.on(new Event.NodeUp(2 * SECOND, 1, 0), out);
        manager.settle(3 * SECOND, out);
        long end = 5 * MINUTE + 2 * SECOND;
        manager.on(new Event.TaskEnded(end, 1, 0, 1, Event.Outcome.SUCCEEDED), out);
        add(end, "b", 20 * MINUTE, 0);
        manager.on(new Event.Awaited(end, false), out);
        manager.on(new Event.Closed(end), out);
        manager.settle(end, out);
        assertThat(out.started).containsExactly(0, 1);
        assertThat(out.requests).hasSize(1);
    }

    /** Nine tasks of at most two minutes on four free nodes: three rounds, on three nodes as on four. */
    @Test
    void freeNodesAreUsedWhileAProgramSubmitsTasks() {
        manager = manager(4);
        for (int i = 0; i < 9; i++) {
            add(0, "b" + i, 2 * MINUTE);
        }
        manager.settle(3 * SECOND, out);
        assertThat(out.requests).extracting(Request::units).containsExactly(4);
    }
}
