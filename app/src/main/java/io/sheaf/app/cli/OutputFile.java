package io.sheaf.app.cli;

import io.sheaf.text.InputException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a text file atomically; the suffix {@code .gz} compresses it.
 *
 * <p>It follows a symbolic link and replaces the target. It writes directly to pipes and devices.
 */
public final class OutputFile {
    /** Writes the text. */
    @FunctionalInterface
    public interface TextWriter {
        void write(Writer out) throws IOException;
    }

    private OutputFile() {}

    public static void write(String name, TextWriter content) {
        try {
            Path file = OptionText.path(name).toAbsolutePath();
            if (Files.isDirectory(file)) {
                throw new IOException("is a folder; give a file name");
            } else if (Files.isRegularFile(file)) {
                replace(file.toRealPath(), name, content);
            } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                write(file, name, content);
            } else {
                replace(file, name, content);
            }
        } catch (IOException e) {
            throw new InputException("cannot be written: " + reason(e)).in(name);
        }
    }

    private static void replace(Path file, String name, TextWriter content) throws IOException {
        // Beside the target, so that the final rename is atomic.
        Path made = Files.createTempFile(file.getParent(), ".sheaf-", ".part");
        try {
            write(made, name, content);
            makeReadable(made);
            Files.move(made, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException | Error e) {
            delete(made);
            throw e;
        }
    }

    private static void write(Path file, String name, TextWriter content) throws IOException {
        try (var stream = Files.newOutputStream(file);
                var packed = name.endsWith(".gz") ? new GZIPOutputStream(stream) : stream;
                var text = new BufferedWriter(new OutputStreamWriter(packed, StandardCharsets.UTF_8), 1 << 16)) {
            content.write(text);
        }
    }

    /** The reason of an error, without the name of the temporary file. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such folder";
        }
        if (e instanceof AccessDeniedException) {
            return "no write permission in this folder";
        }
        String reason = e instanceof FileSystemException problem ? problem.getReason() : null;
        return reason == null ? String.valueOf(e.getMessage()) : reason;
    }

    /** Gives the temporary file the permissions of a new file. */
    private static void makeReadable(Path made) throws IOException {
        Path plain = made.resolveSibling(made.getFileName() + ".mode");
        try {
            Files.createFile(plain);
            Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(plain));
        } catch (UnsupportedOperationException e) {
            // The file system has no POSIX permissions.
        } finally {
            Files.deleteIfExists(plain);
        }
    }

    private static void delete(Path made) {
        try {
            Files.deleteIfExists(made);
        } catch (IOException e) {
            // Only the first error is reported.
        }
    }
}
