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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real Grid Engine on this machine for all tests of a class: registered as a static extension, it is started by {@code tools/gridengine/up} before the first and stopped
 * after the last.
 *
 * <p>Where none can be had (no root, packages that cannot be installed), the tests are skipped with the reason; with SHEAF_REQUIRE_GRIDENGINE=1 they fail instead.
 */
public final class RealGridEngine implements BeforeAllCallback, AfterAllCallback {
    private static final int FIRST_PORT = 25_000;
    private static final int PORTS = 10;
    private static final int PLACES = 50;
    private static final int CANNOT_BE_HAD = 77;
    private static final long PATIENCE_SECONDS = 180;

    private final int slots;
    private @Nullable Path folder;
    private Map<String, String> environment = Map.of();

    /** One host with so many slots. */
    public RealGridEngine(int slots) {
        this.slots = slots;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        Path made = Files.createTempDirectory("sheaf-gridengine");
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        folder = made;
        Said up = run(List.of(tool("up"), made.toString(), "slots=" + slots, "port=" + freePort()));
        boolean required = "1".equals(System.getenv("SHEAF_REQUIRE_GRIDENGINE"));
        assumeTrue(up.status() != CANNOT_BE_HAD || required, () -> "skipped: " + up.text());
        if (up.status() != 0) {
            throw new AssertionError("no Grid Engine for this test: " + up.text());
        }
        Map<String, String> variables = new HashMap<>();
        for (String line : Files.readAllLines(made.resolve("env"))) {
            int equals = line.indexOf('=');
            variables.put(line.substring("export ".length(), equals), line.substring(equals + 2, line.length() - 1));
        }
        environment = Map.copyOf(variables);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (folder != null) {
            run(List.of(tool("down"), folder.toString()));
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    private static String tool(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path found = at.resolve("tools/gridengine").resolve(name);
            if (Files.isExecutable(found)) {
                return found.toString();
            }
        }
        throw new AssertionError("tools/gridengine/" + name + " is in no folder above this one");
    }

    /** Ports that nobody listens on; tests of several modules, and of several people, may run at once. */
    private static int freePort() {
        int from = (int) (ProcessHandle.current().pid() % PLACES);
        for (int i = 0; i < PLACES; i++) {
            int port = FIRST_PORT + (from + i) % PLACES * PORTS;
            if (isFree(port) && isFree(port + 1)) {
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

    /** The variables by which its commands find it. */
    public Map<String, String> environment() {
        return environment;
    }

    /** What a command printed on either output, without blanks around it. */
    public record Said(int status, String text) {}

    /** Runs a command with its variables. */
    public Said run(String... words) {
        return run(List.of(words));
    }

    /** What a command that must succeed printed. */
    public String ask(String... words) {
        Said said = run(words);
        if (said.status() != 0) {
            throw new AssertionError(String.join(" ", words) + ": " + said.text());
        }
        return said.text();
    }

    private Said run(List<String> words) {
        try {
            // A file, not a pipe: daemons that are started keep a pipe open.
            Path out = Files.createTempFile("sheaf-gridengine", ".out");
            ProcessBuilder builder = new ProcessBuilder(words)
                    .directory(out.resolveSibling("").toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            builder.environment().putAll(environment);
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
}
