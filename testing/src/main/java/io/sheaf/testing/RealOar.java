package io.sheaf.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real OAR cluster on this machine that belongs to a test: {@code tools/oar/up} starts it, closing it stops it.
 *
 * <p>Where none can be had (no root, packages that cannot be installed), the calling test is skipped with the reason; with
 * SHEAF_REQUIRE_OAR=1 it fails instead.
 */
public final class RealOar implements AutoCloseable {
    /** How many ports a cluster takes, and where they are looked for. */
    private static final int PORTS = 10;

    private static final int FIRST_PORT = 26_000;
    private static final int PLACES = 50;
    private static final int CANNOT_BE_HAD = 77;
    private static final long PATIENCE_SECONDS = 300;

    private final Path folder;
    private final Map<String, String> environment;

    private RealOar(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /**
     * A cluster with idle nodes.
     *
     * @param conf lines of oar.conf that count more than the usual ones
     */
    public static RealOar start(int nodes, int cores, String... conf) {
        try {
            Path folder = Files.createTempDirectory(
                    "sheaf-oar", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            // The umask may have taken something away.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path given = Files.write(folder.resolve("given"), List.of(conf));
            Said up = run(
                    Map.of(),
                    List.of(
                            tool("up").toString(),
                            folder.toString(),
                            "nodes=" + nodes,
                            "cores=" + cores,
                            "port=" + freePort(),
                            "conf=" + given));
            boolean required = "1".equals(System.getenv("SHEAF_REQUIRE_OAR"));
            assumeTrue(up.status() != CANNOT_BE_HAD || required, () -> "skipped: " + up.text());
            if (up.status() != 0) {
                throw new AssertionError("no OAR for this test: " + up.text());
            }
            return new RealOar(folder, environment(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path tool(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path found = at.resolve("tools/oar").resolve(name);
            if (Files.isExecutable(found)) {
                return found;
            }
        }
        throw new AssertionError(
                "tools/oar/" + name + " is in no folder above " + Path.of("").toAbsolutePath());
    }

    /** Ports that nobody listens on; tests of several modules, and of several people, may run at once. */
    private static int freePort() {
        int from = (int) (ProcessHandle.current().pid() % PLACES);
        for (int i = 0; i < PLACES; i++) {
            int port = FIRST_PORT + (from + i) % PLACES * PORTS;
            if (isFree(port) && isFree(port + 1) && isFree(port + 2)) {
                return port;
            }
        }
        throw new AssertionError("all ports for clusters are taken");
    }

    private static boolean isFree(int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getByName("0.0.0.0")).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Map<String, String> environment(Path folder) throws IOException {
        Map<String, String> variables = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve("env"))) {
            int equals = line.indexOf('=');
            variables.put(line.substring("export ".length(), equals), line.substring(equals + 2, line.length() - 1));
        }
        return variables;
    }

    /** The variables by which its commands find it. */
    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    /** Where its configuration, its logs ({@code log}) and the numbers of its processes ({@code run}) lie. */
    public Path folder() {
        return folder;
    }

    /** What a command printed on either output, without blanks around it. */
    public record Said(int status, String text) {}

    /** Runs a command with the cluster's variables. */
    public Said run(String... words) {
        return run(environment, List.of(words));
    }

    /** What a command that must succeed printed. */
    public String ask(String... words) {
        Said said = run(words);
        if (said.status() != 0) {
            throw new AssertionError(String.join(" ", words) + ": " + said.text());
        }
        return said.text();
    }

    private static Said run(Map<String, String> variables, List<String> words) {
        try {
            // A file, not a pipe: servers that are started keep a pipe open.
            Path out = Files.createTempFile("sheaf-oar", ".out");
            List<String> command = new ArrayList<>(words);
            if (variables.containsKey("PATH")) {
                // The program is looked for in this process's PATH otherwise.
                command.addAll(0, List.of("/usr/bin/env", "PATH=" + variables.get("PATH")));
            }
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(out.resolveSibling("").toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            builder.environment().putAll(variables);
            Process process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", words) + " does not end");
            }
            String text = Files.readString(out, StandardCharsets.ISO_8859_1);
            Files.delete(out);
            return new Said(process.exitValue(), text.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** A job of somebody else: so many nodes for so long, in seconds. */
    public void job(int nodes, int seconds) {
        ask(
                "oarsub",
                "--name=other",
                "--directory=/",
                "--stdout=/dev/null",
                "--stderr=/dev/null",
                "--resource=/nodes=%d,walltime=%d:%02d:%02d"
                        .formatted(nodes, seconds / 3600, seconds / 60 % 60, seconds % 60),
                "sleep " + seconds);
    }

    /** Adds an admission rule, in Perl, to those of the site; null removes it again. */
    public void rule(@Nullable String perl) {
        String sql = perl == null
                ? "DELETE FROM admission_rules WHERE priority = 90"
                : "INSERT INTO admission_rules (priority, enabled, rule) VALUES (90, 'YES', $rule$" + perl + "$rule$)";
        ask(
                "/bin/bash",
                "-c",
                ". <(grep ^DB_PORT= \"$0\") && psql -q -h 127.0.0.1 -p \"$DB_PORT\" -U oar oar -c \"$1\"",
                folder.resolve("oar.conf").toString(),
                sql);
    }

    /** Deletes all jobs. */
    public void deleteAll() {
        run("/bin/bash", "-c", "oardel $(oarstat | awk '$1 ~ /^[0-9]+$/ { print $1 }')");
    }

    /** Stops everything, by process id, and deletes its folder. */
    @Override
    public void close() {
        run(Map.of(), List.of(tool("down").toString(), folder.toString()));
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
