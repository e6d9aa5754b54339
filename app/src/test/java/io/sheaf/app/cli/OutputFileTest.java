package io.sheaf.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir
    Path folder = Path.of("");

    private static void write(Path file, String text) {
        OutputFile.write(file.toString(), out -> out.write(text));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aSymbolicLinkIsPreserved() throws IOException {
        Path target = Files.writeString(folder.resolve("target"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
        write(link, "new");
        assertThat(link).isSymbolicLink();
        assertThat(target).hasContent("new");
        Path early = Files.createSymbolicLink(folder.resolve("early"), Path.of("later"));
        write(early, "made");
        assertThat(early).isSymbolicLink();
        assertThat(folder.resolve("later")).hasContent("made");
        assertThat(names()).containsExactly("early", "later", "link", "target");
    }

    @Test
    @Timeout(60)
    void aPipeIsWrittenTo() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(Finished.run(folder, Map.of(), 20, List.of("mkfifo", pipe.toString()))
                        .status())
                .isZero();
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try (var in = Files.newBufferedReader(pipe)) {
                return in.readLine();
            } catch (IOException e) {
                return e.toString();
            }
        });
        write(pipe, "through\n");
        assertThat(Files.isRegularFile(pipe)).isFalse();
        assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo("through");
    }

    @Test
    void aFailedWriteKeepsTheOldFile() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "old");
        assertThatThrownBy(() -> OutputFile.write(file.toString(), out -> {
                    throw new IOException("no more");
                }))
                .hasMessage(file + ": cannot be written: no more");
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("file");
    }

    @Test
    void writeErrorsGiveTheReason() throws IOException {
        assertThatThrownBy(() -> write(folder, "x"))
                .hasMessage(folder + ": cannot be written: is a folder; give a file name");
        Path file = Files.writeString(folder.resolve("file"), "old");
        Path inFile = file.resolve("x");
        assertThatThrownBy(() -> write(inFile, "x")).hasMessage(inFile + ": cannot be written: Not a directory");
        assertThat(OutputFile.reason(new AccessDeniedException("/some/.sheaf-1.part")))
                .isEqualTo("no write permission in this folder");
        assertThat(OutputFile.reason(new FileSystemException("/some/.sheaf-1.part", null, "Read-only file system")))
                .isEqualTo("Read-only file system");
        assertThat(names()).containsExactly("file");
    }
}
