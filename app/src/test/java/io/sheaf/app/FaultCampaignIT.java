package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.FaultSchedule.Kind;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs with random schedules of faults: {@code ./test faults [RUNS [SEED [SYSTEM]]]}. Faults are removed from a
 * schedule that violates a guarantee, as long as it still does.
 */
@Tag("slow")
class FaultCampaignIT {
    private static final int REPLAYS = 2;

    @TempDir
    Path cache = Path.of("");

    @TempDir
    Path folder = Path.of("");

    private final Map<Kind, Integer> injected = new EnumMap<>(Kind.class);
    private int runCount;

    /** Starts the command once, so that no fault disturbs the creation of its class archive. */
    @BeforeEach
    void startOnce() throws IOException, InterruptedException {
        Map<String, String> variables =
                Map.of("SHEAF_CACHE", cache.toString(), "JAVA_HOME", System.getProperty("java.home"));
        List<String> command = List.of(RealRun.BUILT.toString(), "config");
        assertThat(Finished.run(cache, variables, 300, command).status()).isZero();
    }

    @Test
    void everyGuaranteeHolds() throws IOException, InterruptedException {
        int runs = Integer.parseInt(System.getenv().getOrDefault("SHEAF_FAULTS", "5"));
        long first = Long.parseLong(System.getenv().getOrDefault("SHEAF_FAULTS_SEED", "1"));
        String system = System.getenv().getOrDefault("SHEAF_FAULTS_ON", "embedded");
        int failed = 0;
        try (FaultSite site = FaultSite.of(system)) {
            for (long seed = first; seed < first + runs; seed++) {
                failed += holds(FaultSchedule.of(seed, site.where()), site) ? 0 : 1;
            }
        }
        int sum = injected.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println(system + ": " + runs + " runs, " + sum + " faults, " + failed
                + " runs violated a guarantee; " + injected);
        assertThat(failed).as("runs that violated a guarantee, printed above").isZero();
    }

    private boolean holds(FaultSchedule schedule, FaultSite site) throws IOException, InterruptedException {
        List<String> violations = execute(schedule, site);
        if (violations.isEmpty()) {
            return true;
        }
        System.out.println("VIOLATED by " + schedule + "\n" + String.join("\n", violations));
        if (!"0".equals(System.getenv("SHEAF_FAULTS_SHRINK"))) {
            System.out.println("shortest that violates: "
                    + schedule.shrunk(REPLAYS, less -> !execute(less, site).isEmpty()));
        }
        return false;
    }

    private List<String> execute(FaultSchedule schedule, FaultSite site) throws IOException, InterruptedException {
        Path place = Files.createDirectory(folder.resolve("run-" + runCount++));
        long from = System.nanoTime();
        try (FaultyRun run = new FaultyRun(schedule, site, place, cache)) {
            List<String> violations = run.execute();
            run.injected().forEach((kind, times) -> injected.merge(kind, times, Integer::sum));
            System.out.printf(
                    "seed %d, %s: %s, %d tasks repeated, %.1f s%n",
                    schedule.seed(),
                    schedule.strategy(),
                    run.injected(),
                    run.repeatedTasks(),
                    (System.nanoTime() - from) / 1e9);
            return violations;
        }
    }
}
