package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.journal.Journal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PilotJobsTest {
    @TempDir
    Path folder = Path.of("");

    /** Otherwise every turn would check the files of all jobs that have ended. */
    @Test
    void theFolderOfAnEndedJobIsCheckedOnce() throws Exception {
        try (Journal journal = Journal.open(folder.resolve("log"), "test", message -> {})) {
            PilotJobs jobs = new PilotJobs(new BatchLog(journal, folder, walltime -> walltime), () -> 1_000);
            for (long token = 1; token <= 2; token++) {
                BatchJob job = jobs.add(token, Request.of(1, 60_000));
                jobs.accepted(job, 100 + token);
                Files.createDirectories(job.folder.folder());
                jobs.end(job, Event.End.RELEASED);
                assertThat(job.cancelAt).isEqualTo(21_000);
            }
            BatchJob left = jobs.all().iterator().next();
            BatchJob ended = jobs.all().stream().skip(1).findFirst().orElseThrow();
            Files.createFile(ended.folder.folder().resolve("ended"));
            assertThat(jobs.removeLeft(left)).isTrue();
            assertThat(jobs.removeLeft(ended)).isFalse();
            assertThat(left.cancelAt).isEqualTo(Long.MAX_VALUE);
            assertThat(ended.cancelAt).isEqualTo(Long.MAX_VALUE);
        }
    }
}
