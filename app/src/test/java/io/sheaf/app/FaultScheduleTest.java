package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.link.ServerSettings;
import io.sheaf.app.FaultSchedule.Fault;
import io.sheaf.app.FaultSchedule.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Schedules follow from their seeds, and a schedule is reduced to the faults that violate a guarantee. */
class FaultScheduleTest {
    @Test
    void aSeedAlwaysGivesTheSameSchedule() {
        for (long seed = 1; seed < 2_000; seed += 7) {
            assertThat(FaultSchedule.of(seed, FaultSchedule.Where.SLURM))
                    .isEqualTo(FaultSchedule.of(seed, FaultSchedule.Where.SLURM));
        }
        assertThat(FaultSchedule.of(248, FaultSchedule.Where.ANYWHERE).toString())
                .as("seeds of the published tables keep their schedules")
                .startsWith(
                        "seed 248, onejob, 5 tasks side by side:\n  KILL_MANAGER after 694 ms for 1838 ms (312111)");
    }

    @Test
    void laterSeedsHavePausesLongerThanTheTimeout() {
        assertThat(longPauses(3_000)).isZero();
        assertThat(longPauses(4_000)).isBetween(200L, 800L);
    }

    /** Faults of 1,000 seeds that last longer than a peer may be silent. */
    private static long longPauses(long first) {
        return LongStream.range(first, first + 1_000)
                .mapToObj(seed -> FaultSchedule.of(seed, FaultSchedule.Where.SLURM))
                .flatMap(schedule -> schedule.faults().stream())
                .filter(fault -> fault.millis() > ServerSettings.QUIET_MILLIS)
                .peek(fault -> assertThat(fault.kind()).isIn(Kind.PAUSE_MANAGER, Kind.PAUSE_AGENT))
                .count();
    }

    /** Simulates an error of the code that needs two faults: an agent is killed, and later the manager. */
    @Test
    void shrinkingKeepsOnlyTheNecessaryFaults() throws Exception {
        int shortened = 0;
        for (long seed = 1; seed <= 300; seed++) {
            FaultSchedule schedule = FaultSchedule.of(seed, FaultSchedule.Where.ANYWHERE);
            if (violates(schedule)) {
                FaultSchedule smallest = schedule.shrunk(2, FaultScheduleTest::violates);
                assertThat(smallest.faults())
                        .extracting(Fault::kind)
                        .containsExactly(Kind.KILL_AGENT, Kind.KILL_MANAGER);
                assertThat(instants(schedule))
                        .as("the remaining faults keep their times")
                        .containsAll(instants(smallest));
                shortened++;
            }
        }
        assertThat(shortened).isGreaterThan(20);
    }

    private static boolean violates(FaultSchedule schedule) {
        List<Kind> kinds = schedule.faults().stream().map(Fault::kind).toList();
        int agent = kinds.indexOf(Kind.KILL_AGENT);
        return agent >= 0 && kinds.lastIndexOf(Kind.KILL_MANAGER) > agent;
    }

    private static List<String> instants(FaultSchedule schedule) {
        List<String> instants = new ArrayList<>();
        int at = 0;
        for (Fault fault : schedule.faults()) {
            at += fault.afterMillis();
            instants.add(fault.kind() + " at " + at);
        }
        return instants;
    }

    /** A violation that only every second replay reproduces is not lost. */
    @Test
    void shrinkingHandlesIntermittentViolations() throws Exception {
        FaultSchedule schedule = FaultSchedule.of(248, FaultSchedule.Where.ANYWHERE);
        int[] trials = {0};
        FaultSchedule smallest = schedule.shrunk(2, less -> less.has(Kind.READ_ONLY) && trials[0]++ % 2 == 1);
        assertThat(smallest.faults()).extracting(Fault::kind).containsExactly(Kind.READ_ONLY);
        assertThat(schedule.shrunk(2, less -> false)).isEqualTo(schedule);
    }
}
