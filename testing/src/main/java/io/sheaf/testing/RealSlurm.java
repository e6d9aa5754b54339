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

/**
 * A real Slurm cluster on this machine that belongs to a test: {@code tools/slurm/up} starts it, closing it stops it.
 *
 * <p>Where none can be had (no root, packages that cannot be installed), the calling test is skipped with the reason; with
 * SHEAF_REQUIRE_SLURM=1 it fails instead.
 */
public final class RealSlurm implements AutoCloseable {
    /** How many ports a cluster takes, and where they are looked for. */
    private static final int PORTS = 200;

    private static final int FIRST_PORT = 27_000;
    private static final int PLACES = 25;
    private static final int CANNOT_BE_HAD = 77;
    private static final long PATIENCE_SECONDS = 180;

    private final Path folder;
    private final Map<String, String> environment;

    private RealSlurm(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = environment;
    }

    /**
     * What a cluster shall be like.
     *
     * @param speed how many times as fast as the real clock its clock goes
     * @param conf lines of slurm.conf in place of the usual ones
     */
    public record Shape(int nodes, int cores, int gpus, boolean database, int speed, List<String> conf) {
        public Shape {
            conf = List.copyOf(conf);
        }

        public static Shape of(int nodes) {
            return new Shape(nodes, 1, 0, false, 1, List.of());
        }

        public Shape withDatabase() {
            return new Shape(nodes, cores, gpus, true, speed, conf);
        }

        public Shape speed(int times) {
            return new Shape(nodes, cores, gpus, database, times, conf);
        }

        public Shape conf(String... lines) {
            return new Shape(nodes, cores, gpus, database, speed, List.of(lines));
        }

        /** With nodes of so many cores and GPUs, behind which there is nothing. */
        public Shape nodesOf(int someCores, int someGpus) {
            return new Shape(nodes, someCores, someGpus, database, speed, conf);
        }
    }

    /** A cluster with idle nodes. */
    public static RealSlurm start(Shape shape) {
        try {
            Path folder = Files.createTempDirectory(
                    "sheaf-slurm", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            // The umask may have taken something away.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path conf = Files.write(folder.resolve("given"), shape.conf());
            Said up = run(
                    Map.of(),
                    List.of(
                            tool("up").toString(),
                            folder.toString(),
                            "nodes=" + shape.nodes(),
                            "cores=" + shape.cores(),
                            "gpus=" + shape.gpus(),
                            "port=" + freePort(),
                            "database=" + (shape.database() ? "yes" : "no"),
                            "speed=" + shape.speed(),
                            "conf=" + conf));
            boolean required = "1".equals(System.getenv("SHEAF_REQUIRE_SLURM"));
            assumeTrue(up.status() != CANNOT_BE_HAD || required, () -> "skipped: " + up.text());
            if (up.status() != 0) {
                throw new AssertionError("no Slurm for this test: " + up.text());
            }
            return new RealSlurm(folder, environment(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path tool(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path found = at.resolve("tools/slurm").resolve(name);
            if (Files.isExecutable(found)) {
                return found;
            }
        }
        throw new AssertionError(
                "tools/slurm/" + name + " is in no folder above " + Path.of("").toAbsolutePath());
    }

    /** Ports that nobody listens on; tests of several modules, and of several people, may run at once. */
    private static int freePort() {
        int from = (int) (ProcessHandle.current().pid() % PLACES);
        for (int i = 0; i < PLACES; i++) {
            int port = FIRST_PORT + (from + i) % PLACES * PORTS;
            if (isFree(port) && isFree(port + 1) && isFree(port + 101) && isFree(port + 102)) {
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
            String value = line.substring(equals + 1);
            boolean quoted = value.startsWith("'") || value.startsWith("\"");
            variables.put(
                    line.substring("export ".length(), equals),
                    quoted ? value.substring(1, value.length() - 1) : value);
        }
        return variables;
    }

    /** Where its configuration, its logs ({@code log}) and the numbers of its processes ({@code run}) lie. */
    public Path folder() {
        return folder;
    }

    /** The variables by which its commands find it. */
    public Map<String, String> environment() {
        return Map.copyOf(environment);
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
            // A file, not a pipe: daemons that are started keep a pipe open.
            Path out = Files.createTempFile("sheaf-slurm", ".out");
            ProcessBuilder builder = new ProcessBuilder(words)
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

    /** A job of somebody else: so many nodes for so long, in seconds of the cluster's clock. Returns its number. */
    public String job(int nodes, int seconds, String... options) {
        List<String> words = new ArrayList<>(List.of(
                "sbatch", "--parsable", "-N", String.valueOf(nodes), "-t", String.valueOf((seconds + 59) / 60 + 1)));
        words.addAll(List.of("-o", "/dev/null", "-J", "other"));
        words.addAll(List.of(options));
        words.addAll(List.of("--wrap", "sleep " + seconds));
        return ask(words.toArray(String[]::new));
    }

    /** Ends slurmctld; jobs go on. */
    public void stopController() {
        stop("slurmctld", "TERM");
    }

    /** Starts slurmctld again, with what it had saved. */
    public void startController() {
        ask("slurmctld", "-f", folder.resolve("slurm.conf").toString());
    }

    public void stopDatabase() {
        stop("slurmdbd", "TERM");
    }

    public void startDatabase() {
        ask("slurmdbd");
    }

    /** Kills the slurmd of a node, and nothing else. */
    public void killNode(int node) {
        stop("slurmd.n" + node, "KILL");
    }

    public void startNode(int node) {
        ask("slurmd", "-N", "n" + node, "-f", folder.resolve("slurm.conf").toString());
    }

    /** Ends a daemon and waits until it is gone. */
    private void stop(String daemon, String signal) {
        try {
            Path file = folder.resolve("run").resolve(daemon + ".pid");
            long pid = Long.parseLong(Files.readString(file).strip());
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            run("kill", "-" + signal, String.valueOf(pid));
            for (int i = 0; i < 300 && process.isAlive(); i++) {
                Thread.sleep(100);
            }
            if (process.isAlive()) {
                throw new AssertionError(daemon + " does not end");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
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
