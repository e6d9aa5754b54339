package io.sheaf.app;

import io.sheaf.text.InputException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Writes a text file, whole or not at all; {@code .gz} at the end of its name compresses it. */
final class OutputFile {
    /** Writes the text. */
    @FunctionalInterface
    interface Content {
        void write(Writer out) throws IOException;
    }

    private OutputFile() {}

    static void write(String name, Content content) {
        Path made = null;
        try {
            Path file = Path.of(name).toAbsolutePath();
            // Beside the target, so that the last step is a rename and a reader never sees half a file.
            made = Files.createTempFile(file.getParent(), ".sheaf-", ".part");
            try (var stream = Files.newOutputStream(made);
                    var packed = name.endsWith(".gz") ? new GZIPOutputStream(stream) : stream;
                    var text = new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.UTF_8), 1 << 16)) {
                content.write(text);
            }
            makeReadable(made);
            Files.move(made, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            made = null;
        } catch (InvalidPathException e) {
            throw new InputException("is not a file name: " + e.getReason()).in(name);
        } catch (IOException e) {
            throw new InputException("cannot be written: " + reason(e)).in(name);
        } finally {
            delete(made);
        }
    }

    static String reason(IOException e) {
        return e instanceof NoSuchFileException ? "there is no such folder" : String.valueOf(e.getMessage());
    }

    /** A temporary file is private; a written one has the permissions that any new file here would have. */
    private static void makeReadable(Path made) throws IOException {
        Path plain = made.resolveSibling(made.getFileName() + ".mode");
        try {
            Files.createFile(plain);
            Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(plain));
        } catch (UnsupportedOperationException e) {
            // No such permissions on this file system.
        } finally {
            Files.deleteIfExists(plain);
        }
    }

    private static void delete(@Nullable Path made) {
        if (made != null) {
            try {
                Files.deleteIfExists(made);
            } catch (IOException e) {
                // The first problem is the one to tell.
            }
        }
    }
}
