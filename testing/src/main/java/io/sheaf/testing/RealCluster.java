package io.sheaf.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real batch system on this machine that belongs to a test: {@code up} in its folder of {@code tools} starts it, closing it stops it.
 *
 * <p>Where none can be had (no root, packages that cannot be installed), the calling test is skipped with the reason; with SHEAF_REQUIRE_ and its name set to 1 it fails
 * instead.
 */
public class RealCluster implements AutoCloseable {
    private static final int CANNOT_BE_HAD = 77;
    private static final long TIMEOUT_SECONDS = 300;

    private final String name;
    private final Path folder;
    private final Map<String, String> environment;
    private final PortRange place;

    /**
     * Where ports are looked for; tests of several modules, and of several people, may run at once.
     *
     * @param each how many ports a cluster takes
     * @param places for how many clusters there is room
     * @param used which of a cluster's ports are surely used, counted from 0
     */
    record Ports(int first, int each, int places, List<Integer> used) {
        Ports {
            used = List.copyOf(used);
        }

        /** Unused ports that other tests do not get until the place is closed. */
        PortRange free() throws IOException {
            int from = (int) (ProcessHandle.current().pid() % places);
            for (int i = 0; i < places; i++) {
                PortRange place = PortRange.take(first + (from + i) % places * each);
                if (place != null) {
                    int port = place.port();
                    if (used.stream().allMatch(one -> isFree(port + one))) {
                        return place;
                    }
                    place.close();
                }
            }
            throw new AssertionError("all ports for clusters are in use");
        }

        private static boolean isFree(int port) {
            try {
                new ServerSocket(port, 1, InetAddress.getByName("0.0.0.0")).close();
                return true;
            } catch (IOException e) {
                return false;
            }
        }
    }

    /** The first of a cluster's ports, and the lock that keeps tests of other processes from them. */
    record PortRange(int port, FileChannel lock) implements AutoCloseable {
        /** The ports that this process has: a process that opens and closes a file loses its locks on it, so no file is opened twice. */
        private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

        /** Null if a test has the port. */
        static @Nullable PortRange take(int port) throws IOException {
            if (!TAKEN.add(port)) {
                return null;
            }
            PortRange place = new PortRange(
                    port, FileChannel.open(file(port), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
            if (place.lock.tryLock() == null) {
                place.close();
                return null;
            }
            return place;
        }

        /** The file of a port; one of another user could not be opened. */
        static Path file(int port) {
            String user = System.getProperty("user.name");
            return Path.of(System.getProperty("java.io.tmpdir"), "sheaf-port-" + port + "-" + user);
        }

        @Override
        public void close() throws IOException {
            lock.close();
            TAKEN.remove(port);
        }
    }

    /**
     * Starts a cluster with idle nodes.
     *
     * @param name of its folder in {@code tools}
     * @param options lines of a file that is handed over as {@code conf}, in place of usual ones; none if there are none
     * @param settings the words that {@code up} takes
     */
    RealCluster(String name, Ports ports, List<String> options, String... settings) {
        this.name = name;
        try {
            folder = Files.createTempDirectory("sheaf-" + name);
            // Everyone must be able to enter it.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            place = ports.free();
            List<String> words =
                    new ArrayList<>(List.of(tool(name + "/up"), folder.toString(), "port=" + place.port()));
            words.addAll(Arrays.asList(settings));
            if (!options.isEmpty()) {
                words.add("conf=" + Files.write(folder.resolve("given"), options));
            }
            CommandResult up = run(Map.of(), words);
            if (up.status() != 0) {
                place.close();
            }
            boolean required = "1".equals(System.getenv("SHEAF_REQUIRE_" + name.toUpperCase(Locale.ROOT)));
            assumeTrue(up.status() != CANNOT_BE_HAD || required, () -> "skipped: " + up.text());
            if (up.status() != 0) {
                throw new AssertionError("no " + name + " for this test: " + up.text());
            }
            environment = environment(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A program below {@code tools}. */
    static String tool(String program) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path found = at.resolve("tools").resolve(program);
            if (Files.isExecutable(found)) {
                return found.toString();
            }
        }
        throw new AssertionError(
                "tools/" + program + " is in no folder above " + Path.of("").toAbsolutePath());
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
        return Map.copyOf(variables);
    }

    /** The folder of its configuration, its logs ({@code log}) and its process ids ({@code run}). */
    public final Path folder() {
        return folder;
    }

    /** The variables by which its commands find it. */
    public final Map<String, String> environment() {
        return environment;
    }

    /** What a command printed on either output, without blanks around it. */
    public record CommandResult(int status, String text) {}

    /** Runs a command with the cluster's variables. */
    public final CommandResult run(String... words) {
        return run(environment, List.of(words));
    }

    /** What a command that must succeed printed. */
    public final String query(String... words) {
        CommandResult result = run(words);
        if (result.status() != 0) {
            throw new AssertionError(String.join(" ", words) + ": " + result.text());
        }
        return result.text();
    }

    private static CommandResult run(Map<String, String> variables, List<String> words) {
        try {
            // A file, not a pipe: daemons that are started keep a pipe open.
            Path out = Files.createTempFile("sheaf-cluster", ".out");
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
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", words) + " does not end");
            }
            String text = Files.readString(out, StandardCharsets.ISO_8859_1);
            Files.delete(out);
            return new CommandResult(process.exitValue(), text.strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Stops everything, by process id, and deletes its folder. */
    @Override
    public final void close() {
        run(Map.of(), List.of(tool(name + "/down"), folder.toString()));
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            place.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
