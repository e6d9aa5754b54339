package io.sheaf.app.dashboard;

import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A read-only, cached view of a run. It rereads the journal only when it has grown, for at most a fifth of the time.
 * Calls in between return the last state.
 */
final class LiveRun {
    private static final int SHARE = 5;

    private final RecordedRun run;
    private long length;
    private long notBefore;

    LiveRun(Path folder) throws IOException {
        run = RecordedRun.open(folder);
        length = journalLength();
        notBefore = System.nanoTime();
    }

    /** A function of a run that does not change during the call. */
    @FunctionalInterface
    interface RunQuery<T> {
        T at(RecordedRun run, RunStatus status) throws IOException;
    }

    /** Applies a function to the current or a recent state. */
    synchronized <T> T read(RunQuery<T> reading) throws IOException {
        long now = System.nanoTime();
        if (now - notBefore >= 0) {
            long currentLength = journalLength();
            if (currentLength != length) {
                run.readOn();
                length = currentLength;
                notBefore = System.nanoTime() + SHARE * (System.nanoTime() - now);
            }
        }
        return reading.at(run, run.status(run.now()));
    }

    /** The record of a run. */
    static RunRecord record(RecordedRun run) throws IOException {
        return run.record(run.now());
    }

    private long journalLength() throws IOException {
        Path journal = run.folder().resolve("journal");
        try (Stream<Path> files = Files.isDirectory(journal) ? Files.list(journal) : Stream.empty()) {
            List<Path> all = files.toList();
            long sum = all.size();
            for (Path file : all) {
                sum += Files.size(file);
            }
            return sum;
        }
    }
}
