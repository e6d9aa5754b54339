package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.link.HostNames;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.testing.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The holder of a run's lease, as read from its journal. */
class LeaseOwnerTest {
    @TempDir
    Path folder = Path.of("");

    @Test
    void aLiveProcessHoldsTheLease() throws IOException {
        assertThat(owner(ProcessHandle.current().pid(), 0).holder()).isNotNull();
        assertThat(owner(ProcessHandle.current().pid(), 1).holder())
                .as("an earlier process had this id")
                .isNull();
    }

    /**
     * Without a parent that reaps ended processes, as in many containers, they stay in the process list for a while.
     */
    @Test
    void anEndedProcessHoldsNoLeaseThoughItIsStillListed() throws IOException, InterruptedException {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 0 & exec sleep 60").start();
        try {
            long pid = ended(parent);
            assertThat(ProcessHandle.of(pid)).isPresent();
            assertThat(owner(pid, 0).holder()).isNull();
        } finally {
            parent.destroyForcibly();
        }
    }

    private static long ended(Process parent) throws IOException, InterruptedException {
        return Await.found(() -> "a child that has ended", () -> {
            List<ProcessHandle> children = parent.children().toList();
            boolean isZombie = children.size() == 1 && stat(children.get(0).pid())[0].equals("Z");
            return isZombie ? children.get(0).pid() : null;
        });
    }

    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private LeaseOwner owner(long pid, int later) throws IOException {
        Path journal = folder.resolve("journal-" + pid + "-" + later);
        long start = Long.parseLong(stat(pid)[19]) + later;
        Journal.open(journal, HostNames.own() + " " + pid + " " + start, message -> {})
                .close();
        return LeaseOwner.of(journal);
    }
}
