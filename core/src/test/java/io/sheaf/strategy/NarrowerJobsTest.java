package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.report.DecisionLog;
import io.sheaf.report.DecisionRecord;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code auto} replaces a queued pilot job by a narrower one when fewer tasks remain: it submits the narrower job, and
 * cancels the wide job once that is queued.
 */
class NarrowerJobsTest {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final int NODES = 16;
    private static final long WIDE = 1;

    private static Stream<Policy> policies() {
        return Stream.of(Policy.easy(), Policy.conservative(), Policy.fcfs());
    }

    /** A cluster whose nodes are all in use for two hours; sixteen tasks of an hour wait for them. */
    private static final class Cluster extends NoEffects {
        final BatchEngine engine;
        final Map<Long, Integer> handles = new HashMap<>();
        /** Requests that were submitted and not cancelled. */
        final Map<Long, Request> queued = new TreeMap<>();

        final DecisionLog log = new DecisionLog();
        final Manager manager;
        /** Whether the batch system answers submissions. */
        boolean answers = true;

        long now;

        Cluster(Policy policy, String strategy) {
            engine = new BatchEngine(policy, NODES);
            engine.submit(0, Submission.of(NODES, 2 * HOUR));
            engine.pass(0, new int[1]);
            Workflow workflow = hours(NODES);
            manager = new Manager(
                    workflow,
                    Profile.OWN.runOrder()::ranks,
                    Strategies.named(strategy, new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN),
                    new EngineEstimator(engine, token -> handles.getOrDefault(token, -1)),
                    log,
                    NODES,
                    8,
                    Rules.DEFAULT.keepGoing(true));
        }

        private static Workflow hours(int tasks) {
            WorkflowBuilder builder = new WorkflowBuilder("hours");
            for (int i = 0; i < tasks; i++) {
                builder.time(builder.task("t" + i), HOUR * 1_000);
            }
            return builder.build();
        }

        @Override
        public void submit(long token, Request request) {
            queued.put(token, request);
            handles.put(token, engine.submit(now, Submission.of(request.units(), request.walltime())));
            if (answers) {
                manager.on(new Event.Accepted(now, token), this);
            }
        }

        private void forget(long token) {
            engine.cancel(handles.getOrDefault(token, -1), now);
            handles.remove(token);
        }

        @Override
        public void cancel(long token) {
            forget(token);
            queued.remove(token);
            manager.on(new Event.Ended(now, token, Event.End.CANCELLED), this);
        }

        /** Advances time; the strategy decides every second. */
        Cluster pass(long millis) {
            for (long until = now + millis; now < until; now += SECOND) {
                engine.pass(now, new int[NODES]);
                manager.on(new Event.Woken(now), this);
                manager.settle(now, this);
            }
            return this;
        }

        /** The user cancels the last tasks. */
        Cluster drop(int tasks) {
            manager.on(new Event.Dropped(now, NODES - tasks, tasks), this);
            return this;
        }

        /** The last submitted job of four nodes. */
        long narrow() {
            return queued.entrySet().stream()
                    .filter(each -> each.getValue().units() == 4)
                    .mapToLong(Map.Entry::getKey)
                    .max()
                    .orElseThrow();
        }

        /** The nodes of the queued jobs, in order of submission; without hedges, which have one node. */
        List<Integer> nodes() {
            return queued.values().stream()
                    .map(Request::units)
                    .filter(units -> units > 1)
                    .toList();
        }
    }

    /** A cluster with a pilot job of all nodes that has been queued for some minutes. */
    private static Cluster wide(Policy policy, String strategy) {
        Cluster cluster = new Cluster(policy, strategy).pass(4 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(NODES);
        return cluster;
    }

    private static Cluster wide() {
        return wide(Policy.easy(), "auto");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aNarrowerJobReplacesTheWideOne(Policy policy) {
        Cluster cluster = wide(policy, "auto").drop(12).pass(3 * SECOND);
        assertThat(cluster.nodes()).containsExactly(4);
        assertThat(cluster.log.decisions())
                .extracting(DecisionRecord::summary)
                .contains(
                        "request 4 nodes instead of 16: the remaining tasks need no more, and the job starts no later",
                        "4 nodes instead of 16 in the queue: the remaining tasks need no more");
        DecisionRecord decision = cluster.log.decisions().stream()
                .filter(each -> each.summary().startsWith("request 4 nodes"))
                .findFirst()
                .orElseThrow();
        assertThat(decision.options().get(decision.chosenOption()).label()).isEqualTo("4 nodes instead of 16");
        assertThat(decision.expectedEnd()).isEqualTo(3 * HOUR);
    }

    /** The run has a job in the queue at any time. */
    @Test
    void theWideJobStaysUntilTheNarrowOneIsAccepted() {
        Cluster cluster = wide();
        cluster.answers = false;
        cluster.drop(12).pass(5 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(NODES, 4);
        cluster.manager.on(new Event.Accepted(cluster.now, cluster.narrow()), cluster);
        cluster.pass(11 * SECOND);
        assertThat(cluster.nodes()).containsExactly(4);
    }

    /** Tasks are dropped before the wide job is accepted; the strategy reacts as soon as it is. */
    @Test
    void tasksDroppedBeforeTheWideJobIsAcceptedCount() {
        Cluster cluster = new Cluster(Policy.easy(), "auto");
        cluster.answers = false;
        cluster.pass(SECOND).drop(12).pass(5 * SECOND);
        assertThat(cluster.nodes()).containsExactly(NODES);
        cluster.answers = true;
        cluster.manager.on(new Event.Accepted(cluster.now, WIDE), cluster);
        cluster.pass(30 * SECOND);
        assertThat(cluster.nodes()).containsExactly(4);
    }

    /** The run keeps its queued job, and the strategy does not retry before an hour has passed. */
    @Test
    void theWideJobStaysIfTheNarrowOneIsRefused() {
        Cluster cluster = wide();
        cluster.answers = false;
        cluster.drop(12).pass(SECOND);
        long narrow = cluster.narrow();
        cluster.forget(narrow);
        cluster.queued.remove(narrow);
        cluster.manager.on(new Event.Refused(cluster.now, narrow, "no"), cluster);
        cluster.pass(55 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(NODES);
        cluster.answers = true;
        cluster.pass(20 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(4);
    }

    /** Three nodes fewer do not justify a new job. */
    @Test
    void aSlightlyTooWideJobStays() {
        assertThat(wide().drop(3).pass(30 * MINUTE).nodes()).containsExactly(NODES);
    }

    @Test
    void theWideJobStaysIfNodeTimeIsFree() {
        Cluster cluster = wide(Policy.easy(), "auto:lambda=0").drop(12).pass(30 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(NODES);
    }

    /** Behind the wide job waits another user's job that would start in its place and leave too few nodes. */
    @ParameterizedTest
    @MethodSource("policies")
    void theWideJobStaysIfANarrowOneWouldStartLater(Policy policy) {
        Cluster cluster = wide(policy, "auto");
        int other = cluster.engine.submit(cluster.now, Submission.of(14, 10 * HOUR));
        cluster.drop(12).pass(30 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(NODES);
        cluster.engine.cancel(other, cluster.now);
        cluster.pass(20 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(4);
    }

    /** Further tasks may need all nodes. */
    @Test
    void theWideJobStaysWhileMoreTasksAreExpected() {
        Cluster cluster = wide();
        cluster.manager.on(new Event.Opened(cluster.now), cluster);
        cluster.manager.on(new Event.Awaited(cluster.now, true), cluster);
        cluster.drop(12).pass(30 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(NODES);
        cluster.manager.on(new Event.Awaited(cluster.now, false), cluster);
        cluster.pass(20 * MINUTE);
        assertThat(cluster.nodes()).containsExactly(4);
    }
}
