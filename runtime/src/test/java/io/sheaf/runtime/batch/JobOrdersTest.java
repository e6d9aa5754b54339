package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Request;
import io.sheaf.testing.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobOrdersTest {
    @TempDir
    Path folder = Path.of("");

    /** The job that started first replaces the submitted one while the batch system is queried. */
    @Test
    void anAnswerAboutAReplacedJobIsNotApplied() throws Exception {
        BatchJob job = new BatchJob(1, Request.of(1, 60_000), 0, JobFolder.of(folder, 1), walltime -> walltime);
        job.phase = BatchJob.Phase.QUEUED;
        job.granted = 90_000;
        job.silenceReported = true;
        try (JobOrders orders = new JobOrders(
                new AbandonedJobsTest.Queue(Map.of(), new ArrayList<>()),
                AbandonedJobsTest.run(folder),
                () -> 5_000,
                () -> {},
                message -> {},
                new AbandonedJobsTest.FailingListener())) {
            job.job = 11;
            orders.state(job);
            orders.limit(job);
            orders.hosts(job);
            job.job = 12;
            orders.sendPending();
            Await.until("the last query is answered", () -> {
                orders.drain();
                return !job.silenceReported;
            });
        }
        assertThat(job.queryAt).as("the other job is queried").isEqualTo(5_000);
        assertThat(job.granted).as("the other job has its limit").isEqualTo(90_000);
    }
}
