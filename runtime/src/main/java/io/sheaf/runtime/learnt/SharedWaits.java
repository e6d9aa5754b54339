package io.sheaf.runtime.learnt;

import io.sheaf.predict.Geometry;
import io.sheaf.predict.LearnedWaits;
import io.sheaf.predict.WaitMemory;
import io.sheaf.predict.WaitObservation;
import io.sheaf.random.RandomStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The learnt queue waits of a cluster and partition, in a {@linkplain LearntFolder folder} shared by all runs. If the
 * folder cannot be used, each run learns for itself.
 */
public final class SharedWaits implements WaitMemory {
    static final String SUFFIX = ".waits";
    private static final int FIELDS = 4;

    private final SharedLines lines;
    private final LearnedWaits.LearnerSettings settings;
    private LearnedWaits known;

    /**
     * Opens the memory in a folder.
     *
     * @param clock milliseconds of the epoch
     * @param trouble receives one message if the folder cannot be used
     */
    public SharedWaits(
            Path folder, LearnedWaits.LearnerSettings settings, LongSupplier clock, Consumer<String> trouble) {
        lines = new SharedLines(folder, SUFFIX, SharedWaits::kind, clock, "what is learnt about waits", trouble);
        this.settings = settings;
        known = new LearnedWaits(settings);
    }

    public static Path folder(Path all, String cluster, String partition) {
        return all.resolve(SharedLines.fileName(cluster)).resolve(SharedLines.fileName(partition));
    }

    @Override
    public long expect(int nodes, long walltime, long estimate, RandomStream random) {
        List<String> added = lines.newLines();
        if (!added.isEmpty()) {
            LearnedWaits read = new LearnedWaits(settings);
            for (String each : added) {
                WaitObservation lesson = read(each);
                if (lesson != null) {
                    read.learn(lesson);
                }
            }
            known = read;
        }
        return known.expect(nodes, walltime, estimate, random);
    }

    @Override
    public void learn(WaitObservation lesson) {
        if (!lines.add(text(lesson))) {
            known.learn(lesson);
        }
    }

    static String text(WaitObservation lesson) {
        return lesson.nodes() + " " + lesson.walltime() + " " + lesson.expected() + " " + lesson.waited();
    }

    private static @Nullable WaitObservation read(String line) {
        String[] f = line.split(" ", -1);
        try {
            return f.length != FIELDS
                    ? null
                    : new WaitObservation(
                            Integer.parseInt(f[0]), Long.parseLong(f[1]), Long.parseLong(f[2]), Long.parseLong(f[3]));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    static Object kind(String line) {
        WaitObservation lesson = read(line);
        return lesson == null ? line : Geometry.of(lesson.nodes(), lesson.walltime());
    }
}
