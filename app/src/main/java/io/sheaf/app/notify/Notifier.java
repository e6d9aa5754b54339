package io.sheaf.app.notify;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.app.cli.Session;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to a command (standard input) and a web address (POST), each within {@link #SECONDS} seconds.
 *
 * <p>A thread of its own delivers messages in order, so a receiver that hangs delays no run; messages beyond a few that wait are dropped. The
 * first delivery that fails causes one warning. Headers come from a file or an environment variable: they are in no argument list and no message.
 */
final class Notifier implements AutoCloseable {
    /** The longest delivery, and the longest time that {@link #close} waits for deliveries. */
    private static final int SECONDS = 10;

    private static final int MAX_WAITING = 16;
    private static final int GOOD = 200;
    private static final int NOT_GOOD = 300;

    private final Session session;
    private final String command;
    private final @Nullable URI address;
    private final ThreadPoolExecutor deliveries;
    private boolean warned;

    /** A notifier with the session's settings; its warning is the session's note. */
    Notifier(Session session) {
        this.session = session;
        command = session.configuration().get("notify-command");
        String setting = session.configuration().get("notify-url");
        address = setting.isEmpty() ? null : parsed(value(setting), setting);
        deliveries = new ThreadPoolExecutor(
                1,
                1,
                SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_WAITING),
                DaemonThread.named("notification"),
                (dropped, executor) -> warn("too many messages are pending"));
    }

    /** A setting, or the value of the environment variable that it names: {@code $NAME}. */
    private String value(String setting) {
        return setting.startsWith("$") ? session.environment().getOrDefault(setting.substring(1), "") : setting;
    }

    /** Refuses what is no address; the message has the setting's text, not the value of a variable. */
    private static URI parsed(String url, String setting) {
        try {
            URI parsed = URI.create(url);
            if (parsed.getHost() != null && ("http".equals(parsed.getScheme()) || "https".equals(parsed.getScheme()))) {
                return parsed;
            }
        } catch (IllegalArgumentException e) {
            // Refused below.
        }
        throw new InputException("notify-url: '" + setting
                + "' is not an http or https address; write one, or $NAME for an environment variable with one");
    }

    /** Sends a message, a JSON value, and returns at once. */
    public void send(String message) {
        deliveries.execute(() -> deliver(message.getBytes(StandardCharsets.UTF_8)));
    }

    private void deliver(byte[] message) {
        try {
            if (!command.isEmpty()) {
                run(message);
            }
            if (address != null) {
                post(address, message);
            }
        } catch (IOException e) {
            warn(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        } catch (InterruptedException e) {
            warn("no answer within " + SECONDS + " s");
        }
    }

    private synchronized void warn(String why) {
        if (!warned) {
            warned = true;
            session.note(
                    "a notification was not delivered: " + why + ". The run continues; see notify in 'sheaf config'");
        }
    }

    /** The folder in which the command runs and a file of headers is searched. */
    private Path folder() {
        return session.folder().toAbsolutePath();
    }

    private void run(byte[] message) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("/bin/sh", "-c", command)
                .directory(folder().toFile())
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        try {
            try (OutputStream in = process.getOutputStream()) {
                in.write(message);
            } catch (IOException e) {
                // The command does not read its input; its exit status counts.
            }
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the command did not end within " + SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                throw new IOException("the command ended with exit status " + process.exitValue());
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private void post(URI to, byte[] message) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) to.toURL().openConnection();
        try {
            connection.setConnectTimeout(SECONDS * 500);
            connection.setReadTimeout(SECONDS * 500);
            // Headers may be secret: they go to this address and no other.
            connection.setInstanceFollowRedirects(false);
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            headers().forEach(connection::setRequestProperty);
            connection.setFixedLengthStreamingMode(message.length);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(message);
            }
            int status = connection.getResponseCode();
            if (status < GOOD || status >= NOT_GOOD) {
                throw new IOException(to.getHost() + " answered with HTTP status " + status);
            }
        } finally {
            connection.disconnect();
        }
    }

    /** Read for each message: a file may be renewed during a long run. */
    private Map<String, String> headers() throws IOException {
        String headers = session.configuration().get("notify-headers");
        if (headers.isEmpty()) {
            return Map.of();
        }
        String text = value(headers);
        if (!headers.startsWith("$")) {
            Path file = folder().resolve(headers);
            if (!Files.isReadable(file)) {
                throw new IOException("notify-headers: " + file + " cannot be read");
            }
            text = Files.readString(file);
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : text.lines().filter(each -> !each.isBlank()).toList()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IOException("notify-headers: write one 'Name: value' per line");
            }
            fields.put(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
        return fields;
    }

    /** Waits for messages that are being delivered, not longer than {@link #SECONDS} seconds. */
    @Override
    public void close() {
        deliveries.shutdown();
        try {
            if (!deliveries.awaitTermination(SECONDS, TimeUnit.SECONDS)) {
                warn("no answer within " + SECONDS + " s");
                // Ends a command; the thread does not keep the process alive.
                deliveries.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
