package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchJob.Phase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which jobs are cancelled when the folder of their run is gone. */
class AbandonedJobsTest {
    /** A batch system that knows some jobs by their pilot jobs. */
    record Queue(Map<Long, Long> byToken, List<Long> cancelled) implements BatchControl {
        @Override
        public String title() {
            return "the queue";
        }

        @Override
        public long granted(long walltime) {
            return walltime;
        }

        @Override
        public String script(long token, Request request) {
            throw new AssertionError("nothing may be submitted");
        }

        @Override
        public Submitted submit(Path script, long token, Request request, long delaySeconds, long afterJob) {
            throw new AssertionError("nothing may be submitted");
        }

        @Override
        public List<Found> find(long token) {
            Long job = byToken.get(token);
            return job == null ? List.of() : List.of(new Found(job, JobState.RUNNING));
        }

        @Override
        public JobState state(long job) {
            return JobState.RUNNING;
        }

        @Override
        public void cancel(List<Long> jobs) {
            cancelled.addAll(jobs);
        }

        @Override
        public boolean limit(long job, long walltime) {
            return false;
        }

        @Override
        public String letGo(long job) {
            return "";
        }
    }

    /** Nobody hears of anything any more. */
    private static final class Nobody implements JobOrders.Listener {
        @Override
        public void submitted(BatchJob job, BatchControl.Submitted answer) {
            throw new AssertionError(answer);
        }

        @Override
        public void found(BatchJob job, List<BatchControl.Found> found) {
            throw new AssertionError(found);
        }

        @Override
        public void cancelled(BatchJob job) {
            throw new AssertionError(job);
        }

        @Override
        public void said(BatchJob job, JobState state, boolean hadStarted) {
            throw new AssertionError(state);
        }
    }

    private static BatchJob job(long token, Phase phase, long number) {
        BatchJob job = new BatchJob(token, Request.of(1, 60_000), 0, walltime -> walltime);
        job.phase = phase;
        job.job = number;
        return job;
    }

    private static List<Long> cancelled(Map<Long, Long> known, BatchJob... jobs) throws InterruptedException {
        Queue queue = new Queue(known, new ArrayList<>());
        List<String> messages = new ArrayList<>();
        JobOrders orders = new JobOrders(Path.of("gone"), queue, () -> 0, () -> {}, messages::add, new Nobody());
        orders.submit(job(99, Phase.ASKED, BatchControl.UNKNOWN), 0, BatchControl.UNKNOWN);
        orders.abandon(List.of(jobs));
        assertThat(orders.go()).as("an order that had not gone out does not").isFalse();
        assertThat(messages).isEmpty();
        return queue.cancelled;
    }

    @Test
    void whatIsQueuedRunsOrMayBeLeftIsCancelled() throws InterruptedException {
        BatchJob over = job(3, Phase.OVER, 13);
        BatchJob left = job(4, Phase.OVER, 14);
        left.cancelAt = 5_000;
        assertThat(cancelled(Map.of(), job(1, Phase.QUEUED, 11), job(2, Phase.RUNNING, 12), over, left))
                .containsExactly(11L, 12L, 14L);
        assertThat(cancelled(Map.of(), over)).isEmpty();
    }

    @Test
    void whatMayHaveBeenSubmittedIsLookedFor() throws InterruptedException {
        BatchJob underWay = job(1, Phase.ASKED, BatchControl.UNKNOWN);
        underWay.busy = true;
        BatchJob notAnswered = job(2, Phase.ASKED, BatchControl.UNKNOWN);
        notAnswered.lost = true;
        BatchJob never = job(3, Phase.ASKED, BatchControl.UNKNOWN);
        assertThat(cancelled(Map.of(1L, 21L, 3L, 23L), underWay, notAnswered, never))
                .containsExactly(21L);
    }
}
