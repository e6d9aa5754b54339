package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Pools;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.Await;
import io.sheaf.testing.RecordedSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(1200)
class TestOnlyTest {
    @TempDir
    Path folder = Path.of("");

    private TestOnly testOnly() {
        RecordedSlurm slurm = new RecordedSlurm(folder)
                .does(
                        "sbatch",
                        "echo x >>'" + folder + "/queried'\nuntil [ -e '" + folder + "/free' ]; do sleep 0.05; done\n"
                                + "echo 'sbatch: Job 9 to start at " + (Texts.AT / 1000 + 900) + "' >&2");
        CommandRunner commands =
                SlurmCommands.runner(folder, Reach.here(slurm.environment()), CommandRunner.LIMIT_MILLIS);
        return new TestOnly(commands, Submissions.of(List.of(), Map.of(), 0), Runnable::run);
    }

    private static long start(TestOnly testOnly, long now) throws Exception {
        return testOnly.query(StartQuery.of(now, Pools.ANY, 1, 60_000)).start();
    }

    @Test
    void queriesOfAMinuteAreLimited() throws Exception {
        TestOnly testOnly = testOnly();
        Files.createFile(folder.resolve("free"));
        for (int i = 0; i < 4; i++) {
            assertThat(start(testOnly, Texts.AT + i)).isEqualTo(Texts.AT + 900_000);
        }
        assertThat(start(testOnly, Texts.AT + 60_000)).isEqualTo(StartTimes.UNKNOWN);
        assertThat(folder.resolve("queried")).hasContent("x\nx\nx\nx");
        assertThat(start(testOnly, Texts.AT + 60_001)).isEqualTo(Texts.AT + 900_000);
    }

    /** A busy controller has not answered two queries yet. */
    @Test
    void queriesAtATimeAreLimited() throws Exception {
        TestOnly testOnly = testOnly();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Future<Long> first = threads.submit(() -> start(testOnly, Texts.AT));
        Future<Long> second = threads.submit(() -> start(testOnly, Texts.AT));
        Path queried = folder.resolve("queried");
        Await.until("two queries run", () -> Files.exists(queried) && Files.size(queried) == 4);
        assertThat(start(testOnly, Texts.AT)).isEqualTo(StartTimes.UNKNOWN);
        Files.createFile(folder.resolve("free"));
        assertThat(first.get()).isEqualTo(Texts.AT + 900_000);
        assertThat(second.get()).isEqualTo(Texts.AT + 900_000);
        threads.shutdown();
        assertThat(start(testOnly, Texts.AT)).isEqualTo(Texts.AT + 900_000);
    }
}
