package io.sheaf.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submissions in quick succession are gathered and applied together. */
class GatheringTest {
    @TempDir
    Path run = Path.of("");

    @Test
    void withoutGatheringRequestsAreDueAtOnce() throws IOException {
        ControlFolder folder = new ControlFolder(run);
        assertThat(folder.due()).isEmpty();
        folder.put(new ControlRequest.Drain());
        assertThat(folder.due()).hasSize(1);
    }

    @Test
    void whileGatheringNoRequestIsDue() throws IOException {
        ControlFolder folder = new ControlFolder(run);
        folder.gather(3_600_000);
        folder.put(new ControlRequest.Drain());
        folder.put(new ControlRequest.Drop("a"));
        assertThat(folder.isGathering()).isTrue();
        assertThat(folder.due()).isEmpty();
        assertThat(folder.isEmpty()).isFalse();
    }

    /** File names contain times. A request with a time in the future is due too, since a clock may have been set. */
    @Test
    void requestsAreDueAfterTheGatheringTime() throws IOException {
        ControlFolder folder = new ControlFolder(run);
        folder.gather(60_000);
        Path inbox = run.resolve("inbox");
        Path old = Files.writeString(inbox.resolve("0001000000000000000-0123456789abcdef.request"), "");
        assertThat(folder.due()).hasSize(1);
        Files.delete(old);
        long inAnHour = (System.currentTimeMillis() + 3_600_000) * 1_000;
        Files.writeString(inbox.resolve("000" + inAnHour + "-0123456789abcdef.request"), "");
        assertThat(folder.names()).hasSize(1);
        assertThat(folder.due()).hasSize(1);
    }

    /** An ended process submits no more; a live process, or one on another machine, may. */
    @Test
    void requestsAreDueWhenTheirSubmittersHaveEnded() throws IOException, InterruptedException {
        ControlFolder folder = new ControlFolder(run);
        folder.gather(3_600_000);
        folder.put(new ControlRequest.Drain());
        Process program = new ProcessBuilder("sleep", "600").start();
        LivingProcess living = Objects.requireNonNull(LivingProcess.of(program.pid()));
        assertThat(living.parent()).isEqualTo(ProcessHandle.current().pid());
        Submitters submitters = new Submitters(run.resolve("inbox"));
        submitters.add(living, "");
        // Another process may have this id by now.
        submitters.add(new LivingProcess(living.pid(), "sleep", 1, 1, "1"), "");
        assertThat(folder.due()).isEmpty();
        program.destroyForcibly().waitFor();
        assertThat(LivingProcess.of(program.pid())).isNull();
        Path elsewhere = Files.writeString(run.resolve("inbox/from-1-1"), "elsewhere 1 1\n");
        assertThat(folder.due()).isEmpty();
        Files.delete(elsewhere);
        assertThat(folder.due()).hasSize(1);
        // The records of submitters are removed; the next one is unknown.
        assertThat(run.resolve("inbox").toFile().list((f, name) -> name.startsWith("from-")))
                .isEmpty();
        assertThat(folder.due()).isEmpty();
    }

    @Test
    void theSubmittingProgramIsRecorded() throws IOException {
        ControlFolder folder = new ControlFolder(run);
        assertThat(folder.isAwaited()).isFalse();
        folder.noteSubmitter("a");
        folder.noteSubmitter("b");
        LivingProcess above = Submitters.above();
        String[] recorded = run.resolve("inbox").toFile().list((f, name) -> name.startsWith("from-"));
        assertThat(recorded == null ? 0 : recorded.length).isEqualTo(above == null ? 0 : 1);
        assertThat(folder.isAwaited()).isEqualTo(above != null);
        if (above != null) {
            assertThat(folder.submittedBy(above.pid())).containsExactly("a", "b");
        }
        folder.noteThisProcess();
        assertThat(folder.submittedBy(ProcessHandle.current().pid())).isEmpty();
        assertThatThrownBy(() -> folder.submittedBy(Integer.MAX_VALUE)).hasMessageContaining("there is no process");
    }

    /** Processes above the session of a terminal, such as sshd, submit no tasks; so the session must be known. */
    @Test
    void theSessionOfAProcessIsRead() throws IOException, InterruptedException {
        LivingProcess self =
                Objects.requireNonNull(LivingProcess.of(ProcessHandle.current().pid()));
        Process alone = new ProcessBuilder("setsid", "sleep", "600").start();
        try {
            LivingProcess leader = Await.found(() -> "the process leads a session of its own", () -> {
                LivingProcess found = Objects.requireNonNull(LivingProcess.of(alone.pid()));
                return found.session() == self.session() ? null : found;
            });
            assertThat(leader.session()).isEqualTo(alone.pid());
        } finally {
            alone.destroyForcibly().waitFor();
        }
    }

    /** More requests are likely while a local submitter runs; after its end the manager waits no longer. */
    @Test
    void requestsAreAwaitedWhileALocalSubmitterRuns() throws IOException, InterruptedException {
        ControlFolder folder = new ControlFolder(run);
        Files.createDirectories(run.resolve("inbox"));
        Process program = new ProcessBuilder("sleep", "600").start();
        Submitters submitters = new Submitters(run.resolve("inbox"));
        submitters.add(Objects.requireNonNull(LivingProcess.of(program.pid())), "");
        assertThat(folder.isAwaited()).isTrue();
        program.destroyForcibly().waitFor();
        assertThat(folder.isAwaited()).isFalse();
        assertThat(run.resolve("inbox").toFile().list()).isEmpty();
        Files.writeString(run.resolve("inbox/from-1-1"), "elsewhere 1 1\n");
        assertThat(folder.isAwaited()).isFalse();
    }
}
