package io.sheaf.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real process that has ended: its status and what it printed. */
public record Finished(int status, String out, String err) {
    /** Runs a command in a folder with these variables added to the environment; a command that takes too long is killed. */
    public static Finished run(Path folder, Map<String, String> variables, int seconds, List<String> command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("sheaf-test-", ".out");
        Path err = Files.createTempFile("sheaf-test-", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().putAll(variables);
            Process process = builder.start();
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
                throw new AssertionError(
                        "not ended after " + seconds + " s: " + command + "\n" + Files.readString(err));
            }
            return new Finished(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }
}
