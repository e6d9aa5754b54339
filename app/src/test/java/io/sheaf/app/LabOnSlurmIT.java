package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OwnCommand;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An experiment whose shards run on a real Slurm has the same table, byte by byte, as one that runs in one process. */
class LabOnSlurmIT {
    private static final String EXPERIMENT = """
            title: Small
            workflows: {generate: chain, tasks: [20, 30], work: 1000h}
            clusters: {model: kth-like, days: 60}
            strategies: [zhang, onejob]
            starts: {first: 1d, every: 1h, for: 50d}
            quick:
              clusters: {model: kth-like, days: 4}
              starts: {first: 1d, every: 12h, for: 1d}
            """;

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(4));

    @TempDir
    Path folder = Path.of("");

    private String file = "";
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void setUp() throws IOException {
        file = Files.writeString(folder.resolve("e.yaml"), EXPERIMENT).toString();
        environment.putAll(System.getenv());
        environment.putAll(SLURM.get().environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("SHEAF_SITE_CONFIG", "nowhere");
    }

    private Run sheaf(String... words) {
        return Run.in(folder, environment, words);
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private void assertSameTable(String one, String other) throws IOException {
        assertThat(Files.mismatch(
                        folder.resolve(one).resolve("runs.csv"),
                        folder.resolve(other).resolve("runs.csv")))
                .isEqualTo(-1);
    }

    @Test
    void shardsOnSlurmGiveTheSameTable() throws IOException {
        assertThat(sheaf("lab", "run", file, "--quick", "-o", at("here")).status())
                .isZero();
        Run run = sheaf(
                "lab",
                "run",
                file,
                "--quick",
                "-o",
                at("there"),
                "--on",
                "slurm",
                "--shards",
                "3",
                "--",
                "--mail-type=NONE");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("Small: 12 runs in " + at("there") + "\n");
        assertSameTable("here", "there");
        assertThat(folder.resolve("there/shards")).isDirectoryContaining("glob:**/3");
        assertThat(folder.resolve("there/run1/slurm/1/script")).content().contains("--mail-type=NONE");
        assertThat(folder.resolve("there/runs.log")).doesNotExist();
        Run second = sheaf("lab", "run", file, "--quick", "-o", at("there"), "--on", "slurm", "--json");
        assertThat(second.status()).isZero();
        assertThat(second.out()).contains("\"runs\" : 12");
        assertThat(folder.resolve("there/run2")).doesNotExist();
    }

    @Test
    void anInvalidExperimentIsNotSubmitted() throws IOException {
        String before = SLURM.get().query("squeue", "-h", "-t", "all");
        Files.writeString(folder.resolve("e.yaml"), EXPERIMENT.replace("chain", "chian"));
        Run run = sheaf("lab", "run", file, "--quick", "-o", at("out"), "--on", "slurm");
        assertThat(run.status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(run.err()).contains("Did you mean 'chain'");
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(SLURM.get().query("squeue", "-h", "-t", "all")).isEqualTo(before);
    }

    /** The manager is killed while shards run; the same command continues the experiment. */
    @Test
    @Tag("slow")
    void aKilledExperimentIsContinued() throws IOException, InterruptedException {
        String[] line = {"lab", "run", file, "--fraction", "0.2", "-o", at("there"), "--on", "slurm", "--shards", "3"};
        Process process = start(line);
        Path first = folder.resolve("there/shards/1/runs.log");
        Await.until("the first shard has a run", () -> !process.isAlive() || Files.exists(first));
        process.destroyForcibly().waitFor();
        assertThat(first).as(output()).exists();
        assertThat(folder.resolve("there/runs.csv")).doesNotExist();
        Run other = sheaf("lab", "run", file, "--fraction", "0.2", "-o", at("there"), "--on", "slurm", "--shards", "2");
        assertThat(other.status()).isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(other.err()).contains("was started with 3 shards");
        Run run = sheaf(line);
        assertThat(run.status()).as(run.err()).isZero();
        sheaf("lab", "run", file, "--fraction", "0.2", "-o", at("here"));
        assertSameTable("here", "there");
    }

    private Process start(String... words) throws IOException {
        List<String> line = OwnCommand.words(words);
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("output.txt"));
    }
}
