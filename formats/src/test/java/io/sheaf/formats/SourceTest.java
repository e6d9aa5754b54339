package io.sheaf.formats;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.registry.Formats;
import io.sheaf.testing.Finished;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SourceTest {
    @TempDir
    Path folder = Path.of("");

    /** A source is opened twice, to detect the format and to read the file, but a pipe can be read only once. */
    @Test
    @Timeout(60)
    void aPipeIsReadLikeAFile() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(Finished.run(folder, Map.of(), 20, List.of("mkfifo", pipe.toString()))
                        .status())
                .isZero();
        CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
            try {
                Files.writeString(pipe, "name: piped\ntasks:\n  a: {time: 5s}\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Source source = Source.of(pipe);
        Workflow workflow = Formats.readerFor(source).read(source, true);
        assertThat(workflow.name()).isEqualTo("piped");
        written.join();
    }

    @Test
    void standardInputMayReferToFilesInAFolder() throws IOException {
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        byte[] dag = "JOB A a.sub\n".getBytes(StandardCharsets.UTF_8);
        Source source = Source.of("standard input", dag, folder);
        assertThat(Formats.reader("dagman").read(source, false).size()).isEqualTo(1);
    }
}
