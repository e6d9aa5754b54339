package io.sheaf.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** The grace time that a batch system gives a job that it preempts. */
final class PreemptionNotice {
    private static final int TIMEOUT_SECONDS = 5;
    private static final int MAX_DIGITS = 6;

    private PreemptionNotice() {}

    /** The time that a command prints in whole seconds, in milliseconds; 0 if it prints no number in time. */
    static long millis(String command) {
        if (command.isEmpty()) {
            return 0;
        }
        try {
            Process process = new ProcessBuilder("/bin/sh", "-c", command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return 0;
            }
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return text.matches("[0-9]{1," + MAX_DIGITS + "}") ? Long.parseLong(text) * 1000 : 0;
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }
}
