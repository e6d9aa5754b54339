package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distributed command: a shell script with a jar appended. */
class LauncherIT {
    private static final Path BUILT = Path.of("target/sheaf").toAbsolutePath();
    private static final int TIMEOUT_SECONDS = 60;

    @TempDir
    Path folder = Path.of("");

    private Path program = BUILT;
    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void copyProgram() throws IOException {
        Path place = Files.createDirectory(folder.resolve("a folder with spaces"));
        program = Files.copy(BUILT, place.resolve("sheaf"), StandardCopyOption.COPY_ATTRIBUTES);
        environment.put("SHEAF_CACHE", folder.resolve("cache").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    private Finished sheaf(Path command, String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        line.addAll(List.of(args));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    @Test
    void runsThroughLinksAndFromFoldersWithSpaces() throws IOException, InterruptedException {
        Files.createDirectory(folder.resolve("bin"));
        Path relative =
                Files.createSymbolicLink(folder.resolve("bin/relative"), Path.of("../a folder with spaces/sheaf"));
        Path linked = Files.createSymbolicLink(folder.resolve("bin/linked"), relative);
        for (Path command : List.of(program, relative, linked)) {
            Finished run = sheaf(command, "config");
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).startsWith("setting");
            assertThat(run.status()).isZero();
        }
    }

    /** An image of jlink has java and the modules in these places. */
    @Test
    void usesTheJavaOfItsImage() throws IOException, InterruptedException {
        Path image = folder.resolve("image");
        Files.createDirectories(image.resolve("bin"));
        Path home = Path.of(System.getProperty("java.home"));
        Files.writeString(Files.createDirectories(image.resolve("lib")).resolve("modules"), "");
        Files.copy(home.resolve("release"), image.resolve("release"));
        Path java = Files.writeString(image.resolve("bin/java"), "#!/bin/sh\necho its own Java: \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path inside = Files.copy(program, image.resolve("bin/sheaf"), StandardCopyOption.COPY_ATTRIBUTES);
        environment.put("SHEAF_NO_ARCHIVE", "1");
        assertThat(sheaf(inside, "config").out()).startsWith("its own Java: ").endsWith(" config\n");
        Files.delete(image.resolve("lib/modules"));
        assertThat(sheaf(inside, "config").out()).as("java without an image").startsWith("setting");
    }

    @Test
    void opensFilesWithAnyNameInAnyLocale() throws IOException, InterruptedException {
        environment.put("LC_ALL", "C");
        environment.put("LANG", "C");
        Finished made = sheaf(program, "generate", "chain", "--tasks", "3", "-o", "données 1.json");
        assertThat(made.err()).startsWith("données 1.json: chain");
        assertThat(sheaf(program, "inspect", "données 1.json").out()).contains("tasks             3");
    }

    @Test
    void createsOneArchiveAndUsesIt() throws IOException, InterruptedException {
        // Java 17 shares no classes of a jar whose path contains a blank.
        program = Files.copy(program, folder.resolve("sheaf"), StandardCopyOption.COPY_ATTRIBUTES);
        sheaf(program, "config");
        assertThat(archives()).hasSize(1);
        long made = Files.getLastModifiedTime(archives().get(0)).toMillis();
        environment.put("JAVA_OPTS", "-Xshare:on -Xlog:class+load=info:file=loaded.txt");
        Finished second = sheaf(program, "config");
        assertThat(second.status()).isZero();
        assertThat(Files.readString(folder.resolve("loaded.txt")))
                .containsPattern("io[.]sheaf[.]app[.][a-z.]*ConfigCommand source: shared objects file \\(top\\)");
        assertThat(archives()).hasSize(1);
        assertThat(Files.getLastModifiedTime(archives().get(0)).toMillis()).isEqualTo(made);
    }

    @Test
    void runsWithoutAUsableArchive() throws IOException, InterruptedException {
        environment.put("SHEAF_CACHE", "/dev/null/nowhere");
        assertThat(sheaf(program, "config").status()).isZero();
        environment.put("SHEAF_CACHE", folder.resolve("cache").toString());
        sheaf(program, "config");
        // Archives of later JDKs are read-only.
        Path archive = archives().get(0);
        Files.delete(archive);
        Files.writeString(archive, "garbage");
        Finished run = sheaf(program, "config");
        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
    }

    /**
     * Even if the umask lets other users write new files, programs in the cache must be writable by their owner only.
     */
    @Test
    void theCacheIsPrivateUnderAnOpenUmask() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("w.yaml"), "tasks: {a: {run: 'true'}}\n");
        Finished run = Finished.run(
                folder,
                environment,
                TIMEOUT_SECONDS,
                List.of("/bin/sh", "-c", "umask 000; exec \"$0\" run w.yaml --nodes 1", program.toString()));
        assertThat(run.err()).doesNotContain("other users");
        assertThat(run.status()).isZero();
        for (String place : List.of("cache", "cache/agent")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(place))))
                    .as(place)
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void anotherUsersCacheIsRefused() throws IOException, InterruptedException {
        assumeTrue(
                "root".equals(System.getProperty("user.name")), "skipped: only root can make a folder of another user");
        Files.writeString(folder.resolve("w.yaml"), "tasks: {a: {run: 'true'}}\n");
        Path agent = Files.createDirectories(folder.resolve("cache/agent"));
        Files.setOwner(
                agent, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        Finished run = sheaf(program, "run", "w.yaml", "--nodes", "1");
        assertThat(run.err()).contains(agent + ", the folder of the agent's program, belongs to the user nobody; set");
        assertThat(run.status()).isNotZero();
    }

    /**
     * The site file beside the program allows one submission per hour for all runs of a user. The second run waits and
     * prints the reason.
     */
    @Test
    void theSiteFileBesideTheProgramLimitsSubmissions() throws IOException, InterruptedException {
        Path ledger = folder.resolve("ledger");
        Files.createDirectories(ledger.resolve(System.getProperty("user.name")));
        Path site = Files.writeString(
                program.resolveSibling("site.yaml"), "submissions-per-hour: 1\nledger: " + ledger + "\n");
        Files.setPosixFilePermissions(site, PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(folder.resolve("tiny.yaml"), "name: tiny\ntasks:\n  a: {run: 'true', time: 1s}\n");
        assertThat(sheaf(program, "doctor").out()).contains("1 submissions per hour");
        assertThat(sheaf(program, "run", "tiny.yaml", "--plain", "--run-dir", "first")
                        .status())
                .isZero();
        Path printed = folder.resolve("second.txt");
        ProcessBuilder second = new ProcessBuilder(
                        program.toString(), "run", "tiny.yaml", "--plain", "--rerun", "all", "--run-dir", "second")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        second.environment().putAll(environment);
        Process process = second.start();
        try {
            Await.until(() -> "the submission is delayed: " + Files.readString(printed), () -> Files.readString(printed)
                    .contains("the next one is delayed"));
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void missingAndOldJavaAreReported() throws IOException, InterruptedException {
        environment.put("JAVA_HOME", "");
        environment.put("PATH", "/nonexistent");
        Finished run =
                Finished.run(folder, environment, TIMEOUT_SECONDS, List.of("/bin/sh", program.toString(), "config"));
        assertThat(run.err()).isEqualTo("sheaf: no Java found; install Java 17 or later, or set JAVA_HOME\n");
        assertThat(run.status()).isEqualTo(4);
        Path old = Files.createDirectories(folder.resolve("old java/bin"));
        Files.createSymbolicLink(old.resolve("java"), Path.of("/bin/true"));
        Files.writeString(folder.resolve("old java/release"), "JAVA_VERSION=\"11.0.2\"\n");
        environment.put("JAVA_HOME", folder.resolve("old java").toString());
        environment.put("PATH", System.getenv("PATH"));
        assertThat(sheaf(program, "config").err())
                .isEqualTo("sheaf: " + old.resolve("java")
                        + " is Java 11.0.2; Sheaf needs Java 17 or later (set JAVA_HOME)\n");
    }

    @Test
    void theCommandOfTheCheckoutStartsTheBuild() throws IOException, InterruptedException {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        Path link = Files.createSymbolicLink(folder.resolve("my sheaf"), checkout.resolve("sheaf"));
        Finished run = sheaf(link, "--version");
        assertThat(run.out()).startsWith("sheaf ");
        assertThat(run.status()).isZero();
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
            return files.toList();
        }
    }
}
