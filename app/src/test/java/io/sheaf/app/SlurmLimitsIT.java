package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests limits of cores and core-minutes in the QOS of a real Slurm: a job above them would stay pending for ever. */
@Tag("slow")
class SlurmLimitsIT {
    private static final int TIMEOUT_SECONDS = 180;
    private static final int CORES = 4;
    private static final Pattern SIZE =
            Pattern.compile("--nodes=(\\d+) .*--cpus-per-task=(\\d+) .*--time=(\\d+)", Pattern.DOTALL);

    @RegisterExtension
    static final TestSlurm SLURM =
            TestSlurm.of(RealSlurm.SlurmShape.of(4).nodesOf(CORES, 0).withDatabase());

    @TempDir
    Path folder = Path.of("");

    private static void limit(String limit) {
        SLURM.get().query("sacctmgr", "-i", "modify", "qos", "normal", "set", limit);
    }

    @AfterEach
    void removeLimits() {
        limit("MaxTRESPerUser=cpu=-1");
        limit("GrpTRESRunMins=cpu=-1");
        limit("MaxTRESMins=cpu=-1");
    }

    private Finished sheaf(String... words) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(SLURM.get().environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(words));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    /** Runs sixteen tasks of one core with an estimated run time; they end after a second. */
    private Finished run(String strategy, String time) throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder("name: wide\ntasks:\n");
        for (int i = 0; i < 16; i++) {
            text.append("  t" + i + ": {run: sleep 1, time: " + time + "}\n");
        }
        Files.writeString(folder.resolve("workflow.yaml"), text);
        return sheaf("run", "workflow.yaml", "--on", "slurm", "--strategy", strategy, "--run-dir", "run");
    }

    /** The nodes and minutes of each submitted job. */
    private List<int[]> requests() throws IOException {
        List<int[]> requests = new ArrayList<>();
        try (Stream<Path> jobs = Files.list(folder.resolve("run/slurm"))) {
            for (Path script :
                    jobs.map(job -> job.resolve("script")).filter(Files::exists).toList()) {
                Matcher size = SIZE.matcher(Files.readString(script));
                assertThat(size.find()).as(script.toString()).isTrue();
                assertThat(size.group(2)).isEqualTo(String.valueOf(CORES));
                requests.add(new int[] {Integer.parseInt(size.group(1)), Integer.parseInt(size.group(3))});
            }
        }
        assertThat(requests).isNotEmpty();
        return requests;
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "levelbylevel"})
    void jobsStayWithinTheCoreLimit(String strategy) throws IOException, InterruptedException {
        limit("MaxTRESPerUser=cpu=9");
        Finished run = run(strategy, "30s");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(requests()).allSatisfy(size -> assertThat(size[0]).isLessThanOrEqualTo(2));
    }

    /** A task may need ten minutes, and core-minutes suffice for two nodes for 13 minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "onejob", "onejobpertask"})
    void jobsStayWithinTheCoreMinuteLimit(String strategy) throws IOException, InterruptedException {
        limit("GrpTRESRunMins=cpu=107");
        Finished run = run(strategy, "10m");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(requests())
                .allSatisfy(size -> assertThat(size[0] * size[1] * CORES).isLessThanOrEqualTo(107));
    }

    @Test
    void doctorAndPlanReportTheLimits() throws IOException, InterruptedException {
        limit("MaxTRESPerUser=cpu=9");
        limit("MaxTRESMins=cpu=107");
        Finished doctor = sheaf("doctor", "--on", "slurm");
        assertThat(doctor.out()).contains("9 cores in use", "107 core-minutes of a job");
        Files.writeString(folder.resolve("workflow.yaml"), "tasks: {long: {run: 'true', time: 40m}}");
        Finished plan = sheaf("plan", "workflow.yaml", "--on", "slurm");
        assertThat(plan.status()).isEqualTo(3);
        assertThat(plan.err()).contains("task 'long' of workflow", "a job may run for at most 26m");
        limit("MaxTRESPerUser=cpu=3");
        Finished none = run("auto", "10s");
        assertThat(none.status()).isEqualTo(3);
        assertThat(none.err())
                .contains("allows at most 3 cores in use, so no node of 4 cores. Use fewer cores of a node");
        assertThat(sheaf("doctor", "--on", "slurm").out()).contains("so no node of 4 cores");
        Finished fewer = sheaf("run", "workflow.yaml", "--on", "slurm", "--cores-per-node", "3", "--run-dir", "fewer");
        assertThat(fewer.status()).as(fewer.err()).isZero();
    }
}
