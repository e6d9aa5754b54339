package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests running an edited workflow again, with the built command and real tasks. */
class RerunIT {
    private static final Path BUILT = Path.of("target/sheaf").toAbsolutePath();
    private static final int TIMEOUT_SECONDS = 120;

    /** Each task appends a line to a file when it begins. */
    private static final String WORKFLOW = """
            name: letters
            tasks:
              first:
                foreach: {i: 1..4}
                in: in-{i}.txt
                out: a-{i}.txt
                time: 1s
                run: echo first-{i} >> begun.txt; sleep 0.2; tr a-z A-Z < {in} > {out}
              last:
                in: {from: first}
                out: all.txt
                time: 1s
                run: echo last >> begun.txt; cat {in} > {out}
            """;

    @TempDir
    Path folder = Path.of("");

    private List<String> words(String... args) {
        List<String> line = new ArrayList<>(List.of(BUILT.toString()));
        line.addAll(List.of(args));
        return line;
    }

    private Map<String, String> environment() {
        return Map.of("SHEAF_CACHE", RealRun.CACHE.toString(), "JAVA_HOME", System.getProperty("java.home"));
    }

    private Finished sheaf(String... args) throws IOException, InterruptedException {
        return Finished.run(folder, environment(), TIMEOUT_SECONDS, words(args));
    }

    private List<String> begun() throws IOException {
        Path file = folder.resolve("begun.txt");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private void write() throws IOException {
        Files.writeString(folder.resolve("w.yaml"), WORKFLOW);
        for (int i = 1; i <= 4; i++) {
            Files.writeString(folder.resolve("in-" + i + ".txt"), "x" + i + "\n");
        }
    }

    @Test
    void onlyFailedAndChangedTasksRunAgain() throws IOException, InterruptedException {
        write();
        String broken = WORKFLOW.replace("cat {in} > {out}", "cat {in} > {out}; exit 3");
        Files.writeString(folder.resolve("w.yaml"), broken);
        assertThat(sheaf("run", "w.yaml").status()).isEqualTo(1);
        Files.writeString(folder.resolve("w.yaml"), WORKFLOW.replace("time: 1s", "time: 2s"));
        Finished plan = sheaf("plan", "w.yaml");
        assertThat(plan.out()).isEqualTo("""
                        4 of 5 tasks are up to date, 1 runs
                          last: it has not completed yet
                        """);
        Finished fixed = sheaf("run", "w.yaml", "--json");
        assertThat(fixed.status()).as(fixed.err()).isZero();
        assertThat(fixed.out()).containsPattern("\"tasks\" : 1,\\s*\"kept\" : 4,\\s*\"done\" : 1");
        assertThat(folder.resolve("all.txt")).hasContent("X1\nX2\nX3\nX4\n");
        assertThat(begun()).hasSize(6);
        Finished nothing = sheaf("run", "w.yaml");
        assertThat(nothing.out()).startsWith("nothing to do: all 5 tasks");
        Files.writeString(folder.resolve("in-2.txt"), "another\n");
        assertThat(sheaf("run", "w.yaml").status()).isZero();
        assertThat(begun().subList(6, begun().size())).containsExactly("first-2", "last");
        assertThat(folder.resolve("all.txt")).hasContent("X1\nANOTHER\nX3\nX4\n");
    }

    /** The run of the newer version cannot be read, but its completed tasks are reused. */
    @Test
    void aRunReusesTasksOfARunOfANewerVersion() throws IOException, InterruptedException {
        write();
        assertThat(sheaf("run", "w.yaml", "--run-dir", "old").status()).isZero();
        Path journal = folder.resolve("old/journal/000001.log");
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(journal));
        int payload = Integer.BYTES + 1;
        bytes.putInt(payload + Short.BYTES + bytes.getShort(payload), 3);
        int end = payload + bytes.getInt(0);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, end);
        bytes.putInt(end, (int) crc.getValue());
        Files.write(journal, bytes.array());
        Files.writeString(folder.resolve("in-2.txt"), "another\n");
        Finished next = sheaf("run", "w.yaml");
        assertThat(next.status()).as(next.err()).isZero();
        assertThat(next.err()).contains("an earlier run cannot be read", "version 3");
        assertThat(begun()).hasSize(7);
    }

    /** The next run reuses the tasks that were committed when the manager was killed, and no others. */
    @Test
    void committedTasksOfAKilledRunAreReused() throws IOException, InterruptedException {
        write();
        ProcessBuilder builder = new ProcessBuilder(words("run", "w.yaml", "--nodes", "1", "--run-dir", "run"));
        builder.directory(folder.toFile()).environment().putAll(environment());
        Path output = folder.resolve("output.txt");
        Process first = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Await.until("two tasks are done", () -> Files.readString(output).contains("(2 of 5)"));
        first.destroyForcibly();
        assertThat(first.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        Finished plan = sheaf("plan", "w.yaml");
        assertThat(plan.out()).contains("tasks are up to date");
        assertThat(sheaf("cancel", "run").status()).isZero();
        List<String> before = begun();
        Finished second = sheaf("run", "w.yaml", "--json");
        assertThat(second.status()).as(second.err()).isZero();
        assertThat(folder.resolve("all.txt")).hasContent("X1\nX2\nX3\nX4\n");
        List<String> after = begun().subList(before.size(), begun().size());
        assertThat(after).doesNotHaveDuplicates().endsWith("last").hasSizeLessThanOrEqualTo(3);
        assertThat(Collections.frequency(begun(), "first-1")).isEqualTo(1);
        assertThat(sheaf("run", "w.yaml").out()).startsWith("nothing to do");
    }
}
