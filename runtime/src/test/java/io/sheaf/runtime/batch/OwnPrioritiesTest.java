package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file with the priorities of a run's jobs is read back. */
class OwnPrioritiesTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void predictedAndObservedPrioritiesAreReadBack() throws IOException {
        OwnPriorities priorities = new OwnPriorities(folder);
        assertThat(priorities.jobs()).isEmpty();
        priorities.predicted(2, new WhatIf.Priority(900, 0.5, 0.25, 60_000, 3, 0, 0));
        priorities.predicted(1, new WhatIf.Priority(1_000, Double.NaN, Double.NaN, WhatIf.UNKNOWN, 3, 0, 0));
        priorities.observed(2, 905);
        Files.writeString(folder.resolve("priorities"), "3 12", StandardOpenOption.APPEND);
        assertThat(priorities.jobs())
                .containsExactly(
                        new OwnPriorities.JobPriority(
                                1, 1_000, OwnPriorities.UNSEEN, Double.NaN, Double.NaN, WhatIf.UNKNOWN),
                        new OwnPriorities.JobPriority(2, 900, 905, 0.5, 0.25, 60_000));
    }
}
