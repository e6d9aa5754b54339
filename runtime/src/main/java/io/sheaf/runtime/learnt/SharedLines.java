package io.sheaf.runtime.learnt;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * This process' access to a shared {@linkplain LearntFolder folder}. If the disk cannot be read or written, it reports
 * that once and the run continues.
 */
final class SharedLines {
    /** The minimum interval between reads, in milliseconds. */
    private static final long READ_INTERVAL_MILLIS = 60_000;

    private final LearntFolder folder;
    private final LongSupplier clock;
    private final String subject;
    private final Consumer<String> trouble;
    private long readAt = Long.MIN_VALUE;
    private String writer = "";
    private long writesSince;
    private long number;
    private boolean problemReported;

    /**
     * Creates the access of a process that has written nothing yet.
     *
     * @param clock milliseconds of the epoch
     * @param subject a description of the content, for the message
     * @param trouble receives one message if the folder cannot be used
     */
    SharedLines(
            Path folder,
            String suffix,
            Function<String, Object> kind,
            LongSupplier clock,
            String subject,
            Consumer<String> trouble) {
        this.folder = new LearntFolder(folder, suffix, kind);
        this.clock = clock;
        this.subject = subject;
        this.trouble = trouble;
    }

    static String fileName(String name) {
        return StateFolder.fileName(name).toLowerCase(Locale.ROOT);
    }

    /** Appends an observation and returns whether it was written. */
    boolean add(String line) {
        long now = clock.getAsLong();
        if (writer.isEmpty() || now - writesSince > LearntFolder.WRITTEN_FOR) {
            begin(now);
        }
        try {
            folder.append(new Observation(writer, number++, now, line));
            readAt = Long.MIN_VALUE;
            return true;
        } catch (IOException e) {
            // An incomplete line may have been written: begin another file.
            writer = "";
            report(e);
            return false;
        }
    }

    private void begin(long now) {
        writer = "w" + UUID.randomUUID();
        writesSince = now;
        number = 0;
        try {
            folder.merge(now, "m" + UUID.randomUUID());
        } catch (IOException e) {
            // Another process merges now or later.
        }
    }

    /** All observations, in order; none if they were read less than {@link #READ_INTERVAL_MILLIS} ago or cannot be read. */
    List<String> newLines() {
        long now = clock.getAsLong();
        if (readAt != Long.MIN_VALUE && now - readAt < READ_INTERVAL_MILLIS) {
            return List.of();
        }
        readAt = now;
        try {
            return folder.read().stream().map(Observation::value).toList();
        } catch (IOException e) {
            report(e);
            return List.of();
        }
    }

    private void report(IOException e) {
        if (!problemReported) {
            problemReported = true;
            trouble.accept(subject + " cannot be kept (" + e.getMessage() + ")");
        }
    }
}
