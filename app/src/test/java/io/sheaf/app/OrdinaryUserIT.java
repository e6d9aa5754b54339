package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.testing.Await;
import io.sheaf.testing.RealCluster;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands of an ordinary user on a Slurm that hides other users' jobs (PrivateData). */
@Tag("slow")
@Timeout(300)
class OrdinaryUserIT {
    private static final String USER = "nobody";
    private static final long LARGE = 10 << 20;

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(4).conf("PrivateData=jobs"));

    private static Path folder = Path.of("");

    private static RealSlurm slurm() {
        return SLURM.get();
    }

    /** Two of four nodes run hidden jobs of another user. */
    @BeforeAll
    static void setUp() throws Exception {
        assumeTrue(slurm().run("id", "-u", USER).status() == 0, "skipped: there is no user " + USER);
        folder = Files.createTempDirectory("sheaf-user");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(folder.resolve("home"));
        Files.writeString(folder.resolve("home/w.yaml"), """
                name: fan
                tasks:
                  a: {run: 'id -un > a.txt', out: a.txt, time: 5s}
                  b: {foreach: {p: 1..6}, run: 'sleep 0.2; cat a.txt > b{p}.txt', in: a.txt, out: 'b{p}.txt', time: 5s}
                """);
        slurm().query("chown", "-R", USER, folder.resolve("home").toString());
        copyClasses();
        slurm().job(2, 1500, "--exclusive");
        Await.until(
                "a job runs", () -> !slurm().query("squeue", "-h", "-t", "R").isEmpty());
    }

    /** Copies Sheaf to a folder that the user can read, which may not be true of the build's own folders. */
    private static void copyClasses() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path) || (Files.isRegularFile(path) && Files.size(path) < LARGE)) {
                String name = Files.isDirectory(path) ? "" : ".jar";
                slurm().query(
                                "cp",
                                "-r",
                                entry,
                                classes.resolve(number++ + name).toString());
            }
        }
        slurm().query("chmod", "-R", "a+rX", classes.toString());
    }

    @AfterAll
    static void deleteFolder() throws IOException {
        if (Files.isDirectory(folder.resolve("classes"))) {
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static RealCluster.CommandResult sheaf(String... words) throws IOException {
        List<String> entries = new ArrayList<>();
        try (Stream<Path> all = Files.list(folder.resolve("classes"))) {
            all.sorted(Comparator.comparingInt(each ->
                            Integer.parseInt(each.getFileName().toString().replace(".jar", ""))))
                    .forEach(each -> entries.add(each.toString()));
        }
        Path home = folder.resolve("home");
        List<String> command = new ArrayList<>(List.of(
                "runuser",
                "-u",
                USER,
                "--",
                "env",
                "-C",
                home.toString(),
                "HOME=" + home,
                "SHEAF_STATE=" + home.resolve("state"),
                "SHEAF_CACHE=" + home.resolve("cache"),
                "SHEAF_SITE_CONFIG=nowhere",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(File.pathSeparator, entries),
                Sheaf.class.getName()));
        command.addAll(List.of(words));
        return slurm().run(command.toArray(String[]::new));
    }

    @Test
    void waitsAreEstimatedDespiteHiddenJobs() throws IOException {
        assertThat(slurm().query("squeue", "-h")).isNotEmpty();
        assertThat(slurm().query("runuser", "-u", USER, "--", "squeue", "-h"))
                .as("queue that the user sees")
                .isEmpty();
        RealCluster.CommandResult free =
                sheaf("predict", "--on", "slurm", "--nodes", "2", "--time", "10m", "--no-json");
        assertThat(free.status()).as(free.text()).isZero();
        assertThat(free.text())
                .contains("4 nodes, 2 in use")
                .contains(
                        "other users' jobs are hidden: 2 nodes are used by hidden jobs, their queued jobs are unknown")
                .containsPattern("engine \\* +0 s");
        RealCluster.CommandResult wide =
                sheaf("predict", "--on", "slurm", "--nodes", "3", "--time", "10m", "--no-json");
        assertThat(wide.text()).as("a job with a third node waits").containsPattern("engine \\* +[1-9]");
        RealCluster.CommandResult doctor = sheaf("doctor", "--on", "slurm", "--no-json");
        assertThat(doctor.text()).contains("other users' jobs are hidden (PrivateData)");
    }

    @Test
    void aRunCompletesDespiteHiddenJobs() throws IOException {
        RealCluster.CommandResult run = sheaf(
                "run", "w.yaml", "--on", "slurm", "--strategy", "glume", "--queue-interval", "2s", "--run-dir", "run");
        assertThat(run.status()).as(run.text()).isZero();
        assertThat(run.text()).contains("7 done, 0 failed, 0 skipped of 7");
        for (int i = 1; i <= 6; i++) {
            assertThat(folder.resolve("home/b" + i + ".txt")).hasContent(USER);
        }
    }
}
