package io.sheaf.runtime.waits;

import io.sheaf.predict.LearntWaits;
import io.sheaf.predict.Lesson;
import io.sheaf.predict.WaitMemory;
import io.sheaf.random.RandomStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What was learnt on a cluster and partition by all runs there, in a {@linkplain WaitFolder folder} that they share. A disk that cannot be read or written keeps nobody from
 * running: nothing is learnt then.
 */
public final class SharedWaits implements WaitMemory {
    /** What others learnt is looked at again after so long. */
    private static final long LOOK = 60_000;

    private final WaitFolder folder;
    private final LearntWaits.Settings settings;
    private final LongSupplier clock;
    private final Consumer<String> trouble;
    private LearntWaits known;
    private long readAt = Long.MIN_VALUE;
    private String writer = "";
    private long writesSince;
    private long number;
    private boolean told;

    /**
     * The memory in a folder.
     *
     * @param clock milliseconds of the epoch
     * @param trouble is told once if the folder cannot be used
     */
    public SharedWaits(Path folder, LearntWaits.Settings settings, LongSupplier clock, Consumer<String> trouble) {
        this.folder = new WaitFolder(folder);
        this.settings = settings;
        this.clock = clock;
        this.trouble = trouble;
        known = new LearntWaits(settings);
    }

    /** The folder of a cluster and partition below one for all. */
    public static Path folder(Path all, String cluster, String partition) {
        return all.resolve(fileName(cluster)).resolve(fileName(partition));
    }

    private static String fileName(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_.@+-]", "_");
        return plain.isEmpty() || plain.startsWith(".") ? "_" + plain : plain.toLowerCase(Locale.ROOT);
    }

    @Override
    public long expect(int nodes, long walltime, long estimate, RandomStream random) {
        look();
        return known.expect(nodes, walltime, estimate, random);
    }

    @Override
    public void learn(Lesson lesson) {
        long now = clock.getAsLong();
        if (writer.isEmpty() || now - writesSince > WaitFolder.WRITTEN_FOR) {
            begin(now);
        }
        try {
            folder.append(new Observation(writer, number++, now, lesson));
            readAt = Long.MIN_VALUE;
        } catch (IOException e) {
            // Half a line may be there: another file is begun.
            writer = "";
            tell(e);
            known.learn(lesson);
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

    private void look() {
        long now = clock.getAsLong();
        if (readAt != Long.MIN_VALUE && now - readAt < LOOK) {
            return;
        }
        try {
            LearntWaits read = new LearntWaits(settings);
            folder.read().forEach(each -> read.learn(each.lesson()));
            known = read;
        } catch (IOException e) {
            tell(e);
        }
        readAt = now;
    }

    private void tell(IOException e) {
        if (!told) {
            told = true;
            trouble.accept("what is learnt about waits cannot be kept (" + e.getMessage() + ")");
        }
    }
}
