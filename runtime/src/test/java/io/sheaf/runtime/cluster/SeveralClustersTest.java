package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two clusters as one: the first has pools 1 and 2; the second, without pools of its own, is pool 3. */
class SeveralClustersTest {
    private static final long DAY = 86_400_000;

    private final Member first = new Member(100);
    private final Member second = new Member(7_000);
    private final SeveralClusters both = new SeveralClusters(
            List.of(new SeveralClusters.PoolRange(first, 1, 2), new SeveralClusters.PoolRange(second, 3, 0)),
            List.of());

    /** A cluster where a job waits for a given time, in pool 2 for twice that. */
    private static final class Member extends NotedCluster {
        final long wait;
        final Map<Long, Request> submitted = new HashMap<>();
        final List<Long> known = new ArrayList<>();
        boolean answers = true;
        int ended;

        Member(long wait) {
            this.wait = wait;
        }

        @Override
        public void submit(long token, Request request) {
            submitted.put(token, request);
        }

        @Override
        public void cancel(long token) {
            submitted.remove(token);
        }

        @Override
        public void reconcile(Collection<Long> tokens) {
            known.addAll(tokens);
        }

        @Override
        public boolean hasJob(long token) {
            return submitted.containsKey(token);
        }

        @Override
        public boolean isAnswering() {
            return answers;
        }

        @Override
        public void endCancelled() {
            ended++;
        }

        @Override
        public StartEstimator estimator() {
            return new StartEstimator() {
                @Override
                public void estimate(StartQuery query, StartTimes answer) {
                    answer.begin(query, Basis.SIMULATED);
                    for (int i = 0; i < query.queued(); i++) {
                        answer.queued(i, query.now() + wait);
                    }
                    for (int i = 0; i < query.jobs(); i++) {
                        answer.job(i, query.now() + wait * Math.max(1, query.pool(i)));
                    }
                }

                @Override
                public Basis basis() {
                    return Basis.SIMULATED;
                }
            };
        }
    }

    private static Request in(int pool) {
        return Request.of(1, 60_000).in(pool);
    }

    @Test
    void thePoolSelectsTheCluster() {
        both.submit(5, in(2));
        both.submit(6, in(3));
        assertThat(first.submitted).containsExactly(Map.entry(5L, in(2)));
        assertThat(second.submitted).containsExactly(Map.entry(6L, in(0)));
        both.cancel(6);
        assertThat(second.submitted).isEmpty();
    }

    /**
     * A restarted manager has only tokens. One that no cluster has is passed to one of them, which reports the job as
     * lost.
     */
    @Test
    void aRestartedManagerFindsTheClusterOfEachJob() {
        second.submitted.put(6L, in(0));
        both.reconcile(List.of(5L, 6L));
        assertThat(first.known).containsExactly(5L);
        assertThat(second.known).containsExactly(6L);
    }

    @Test
    void eachClusterEstimatesItsOwnJobs() {
        second.submitted.put(6L, in(0));
        StartQuery query = new StartQuery()
                .begin(1_000, StartQuery.Arrangement.WITH_QUEUED)
                .queued(new long[] {6}, 1)
                .add(3, 1, 60_000)
                .add(2, 1, 60_000)
                .add(1, 1, 60_000);
        StartTimes times = both.estimator().estimate(query);
        assertThat(times.queued(0)).isEqualTo(8_000);
        assertThat(List.of(times.job(0), times.job(1), times.job(2))).containsExactly(8_000L, 1_200L, 1_100L);
        assertThat(times.answered()).isEqualTo(3);
        assertThat(times.basis()).isEqualTo(Basis.SIMULATED);
    }

    /** An event reports that a cluster stops answering, and another one that it answers. */
    @Test
    void aClusterThatDoesNotAnswerIsUsedLast() throws IOException {
        List<Event> events = new ArrayList<>();
        StartEstimator estimator = both.estimator();
        first.answers = false;
        both.turn(10_000, events::add);
        assertThat(events)
                .containsExactly(
                        new Event.PoolsUnavailable(10_000, 1, 2, true),
                        new Event.PoolsUnavailable(10_000, 3, 1, false));
        assertThat(estimator.estimate(StartQuery.of(10_000, 1, 1, 60_000)).job(0))
                .isGreaterThan(DAY);
        assertThat(estimator.estimate(StartQuery.of(10_000, 3, 1, 60_000)).job(0))
                .isEqualTo(17_000);
        both.turn(69_999, events::add);
        assertThat(first.ended).isZero();
        both.turn(70_000, events::add);
        assertThat(first.ended).isOne();
        first.answers = true;
        both.turn(80_000, events::add);
        assertThat(events).hasSize(3).contains(new Event.PoolsUnavailable(80_000, 1, 2, false));
        assertThat(estimator.estimate(StartQuery.of(80_000, 1, 1, 60_000)).job(0))
                .isEqualTo(80_100);
    }
}
