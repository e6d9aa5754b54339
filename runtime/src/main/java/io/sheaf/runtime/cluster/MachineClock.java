package io.sheaf.runtime.cluster;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The setting of a run's clock, kept in the run's folder: the clock's instant at an uptime of this machine.
 *
 * <p>The first process sets the clock by the wall clock. Later processes add the machine's uptime since then, so
 * changes of the wall clock neither shorten nor lengthen walltimes. After a reboot or on another machine no process
 * of the run is left; the wall clock then sets it again.
 *
 * @param boot identifies the machine and its boot
 */
public record MachineClock(String boot, long upMillis, long instant) {
    /** The wall clock's current reading; {@code boot} is empty if the system does not provide it. */
    private static MachineClock wall() {
        long wall = System.currentTimeMillis();
        try {
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            String up = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
            return new MachineClock(boot, Math.round(Double.parseDouble(up) * 1000), wall);
        } catch (IOException | NumberFormatException e) {
            return new MachineClock("", 0, wall);
        }
    }

    /** The run clock's instant at a reading of the wall clock; {@code set} is null if it was not set before. */
    static long at(@Nullable MachineClock set, MachineClock reading) {
        if (set == null || set.boot.isEmpty() || !set.boot.equals(reading.boot) || reading.upMillis < set.upMillis) {
            return reading.instant;
        }
        return set.instant + reading.upMillis - set.upMillis;
    }

    /** The clock of a process that takes the lease, at least a known last instant. */
    public static RunClock start(Path file, long notBelow) throws IOException {
        long from = System.nanoTime();
        MachineClock reading = wall();
        long start = Math.max(notBelow, at(read(file), reading));
        RunFolder.replace(file, reading.boot + " " + reading.upMillis + " " + start + "\n");
        return RunClock.of(start, start, () -> (System.nanoTime() - from) / 1_000_000);
    }

    /** The run clock's current instant. */
    public static long now(Path file) {
        return at(read(file), wall());
    }

    /** The setting in a file; null if there is none, or it is invalid. */
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
