package io.sheaf.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.batch.WhatIf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedJobsTest {
    @TempDir
    Path folder = Path.of("");

    /** The job is queued at 100, starts at 150, is last seen at 200 and absent at 210, so its estimated end is 205. */
    @Test
    void aJobIsWatchedAcrossKilledProcesses() throws IOException {
        WatchedJobs first = new WatchedJobs(folder);
        assertThat(first.observe(100, List.of(new WhatIf.WatchedJob("7", "a job", 2, 60_000, WhatIf.UNKNOWN))))
                .isEqualTo(1);
        Files.writeString(folder.resolve("watched"), "8 1 6", StandardOpenOption.APPEND);
        WatchedJobs second = new WatchedJobs(folder);
        assertThat(second.all()).containsExactlyElementsOf(first.all());
        second.observe(200, List.of(new WhatIf.WatchedJob("7", "a job", 2, 60_000, 150)));
        assertThat(new WatchedJobs(folder).all()).containsExactlyElementsOf(second.all());
        assertThat(second.observe(210, List.of())).isZero();
        assertThat(second.all()).containsExactly(new WatchedJobs.ObservedJob("7", "a job", 2, 60_000, 100, 150, 205));
        assertThat(new WatchedJobs(folder).all()).containsExactlyElementsOf(second.all());
    }
}
