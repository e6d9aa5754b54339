package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.testing.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that left the queue are queried individually; jobs newer than the snapshot are not. */
class QueueWatchTest {
    private static final int INTERVAL = 20_000;
    private static final Request REQUEST = Request.of(1, 60_000);

    @TempDir
    Path folder = Path.of("");

    private final RunClock clock = System::currentTimeMillis;
    private final List<String> messages = new ArrayList<>();
    private List<QueueLine> inQueue = List.of();
    private Journal journal;
    private PilotJobs jobs;
    private JobOrders orders;

    @BeforeEach
    void open() throws Exception {
        journal = Journal.open(folder.resolve("log"), "test", messages::add);
        jobs = new PilotJobs(new BatchLog(journal, folder, walltime -> walltime), clock);
        BatchAnswers answers = new BatchAnswers(jobs, clock, "the queue", INTERVAL, cancelled -> {}, messages::add);
        orders = new JobOrders(
                new AbandonedJobsTest.Queue(Map.of(), new ArrayList<>()),
                AbandonedJobsTest.run(folder),
                clock,
                () -> {},
                messages::add,
                answers);
    }

    @AfterEach
    void close() throws Exception {
        orders.close();
        journal.close();
    }

    private SharedQueue queue() {
        SharedQueue.QueueSource source = new SharedQueue.QueueSource() {
            @Override
            public String query() {
                return "";
            }

            @Override
            public List<QueueLine> parse(String text) {
                return inQueue;
            }
        };
        return new SharedQueue(source, folder.resolve("queue"), INTERVAL);
    }

    private BatchJob accepted(long token) {
        BatchJob job = jobs.add(token, REQUEST);
        jobs.accepted(job, 100 + token);
        return job;
    }

    private static QueueLine pending(BatchJob job) {
        return other(job.job);
    }

    private static QueueLine other(long job) {
        return new QueueLine(job, JobState.PENDING, -1, QueueLine.Outlook.STARTS, "Resources");
    }

    /** Reads the queue: the stored answer of another process, or a new one. */
    private void pollQueue() throws Exception {
        pollQueue(new QueueWatch(queue(), jobs, orders, clock, messages::add));
    }

    private void pollQueue(QueueWatch watch) throws Exception {
        boolean[] called = {false};
        watch.poll();
        orders.readQueue(queue(), snapshot -> called[0] = true, () -> called[0] = true);
        Await.until("the queue is read", () -> {
            orders.drain();
            return called[0];
        });
    }

    /** Waits until the clock has advanced. */
    private void waitForClock() throws InterruptedException {
        long before = clock.millis();
        Await.until("the clock has advanced", () -> clock.millis() > before);
    }

    @Test
    void aJobSubmittedAfterTheSnapshotHasNotLeft() throws Exception {
        queue().snapshot();
        waitForClock();
        BatchJob job = accepted(1);
        pollQueue();
        assertThat(job.queryAt).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aJobMissingInALaterSnapshotHasLeft() throws Exception {
        BatchJob job = accepted(1);
        waitForClock();
        queue().snapshot();
        pollQueue();
        assertThat(job.queryAt).isLessThanOrEqualTo(clock.millis());
    }

    /** Their number is unknown until the queue is read. */
    @Test
    void otherJobsOfTheUserCountFromTheBeginning() throws Exception {
        BatchJob job = accepted(1);
        inQueue = List.of(pending(job), other(7), other(8));
        QueueWatch watch = new QueueWatch(queue(), jobs, orders, clock, messages::add);
        assertThat(watch.isBelow(100, 1)).isFalse();
        pollQueue(watch);
        assertThat(watch.isBelow(3, 1)).isFalse();
        assertThat(watch.isBelow(4, 1)).isTrue();
    }

    @Test
    void aJobStartedAfterTheSnapshotIsNotRequeued() throws Exception {
        BatchJob early = accepted(1);
        BatchJob late = accepted(2);
        waitForClock();
        jobs.started(early, clock.millis());
        waitForClock();
        inQueue = List.of(pending(early), pending(late));
        queue().snapshot();
        waitForClock();
        jobs.started(late, clock.millis());
        pollQueue();
        assertThat(early.queryAt).as("requeued").isLessThanOrEqualTo(clock.millis());
        assertThat(late.queryAt).isEqualTo(Long.MAX_VALUE);
    }

    /** Otherwise a program that only prints its usage would be started repeatedly without end. */
    @Test
    void aJobWithoutANumberThatIsNotFoundIsRefused() throws Exception {
        BatchAnswers answers = new BatchAnswers(jobs, clock, "the queue", INTERVAL, cancelled -> {}, messages::add);
        BatchJob job = jobs.add(3, REQUEST);
        answers.submitted(job, BatchCommands.Submitted.as(BatchCommands.UNKNOWN));
        assertThat(job.lost).isTrue();
        answers.found(job, List.of());
        assertThat(job.isFinished()).isFalse();
        answers.found(job, List.of());
        assertThat(job.phase).isEqualTo(BatchJob.Phase.REFUSED);
        assertThat(folder.resolve("3/over"))
                .as("the job does nothing if it starts later")
                .exists();
        List<Event> events = new ArrayList<>();
        jobs.drainTo(events::add);
        assertThat(events).singleElement().isInstanceOfSatisfying(Event.Refused.class, refused -> assertThat(
                        refused.reason())
                .contains("no job id"));
    }

    @Test
    void theMessageAboutAJobLimitStatesThePause() throws Exception {
        BatchAnswers answers = new BatchAnswers(jobs, clock, "the queue", INTERVAL, cancelled -> {}, messages::add);
        answers.submitted(jobs.add(3, REQUEST), BatchCommands.Submitted.refused("QOSMaxSubmitJobPerUserLimit", true));
        assertThat(messages).singleElement().asString().endsWith("or retried every 20s");
    }

    @Test
    void aJobWhoseScriptNeverStartedIsReported() throws Exception {
        BatchJob job = accepted(1);
        BatchAnswers answers = new BatchAnswers(jobs, clock, "the queue", INTERVAL, cancelled -> {}, messages::add);
        answers.stateRead(job, JobState.ENDED, false);
        assertThat(messages)
                .singleElement()
                .asString()
                .contains("job 101", folder.resolve("1").toString());
    }
}
