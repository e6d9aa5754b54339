package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchJob.Phase;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.spec.RunSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs are cancelled when the folder of their run is missing. */
class AbandonedJobsTest {
    @TempDir
    Path folder = Path.of("");

    /** A batch system that finds some jobs by the tokens of their pilot jobs. */
    record Queue(Map<Long, Long> byToken, List<Long> cancelled) implements BatchCommands {
        @Override
        public BatchSystem system() {
            return new BatchSystem("queue", "the queue", SubmissionTerms::passedOn, environment -> this);
        }

        @Override
        public Nodes nodes(List<String> options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void check(RunSpec spec) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Finding> findings(List<String> options, Path folder, long patience) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String queueFile() {
            return "queue";
        }

        @Override
        public String query() {
            return "";
        }

        @Override
        public List<QueueLine> parse(String text) {
            return List.of();
        }

        @Override
        public long granted(long walltime) {
            return walltime;
        }

        @Override
        public String script(PilotJobScript run, long token, Request request) {
            throw new AssertionError("nothing may be submitted");
        }

        @Override
        public Submitted submit(
                PilotJobScript run, Path script, long token, Request request, long delaySeconds, long afterJob) {
            throw new AssertionError("nothing may be submitted");
        }

        @Override
        public List<NamedJob> find(String name) {
            Long job = byToken.get(Long.parseLong(name.replaceFirst(".*\\.", "")));
            return job == null ? List.of() : List.of(new NamedJob(job, JobState.RUNNING));
        }

        @Override
        public JobState state(long job, BooleanSupplier began) {
            return JobState.RUNNING;
        }

        @Override
        public void cancel(List<Long> jobs) {
            cancelled.addAll(jobs);
        }

        @Override
        public boolean limit(PilotJobScript run, long job, long walltime) {
            return false;
        }

        @Override
        public String releaseCommand(long job) {
            return "";
        }
    }

    /** The scripts of a run whose pilot jobs have their folders here. */
    static PilotJobScript run(Path all) throws IOException {
        return new PilotJobScript(
                Launch.from(all.resolve("kit")), new RunFolder(all), "r", 1, all, List.of(), "", Pools.NONE, null);
    }

    /** A listener that fails on any result. */
    static final class FailingListener implements JobOrders.Listener {
        @Override
        public void submitted(BatchJob job, BatchCommands.Submitted answer) {
            throw new AssertionError(answer);
        }

        @Override
        public void found(BatchJob job, List<BatchCommands.NamedJob> found) {
            throw new AssertionError(found);
        }

        @Override
        public void cancelled(BatchJob job) {
            throw new AssertionError(job);
        }

        @Override
        public void stateRead(BatchJob job, JobState state, boolean hadStarted) {
            throw new AssertionError(state);
        }

        @Override
        public void hosts(BatchJob job, List<String> names) {
            throw new AssertionError(names);
        }
    }

    private BatchJob job(long token, Phase phase, long number) {
        BatchJob job = new BatchJob(token, Request.of(1, 60_000), 0, JobFolder.of(folder, token), walltime -> walltime);
        job.phase = phase;
        job.job = number;
        return job;
    }

    private List<Long> cancelled(Map<Long, Long> known, BatchJob... jobs) throws IOException, InterruptedException {
        Queue queue = new Queue(known, new ArrayList<>());
        List<String> messages = new ArrayList<>();
        JobOrders orders = new JobOrders(queue, run(folder), () -> 0, () -> {}, messages::add, new FailingListener());
        orders.submit(job(99, Phase.REQUESTED, BatchCommands.UNKNOWN), 0, BatchCommands.UNKNOWN);
        orders.abandon(List.of(jobs));
        assertThat(orders.sendPending()).as("a pending order is not sent").isFalse();
        assertThat(messages).isEmpty();
        return queue.cancelled;
    }

    @Test
    void queuedRunningAndPossiblyLeftJobsAreCancelled() throws IOException, InterruptedException {
        BatchJob ended = job(3, Phase.ENDED, 13);
        BatchJob possiblyLeft = job(4, Phase.ENDED, 14);
        possiblyLeft.cancelAt = 5_000;
        assertThat(cancelled(Map.of(), job(1, Phase.QUEUED, 11), job(2, Phase.RUNNING, 12), ended, possiblyLeft))
                .containsExactly(11L, 12L, 14L);
        assertThat(cancelled(Map.of(), ended)).isEmpty();
    }

    @Test
    void possiblySubmittedJobsAreFoundAndCancelled() throws IOException, InterruptedException {
        BatchJob underWay = job(1, Phase.REQUESTED, BatchCommands.UNKNOWN);
        underWay.busy = true;
        BatchJob notAnswered = job(2, Phase.REQUESTED, BatchCommands.UNKNOWN);
        notAnswered.lost = true;
        BatchJob unsent = job(3, Phase.REQUESTED, BatchCommands.UNKNOWN);
        assertThat(cancelled(Map.of(1L, 21L, 3L, 23L), underWay, notAnswered, unsent))
                .containsExactly(21L);
    }
}
