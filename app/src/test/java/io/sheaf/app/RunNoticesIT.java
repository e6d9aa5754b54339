package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.sheaf.app.cli.Session;
import io.sheaf.app.config.Configuration;
import io.sheaf.app.notify.RunNotices;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the notifications of recorded runs with an HTTP receiver on this machine. */
class RunNoticesIT {
    private static final long BEGIN = RecordedFolder.BEGIN;

    @TempDir
    Path folder = Path.of("");

    private final List<String> received = Collections.synchronizedList(new ArrayList<>());
    private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, String> environment = new HashMap<>();
    private final HttpServer receiver;
    private int replyStatus = 204;

    RunNoticesIT() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/hook", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            received.add(exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " " + body.strip());
            exchange.sendResponseHeaders(replyStatus, -1);
            exchange.close();
        });
        environment.put("SHEAF_SITE_CONFIG", "nowhere");
    }

    @BeforeEach
    void start() {
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private RunNotices notices(String yaml) throws IOException {
        Files.writeString(folder.resolve("sheaf.conf.yaml"), yaml);
        PrintWriter err = new PrintWriter(Writer.nullWriter()) {
            @Override
            public void println(String line) {
                warnings.add(line);
            }
        };
        Configuration configuration = Configuration.load(environment, folder);
        Session session = new Session(err, err, configuration, environment, folder, false);
        return new RunNotices(session, folder.resolve("run"), "diamond");
    }

    private String address() {
        return "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook";
    }

    private Manager manager(int events) throws IOException {
        try (RecordedFolder recording = new RecordedFolder(folder.resolve("run"), "onejob", RecordedFolder.DIAMOND)) {
            recording.deliver(events);
        }
        return RecordedRun.open(folder.resolve("run")).history().manager();
    }

    @Test
    void theEndOfARunIsSentToTheAddressAndTheCommand() throws IOException {
        Manager done = manager(Integer.MAX_VALUE);
        environment.put("HOOK_HEADER", "Authorization: Bearer s3cret");
        try (RunNotices notices =
                notices("notify:\n  url: " + address() + "\n  headers: $HOOK_HEADER\n  command: cat > told.json\n")) {
            notices.ended(done, false, BEGIN, BEGIN + 100_000);
        }
        assertThat(warnings).isEmpty();
        assertThat(received).hasSize(1);
        assertThat(received.get(0))
                .startsWith("POST Bearer s3cret {\"event\":\"done\",\"workflow\":\"diamond\",\"run\":\""
                        + folder.resolve("run"))
                .contains("\"at\":\"1970-01-01T00:18:20Z\",\"elapsedSeconds\":100,")
                .contains("\"tasks\":{\"total\":4,\"done\":4,\"failed\":0,\"skipped\":0},\"failedTasks\":[]}");
        assertThat(folder.resolve("told.json"))
                .content()
                .isEqualToIgnoringNewLines(received.get(0).substring(19));
    }

    @Test
    void headersAreReadFromAFile() throws IOException {
        Files.writeString(folder.resolve("headers"), "\nAuthorization: Basic abc\n");
        Manager done = manager(Integer.MAX_VALUE);
        try (RunNotices notices = notices("notify-url: " + address() + "\nnotify-headers: headers\n")) {
            notices.ended(done, false, BEGIN, BEGIN);
        }
        assertThat(received).hasSize(1);
        assertThat(received.get(0)).startsWith("POST Basic abc ");
        try (RunNotices notices = notices("notify-url: " + address() + "\nnotify-headers: nowhere\n")) {
            notices.ended(done, false, BEGIN, BEGIN);
        }
        assertThat(received).hasSize(1);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("notify-headers: ", "cannot be read");
    }

    /** The job is submitted at once and accepted; nothing runs. */
    @Test
    void aLongQueueWaitIsReportedOnce() throws IOException {
        Manager queued = manager(1);
        try (RunNotices notices = notices("notify: {url: '" + address() + "', wait: 30m}\n")) {
            for (int minutes = 0; minutes <= 90; minutes += 10) {
                notices.turned(queued, BEGIN, BEGIN + minutes * 60_000L);
            }
        }
        assertThat(received).hasSize(1);
        assertThat(received.get(0))
                .contains(
                        "\"event\":\"waiting\"",
                        "\"elapsedSeconds\":1800,",
                        "\"queuedSeconds\":1800,\"jobsQueued\":1}");
    }

    @Test
    void aPauseIsReportedWithItsReasonIfSelected() throws IOException {
        try (RecordedFolder recording = new RecordedFolder(folder.resolve("run"), "onejob", RecordedFolder.DIAMOND)) {
            long at = BEGIN;
            for (int i = 1; i <= 10; i++) {
                at += 700_000;
                recording.apply(new Event.Refused(at, i, "the queue is closed"));
                recording.apply(new Event.Woken(at + 600_000));
            }
        }
        Manager paused = RecordedRun.open(folder.resolve("run")).history().manager();
        try (RunNotices notices = notices("notify: {url: '" + address() + "', on: 'done, paused'}\n")) {
            notices.ended(paused, true, BEGIN, BEGIN);
        }
        try (RunNotices notices = notices("notify: {url: '" + address() + "', on: 'done,failed'}\n")) {
            notices.ended(paused, true, BEGIN, BEGIN);
        }
        assertThat(received).hasSize(1);
        assertThat(received.get(0)).contains("\"event\":\"paused\"", "the queue is closed");
    }

    @Test
    void aFailingReceiverCausesOneWarningWithoutSecrets() throws IOException {
        Manager done = manager(Integer.MAX_VALUE);
        replyStatus = 500;
        environment.put("HOOK_HEADER", "Authorization: Bearer s3cret");
        try (RunNotices notices = notices("notify: {url: '" + address() + "?token=s3cret', headers: $HOOK_HEADER}\n")) {
            notices.ended(done, false, BEGIN, BEGIN);
            notices.ended(done, false, BEGIN, BEGIN);
        }
        assertThat(received).hasSize(2);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0))
                .contains("127.0.0.1 answered with HTTP status 500")
                .doesNotContain("s3cret");
        try (RunNotices notices = notices("notify: {command: 'exit 7'}\n")) {
            notices.ended(done, false, BEGIN, BEGIN);
        }
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains("the command ended with exit status 7");
    }

    @Test
    void aHangingCommandDelaysOnlyTheEnd() throws IOException {
        Manager done = manager(Integer.MAX_VALUE);
        long before = System.nanoTime();
        long sent;
        try (RunNotices notices = notices("notify: {command: 'sleep 100'}\n")) {
            for (int i = 0; i < 40; i++) {
                notices.ended(done, false, BEGIN, BEGIN);
            }
            sent = System.nanoTime();
        }
        assertThat(sent - before).isLessThan(5_000_000_000L);
        assertThat(System.nanoTime() - sent)
                .as("closing waits for at most 10 s")
                .isLessThan(20_000_000_000L);
        assertThat(warnings).hasSize(1);
    }

    @Test
    void badSettingsAreRefused() {
        assertThatThrownBy(() -> notices("notify: {url: 'ftp://x/y'}\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("notify-url: 'ftp://x/y' is not an http or https address");
        assertThatThrownBy(() -> notices("notify: {url: $HOOK, on: done}\n")).hasMessageContaining("'$HOOK'");
        assertThatThrownBy(() -> notices("notify: {on: 'done,never'}\n"))
                .hasMessageContaining("notify-on: 'never' is not one of done, failed");
        assertThatThrownBy(() -> notices("notify: {to: me}\n")).hasMessageContaining("unknown setting 'notify-to'");
        assertThatThrownBy(() -> notices("power-node: much\n"))
                .hasMessageContaining("power-node: 'much' is not a number");
    }
}
