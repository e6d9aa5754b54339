package io.sheaf.runtime.learnt;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This process' part in a {@linkplain LearntFolder folder} that all runs share. A disk that cannot be read or written keeps nobody from running: it is told once.
 */
final class SharedLines {
    /** What others saw is looked at again after so long. */
    private static final long LOOK = 60_000;

    private final LearntFolder folder;
    private final LongSupplier clock;
    private final String what;
    private final Consumer<String> trouble;
    private long readAt = Long.MIN_VALUE;
    private String writer = "";
    private long writesSince;
    private long number;
    private boolean told;

    /**
     * A process that has written nothing yet.
     *
     * @param clock milliseconds of the epoch
     * @param what is kept, in words, for the message
     * @param trouble is told once if the folder cannot be used
     */
    SharedLines(
            Path folder,
            String suffix,
            Function<String, Object> kind,
            LongSupplier clock,
            String what,
            Consumer<String> trouble) {
        this.folder = new LearntFolder(folder, suffix, kind);
        this.clock = clock;
        this.what = what;
        this.trouble = trouble;
    }

    /** A name of anything as that of a file. */
    static String fileName(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_.@+-]", "_");
        return plain.isEmpty() || plain.startsWith(".") ? "_" + plain : plain.toLowerCase(Locale.ROOT);
    }

    /** Keeps what was seen; whether that could be written. */
    boolean add(String seen) {
        long now = clock.getAsLong();
        if (writer.isEmpty() || now - writesSince > LearntFolder.WRITTEN_FOR) {
            begin(now);
        }
        try {
            folder.append(new Observation(writer, number++, now, seen));
            readAt = Long.MIN_VALUE;
            return true;
        } catch (IOException e) {
            // Half a line may be there: another file is begun.
            writer = "";
            tell(e);
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
            // Another one merges, or will.
            return;
        }
    }

    /** All that was seen, in order; null if that was read a moment ago, or cannot be. */
    @Nullable
    List<String> news() {
        long now = clock.getAsLong();
        if (readAt != Long.MIN_VALUE && now - readAt < LOOK) {
            return null;
        }
        readAt = now;
        try {
            return folder.read().stream().map(Observation::seen).toList();
        } catch (IOException e) {
            tell(e);
            return null;
        }
    }

    private void tell(IOException e) {
        if (!told) {
            told = true;
            trouble.accept(what + " cannot be kept (" + e.getMessage() + ")");
        }
    }
}
