package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run's clock continues from process to process, even if the wall clock is set. */
class MachineClockTest {
    private static final long HOUR = 3_600_000;

    @TempDir
    Path folder = Path.of("");

    /**
     * Set at 12:00 when the machine had been up for an hour; half an hour later it is 12:30, independent of the wall
     * clock.
     */
    @Test
    void settingTheWallClockDoesNotChangeTheRunClock() {
        long noon = 12 * HOUR;
        MachineClock set = new MachineClock("b", HOUR, noon);
        long up = HOUR + HOUR / 2;
        assertThat(MachineClock.at(set, reading("b", up, noon + HOUR / 2))).isEqualTo(noon + HOUR / 2);
        assertThat(MachineClock.at(set, reading("b", up, noon + 9 * HOUR)))
                .as("set forward")
                .isEqualTo(noon + HOUR / 2);
        assertThat(MachineClock.at(set, reading("b", up, noon - 9 * HOUR)))
                .as("set back")
                .isEqualTo(noon + HOUR / 2);
    }

    @Test
    void theWallClockCountsOnAnotherMachineOrAfterAReboot() {
        MachineClock set = new MachineClock("b", HOUR, 12 * HOUR);
        assertThat(MachineClock.at(null, reading("b", HOUR, 5))).isEqualTo(5);
        assertThat(MachineClock.at(set, reading("c", 2 * HOUR, 5))).isEqualTo(5);
        assertThat(MachineClock.at(set, reading("b", HOUR - 1, 5)))
                .as("a container with an uptime of its own")
                .isEqualTo(5);
        assertThat(MachineClock.at(new MachineClock("", 0, 12 * HOUR), reading("", 0, 5)))
                .isEqualTo(5);
    }

    /** The file sets the clock ten days ahead of the wall clock; later processes keep the difference. */
    @Test
    void theClockContinuesInTheNextProcess() throws IOException {
        Path file = folder.resolve("clock");
        RunClock first = MachineClock.start(file, 0);
        MachineClock set = Objects.requireNonNull(MachineClock.read(file));
        assertThat(first.millis()).isBetween(set.instant(), set.instant() + 60_000);
        assumeTrue(!set.boot().isEmpty(), "this system does not report its uptime");
        long ahead = set.instant() + 240 * HOUR;
        Files.writeString(file, set.boot() + " " + set.upMillis() + " " + ahead + "\n");
        assertThat(MachineClock.start(file, 0).millis()).isBetween(ahead, ahead + 60_000);
        assertThat(MachineClock.now(file)).isBetween(ahead, ahead + 60_000);
        assertThat(MachineClock.start(file, ahead + HOUR).millis()).isGreaterThanOrEqualTo(ahead + HOUR);
        Files.writeString(file, "nonsense\n");
        assertThat(MachineClock.now(file)).isLessThan(ahead);
    }

    private static MachineClock reading(String boot, long up, long wall) {
        return new MachineClock(boot, up, wall);
    }
}
