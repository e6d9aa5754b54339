package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notifications of the built command about its runs. */
class NotifyIT {
    @TempDir
    Path folder = Path.of("");

    private RealRun newRun() {
        return new RealRun(folder, Map.of("HOOK", "Authorization: s3cret"));
    }

    private List<String> notifications() throws IOException {
        return newRun().lines("told");
    }

    @Test
    void aFailedRunSendsANotification() throws Exception {
        Files.writeString(folder.resolve("sheaf.conf.yaml"), "notify:\n  command: cat >> told\n  on: failed\n");
        Files.writeString(folder.resolve("workflow.yaml"), "name: w\ntasks:\n  a: {time: 1s, run: exit 3}\n");
        RealRun run = newRun();
        assertThat(run.await(run.start())).isEqualTo(1);
        assertThat(notifications()).hasSize(1);
        assertThat(notifications().get(0))
                .startsWith("{\"event\":\"failed\",\"workflow\":\"w\",")
                .contains("\"failedTasks\":[\"a\"]", "\"failed\":1");
    }

    /** The operating system accepts connections to the receiver, which never replies. */
    @Test
    void anUnresponsiveReceiverDoesNotFailTheRun() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Files.writeString(
                    folder.resolve("sheaf.conf.yaml"),
                    "notify: {url: 'http://127.0.0.1:" + silent.getLocalPort() + "/x', headers: $HOOK}\n");
            Files.writeString(
                    folder.resolve("workflow.yaml"), "name: w\ntasks:\n  a: {time: 1s, out: a, run: 'touch a'}\n");
            RealRun run = newRun();
            assertThat(run.await(run.start())).as(run.errorOutput()).isZero();
            assertThat(run.errorOutput())
                    .containsOnlyOnce("a notification was not delivered")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void aServiceSendsANotificationForEachWorkflow() throws Exception {
        Files.writeString(folder.resolve("sheaf.conf.yaml"), "notify: {command: 'cat >> told'}\n");
        Files.writeString(folder.resolve("workflow.yaml"), "name: w\ntasks:\n  a: {time: 1s, run: 'true'}\n");
        RealRun run = newRun();
        Process service = run.sheaf("serve", "--state", "run", "--nodes", "1");
        try {
            Await.until("the service runs", () -> run.errorOutput().contains("submit workflows with"));
            assertThat(run.await(run.sheaf("submit", "workflow.yaml", "--owner", "ann", "--to", "run")))
                    .as(run.errorOutput())
                    .isZero();
            assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
            assertThat(run.await(service)).as(run.errorOutput()).isZero();
        } finally {
            service.destroyForcibly();
        }
        assertThat(notifications()).hasSize(2);
        assertThat(notifications().get(0))
                .contains("\"event\":\"done\"", "\"owner\":\"ann\"", "\"total\":1,\"done\":1");
        assertThat(notifications().get(1))
                .as("notification about the service")
                .contains("\"event\":\"done\"", "\"workflow\":\"run\"");
    }
}
