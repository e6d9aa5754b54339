package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.RecordedSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotReaderTest {
    private static final long TEN_MINUTES = 600_000;

    @TempDir
    Path folder = Path.of("");

    /** A busy controller fails to answer once: its earlier answers stay valid, such as that it hides jobs. */
    @Test
    void earlierAnswersStayValidWhenACommandFails() throws Exception {
        RecordedSlurm slurm = new RecordedSlurm(folder);
        slurm.prints("squeue", "").prints("sinfo", "").prints("sshare", "");
        slurm.does("scontrol", "echo 'PrivateData             = jobs,usage'");
        SnapshotReader reader = new SnapshotReader(
                SlurmCommands.runner(folder, Reach.here(slurm.environment()), CommandRunner.LIMIT_MILLIS),
                "me",
                Submissions.of(List.of(), Map.of(), 0),
                null);
        assertThat(reader.read(0).hidesJobs()).isTrue();
        slurm.does("scontrol", "exit 1");
        SlurmSnapshot later = reader.read(TEN_MINUTES);
        assertThat(later.hidesJobs()).isTrue();
        assertThat(later.problems()).anyMatch(problem -> problem.contains("show config"));
        slurm.does("scontrol", "echo 'PrivateData             = none'");
        assertThat(reader.read(2 * TEN_MINUTES).hidesJobs()).isFalse();
    }

    /**
     * Processes of a user share answers for half a minute, but a new process does not begin with a queue from before
     * the end of an earlier run.
     */
    @Test
    void theFirstSnapshotOfAProcessIsNew() throws Exception {
        RecordedSlurm slurm = new RecordedSlurm(folder);
        slurm.prints("sinfo", "").prints("scontrol", "").does("squeue", "echo x >>'" + folder + "/asked'");
        Path shared = folder.resolve("shared");
        SnapshotReader first = reader(slurm, shared);
        first.read(0);
        reader(slurm, shared).read(0);
        assertThat(folder.resolve("asked")).hasContent("x");
        try (Stream<Path> files = Files.list(shared)) {
            for (Path answer :
                    files.filter(file -> file.toString().contains("squeue")).toList()) {
                Files.writeString(answer, "asked " + (System.currentTimeMillis() - 10_000) + "\n");
            }
        }
        first.read(1_000);
        assertThat(folder.resolve("asked")).hasContent("x");
        reader(slurm, shared).read(1_000);
        assertThat(folder.resolve("asked")).hasContent("x\nx");
    }

    private SnapshotReader reader(RecordedSlurm slurm, Path shared) {
        return new SnapshotReader(
                SlurmCommands.runner(folder, Reach.here(slurm.environment()), CommandRunner.LIMIT_MILLIS),
                "me",
                Submissions.of(List.of(), Map.of(), 0),
                shared);
    }
}
