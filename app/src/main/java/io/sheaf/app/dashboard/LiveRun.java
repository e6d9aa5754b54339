package io.sheaf.app.dashboard;

import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A run that is looked at again and again: its journal is read only when it has grown, and reading takes at most a fifth of the time. Whoever looks in
 * between sees it as it was read last. Nothing of the run is touched.
 */
final class LiveRun {
    private static final int SHARE = 5;

    private final RecordedRun run;
    private final LongSupplier nanos;
    private long length;
    private long notBefore;

    private LiveRun(RecordedRun run, LongSupplier nanos) throws IOException {
        this.run = run;
        this.nanos = nanos;
        length = journalLength();
        notBefore = nanos.getAsLong();
    }

    static LiveRun open(Path folder) throws IOException {
        return new LiveRun(RecordedRun.open(folder), System::nanoTime);
    }

    /** A function of a run that does not change during the call. */
    @FunctionalInterface
    interface Look<T> {
        T at(RecordedRun run, RunStatus status) throws IOException;
    }

    /** Looks at it, as it is now or was a moment ago. */
    synchronized <T> T look(Look<T> look) throws IOException {
        long now = nanos.getAsLong();
        if (now - notBefore >= 0) {
            long there = journalLength();
            if (there != length) {
                run.readOn();
                length = there;
                notBefore = nanos.getAsLong() + SHARE * (nanos.getAsLong() - now);
            }
        }
        return look.at(run, run.status(run.now()));
    }

    /** All that is on record of it. */
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
