package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares start times with the thesis authors' simulator on the whole KTH log, and with a model of its contiguous
 * scheduler.
 */
class ConservativeOracleTest {
    private static final int NODES = 100;

    @ParameterizedTest
    @ValueSource(strings = {"accurate", "real"})
    void startTimesAgreeWithTheThesisSimulator(String mode) {
        List<String> lines = SharedFiles.lines("reference/thesis/kth_full_cbf_" + mode + ".csv.gz");
        JobLog.Builder log = JobLog.builder();
        double[] expected = new double[lines.size() - 1];
        for (String line : lines.subList(1, lines.size())) {
            String[] f = line.split(",");
            expected[log.size()] = Double.parseDouble(f[5]);
            long run = Math.max(0, Long.parseLong(f[3]) - 1);
            add(log, f[0], f[1], run, f[4], f[2]);
        }
        ReplayResult replayed = Replay.run(log.build(), new BatchEngine(Policy.conservative(), NODES));
        assertThat(share(replayed, expected)).isGreaterThanOrEqualTo(0.995);
    }

    @ParameterizedTest
    @ValueSource(strings = {"accurate", "real"})
    void startTimesAgreeWithTheContiguousModel(String mode) {
        List<String> lines =
                SharedFiles.lines("reference/thesis/kth_30d_model_batsched_contiguous_" + mode + ".csv.gz");
        JobLog.Builder log = JobLog.builder();
        double[] expected = new double[lines.size() - 1];
        for (String line : lines.subList(1, lines.size())) {
            String[] f = line.split(",");
            expected[log.size()] = Double.parseDouble(f[5]);
            long run = Math.max(0, Long.parseLong(f[3]) - 1);
            add(log, f[0], f[1], run, f[4], f[2]);
        }
        Policy policy = Policy.conservative().withPlacement(Policy.NodeSelection.CONTIGUOUS);
        ReplayResult replayed = Replay.run(log.build(), new BatchEngine(policy, NODES));
        assertThat(share(replayed, expected)).isGreaterThanOrEqualTo(0.99);
    }

    private static void add(JobLog.Builder log, String id, String submit, long run, String request, String nodes) {
        log.add(
                Integer.parseInt(id),
                1000 * Long.parseLong(submit),
                1000 * run,
                1000 * Long.parseLong(request),
                Integer.parseInt(nodes),
                0);
    }

    /** The share of jobs that start within 2 s of the expected time. */
    private static double share(ReplayResult replayed, double[] expected) {
        int same = 0;
        for (int j = 0; j < expected.length; j++) {
            same += Math.abs(replayed.start(j) - 1000 * expected[j]) <= 2000 ? 1 : 0;
        }
        return (double) same / expected.length;
    }
}
