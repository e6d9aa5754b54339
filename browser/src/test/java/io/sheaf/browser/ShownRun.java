package io.sheaf.browser;

import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run of the built command with its dashboard.
 *
 * @param address the printed address of the dashboard, with the token
 * @param folder the working directory; the folder of the run is {@code run} in it
 */
record ShownRun(Process process, String address, Path folder) implements AutoCloseable {
    static final Path BUILT = Path.of("../app/target/sheaf").toAbsolutePath().normalize();
    private static final Pattern ADDRESS = Pattern.compile("sheaf: dashboard (http://\\S+)");

    /** A workflow of one task, then three, then one that takes {@code lastSeconds}; all print text. */
    static String bakery(int lastSeconds) {
        return """
                name: bakery
                tasks:
                  mix: {time: 2s, out: dough, run: "echo flour and water; sleep 2; echo > dough"}
                  bake:
                    foreach: {i: 1..3}
                    time: 3s
                    in: dough
                    out: bread-{i}
                    run: "echo loaf {i} is in the oven; echo hot >&2; sleep 3; echo > bread-{i}"
                  sell: {time: 1s, in: {from: bake}, run: "echo sold; sleep %d"}
                """.formatted(lastSeconds);
    }

    static ShownRun start(Path folder, String workflow, String... options) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("w.yaml"), workflow);
        List<String> line = new ArrayList<>(List.of(BUILT.toString(), "run", "w.yaml", "--run-dir", "run"));
        line.add("--dashboard");
        line.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        builder.environment().put("SHEAF_CACHE", folder.resolve("cache").toString());
        builder.environment().put("SHEAF_STATE", folder.resolve("learnt").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            Matcher printed = Await.found(() -> "the address of the dashboard is printed", () -> {
                if (!process.isAlive()) {
                    throw new AssertionError("it has ended with status " + process.exitValue());
                }
                Matcher found = ADDRESS.matcher(Files.readString(folder.resolve("err.txt")));
                return found.find() ? found : null;
            });
            return new ShownRun(process, printed.group(1), folder);
        } catch (AssertionError e) {
            process.destroyForcibly();
            throw new AssertionError("no address was printed: " + Files.readString(folder.resolve("err.txt")), e);
        }
    }

    int port() {
        return URI.create(address).getPort();
    }

    /** Waits for the end of the run and returns its exit status. */
    int await() throws InterruptedException {
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            throw new AssertionError("the run has not ended");
        }
        return process.exitValue();
    }

    String err() throws IOException {
        return Files.readString(folder.resolve("err.txt"));
    }

    /** Cancels the run if it has not ended: after a signal, agents and tasks would wait for the next manager. */
    @Override
    public void close() throws IOException {
        try {
            if (process.isAlive()) {
                Finished.run(folder, Map.of(), 60, List.of(BUILT.toString(), "cancel", "run"));
            }
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
