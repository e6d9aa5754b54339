package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that start times equal those of an independent EASY simulator with known run times. */
class EasyOracleTest {
    @ParameterizedTest
    @CsvSource({"KTH-SP2, 100", "SDSC-SP2, 128"})
    void everyJobStartsAtTheSameSecond(String cluster, int nodes) {
        List<long[]> jobs = SharedFiles.lines("data/oracle/" + cluster + ".pyss-easy-clairvoyant.swf.gz").stream()
                .filter(line -> !line.startsWith(";"))
                .map(EasyOracleTest::numbers)
                .sorted(Comparator.<long[]>comparingLong(f -> f[1]).thenComparingLong(f -> f[0]))
                .toList();
        JobLog.Builder log = JobLog.builder();
        for (long[] f : jobs) {
            log.add((int) f[0], f[1] * 1000, f[3] * 1000, f[3] * 1000, (int) f[4], 0);
        }
        ReplayResult replayed = Replay.run(log.build(), new BatchEngine(Policy.easy(), nodes));
        for (int j = 0; j < jobs.size(); j++) {
            long expected = jobs.get(j)[1] + jobs.get(j)[2];
            assertThat(replayed.start(j)).as("start of job %d", jobs.get(j)[0]).isEqualTo(expected * 1000);
        }
        assertThat(jobs).hasSizeGreaterThan(28_000);
    }

    private static long[] numbers(String line) {
        String[] fields = line.trim().split("\\s+");
        long[] numbers = new long[5];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Long.parseLong(fields[i]);
        }
        return numbers;
    }
}
