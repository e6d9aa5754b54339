package io.sheaf.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(1200)
class ShutdownHookTest {
    /** A process that closes one hook before its end and another while it ends. */
    static final class EndingProcess {
        private EndingProcess() {}

        public static void main(String[] words) {
            new ShutdownHook("closed", () -> System.out.println("not printed")).close();
            ShutdownHook hook = new ShutdownHook("open", () -> System.out.println("action"));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                hook.close();
                new ShutdownHook("late", () -> System.out.println("not printed")).close();
                System.out.println("closed");
            }));
        }
    }

    @Test
    void aHookMayBeClosedWhileTheProcessEnds() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EndingProcess.class.getName())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(printed.lines()).containsExactlyInAnyOrder("action", "closed");
    }
}
