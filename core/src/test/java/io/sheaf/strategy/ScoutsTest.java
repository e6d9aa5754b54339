package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Scouts: if run times are upper limits, {@code auto} submits short pilot jobs that fit into gaps of the queue, beside
 * a long job.
 */
class ScoutsTest {
    private static final long MINUTE = 60_000;
    private static final int TASKS = 40;

    /**
     * A queue with gaps of eight minutes: jobs of up to eight minutes start after one minute, others after two hours.
     */
    private static final class Gaps extends NoEffects implements StartEstimator {
        final List<Request> requests = new ArrayList<>();
        /** Whether it shows submitted jobs. */
        boolean shows = true;

        @Override
        public void submit(long token, Request request) {
            requests.add(request);
        }

        private static long start(long now, long walltime) {
            return now + (walltime <= 8 * MINUTE ? MINUTE : 120 * MINUTE);
        }

        @Override
        public void estimate(StartQuery query, StartTimes answer) {
            answer.begin(query, basis());
            for (int i = 0; i < query.queued(); i++) {
                long walltime = requests.get((int) query.token(i) - 1).walltime();
                answer.queued(i, shows ? start(query.now(), walltime) : StartTimes.NEVER);
            }
            for (int i = 0; i < query.jobs(); i++) {
                answer.job(i, start(query.now(), query.walltime(i)));
            }
        }

        @Override
        public Basis basis() {
            return Basis.SIMULATED;
        }
    }

    private static Workflow fourMinutesEach() {
        WorkflowBuilder builder = new WorkflowBuilder("rule");
        for (int i = 0; i < TASKS; i++) {
            builder.time(builder.task("r" + i), 4 * MINUTE * 1_000);
            builder.category(i, "align");
        }
        return builder.build();
    }

    private static Manager started(Gaps queue, boolean ample) {
        Workflow workflow = fourMinutesEach();
        Manager manager = new Manager(
                workflow,
                Profile.OWN.runOrder()::ranks,
                Strategies.named("auto:queued=4", new RunTimes(workflow, Profile.OWN.planOrder(), 1), Profile.OWN),
                queue,
                DecisionSink.NOTHING,
                2,
                16,
                Rules.DEFAULT.keepGoing(true).ample(ample));
        for (long at = 0; at < 10_000; at += 1_000) {
            manager.on(new Event.Woken(at), queue);
            manager.settle(at, queue);
        }
        return manager;
    }

    private static List<Request> scouts(Gaps queue) {
        return queue.requests.stream()
                .filter(request -> request.walltime() <= 8 * MINUTE)
                .toList();
    }

    @Test
    void scoutsOfOneNodeAreRequestedBesideALongJob() {
        Gaps queue = new Gaps();
        started(queue, true);
        assertThat(queue.requests).hasSize(4);
        assertThat(scouts(queue)).hasSize(3).allMatch(request -> request.units() == 1);
        assertThat(queue.requests).anyMatch(request -> request.walltime() > 8 * MINUTE);
    }

    /** Slurm's queue is read from time to time, and does not show later submissions. */
    @Test
    void scoutsAreRequestedWhileTheQueueShowsNoJobs() {
        Gaps queue = new Gaps();
        queue.shows = false;
        started(queue, true);
        assertThat(scouts(queue)).filteredOn(request -> request.units() == 1).hasSize(3);
    }

    @Test
    void noScoutsAreRequestedForExpectedTimes() {
        Gaps queue = new Gaps();
        started(queue, false);
        assertThat(queue.requests).isNotEmpty();
        assertThat(scouts(queue)).isEmpty();
    }

    /** After tasks of ten seconds each, the scout runs further tasks one after the other. */
    @Test
    void aScoutRunsManyTasksThatAreShort() {
        Gaps queue = new Gaps();
        Manager manager = started(queue, true);
        long token = queue.requests.indexOf(scouts(queue).get(0)) + 1L;
        long at = 2 * MINUTE;
        manager.on(new Event.Started(at, token), queue);
        int done = 0;
        for (; at < 6 * MINUTE; at += 10_000) {
            for (int task = 0; task < TASKS; task++) {
                if (manager.isRunning(task) && manager.runsIn(task) == token && manager.startedAt(task) < at) {
                    manager.on(new Event.TaskEnded(at, token, task, 1, Event.Outcome.SUCCEEDED), queue);
                    done++;
                }
            }
            manager.settle(at, queue);
        }
        assertThat(done).isGreaterThan(12);
    }
}
