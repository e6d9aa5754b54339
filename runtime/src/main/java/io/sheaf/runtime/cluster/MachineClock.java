package io.sheaf.runtime.cluster;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run's clock was set: what it showed when this machine had been up for so long; kept in the run's folder.
 *
 * <p>The first process sets it by the wall clock. The next ones count on by the time that the machine has been up, which nobody can set: a
 * wall clock that was set between two processes neither ends walltimes that are not over nor lengthens them. When the machine was started
 * again, or is another one, nothing of the run is running here any more; then the wall clock sets it anew.
 *
 * @param boot names the machine and when it was started
 */
public record MachineClock(String boot, long upMillis, long instant) {
    /** When and where something is looked at. */
    record Reading(String boot, long upMillis, long wall) {
        /** Now, here; without a name where the system does not tell it. */
        static Reading now() {
            long wall = System.currentTimeMillis();
            try {
                String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                        .strip();
                String up = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
                return new Reading(boot, Math.round(Double.parseDouble(up) * 1000), wall);
            } catch (IOException | NumberFormatException e) {
                return new Reading("", 0, wall);
            }
        }
    }

    /** What a run's clock shows at a reading, if it was set before or not. */
    static long at(@Nullable MachineClock set, Reading reading) {
        if (set == null || set.boot.isEmpty() || !set.boot.equals(reading.boot) || reading.upMillis < set.upMillis) {
            return reading.wall;
        }
        return set.instant + reading.upMillis - set.upMillis;
    }

    /** The clock of a process that takes charge, not below an instant that was seen before. */
    public static RunClock start(Path file, long notBelow) throws IOException {
        long from = System.nanoTime();
        Reading reading = Reading.now();
        long start = Math.max(notBelow, at(read(file), reading));
        RunFolder.replace(file, reading.boot + " " + reading.upMillis + " " + start + "\n");
        return RunClock.of(start, start, () -> (System.nanoTime() - from) / 1_000_000);
    }

    /** What the clock of the run shows now. */
    public static long now(Path file) {
        return at(read(file), Reading.now());
    }

    /** Null if it was not set, or cannot be understood. */
    static @Nullable MachineClock read(Path file) {
        try {
            List<String> words = List.of(Files.readString(file).strip().split(" ", -1));
            return words.size() == 3
                    ? new MachineClock(words.get(0), Long.parseLong(words.get(1)), Long.parseLong(words.get(2)))
                    : null;
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }
}
