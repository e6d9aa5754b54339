package io.sheaf.app.crate;

import io.sheaf.agent.Trees;
import io.sheaf.text.InputException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The folder or ZIP file of a crate. It appears under its name when it is complete.
 *
 * <p>The same content gives the same bytes: entries of a ZIP file have the time of the run.
 */
public final class CrateTarget implements AutoCloseable {
    /** Writes content to a stream, which stays open. */
    @FunctionalInterface
    public interface StreamContent {
        void write(OutputStream out) throws IOException;
    }

    private final Path target;
    private final Path temporary;
    private final LocalDateTime time;
    private final @Nullable ZipOutputStream zip;

    /**
     * Begins a crate.
     *
     * @param target a new or empty folder, or a file whose name ends with {@code .zip}
     * @param time of the entries of a ZIP file, in milliseconds
     */
    public CrateTarget(Path target, long time) throws IOException {
        this.target = target.toAbsolutePath();
        this.time = LocalDateTime.ofInstant(Instant.ofEpochMilli(time), ZoneOffset.UTC);
        boolean packed = target.toString().endsWith(".zip");
        if (packed ? Files.isDirectory(target) : isOccupied(target)) {
            throw new InputException(
                            packed
                                    ? "is a folder; name a file"
                                    : "exists; name a new folder, or a file that ends with .zip")
                    .in(target.toString());
        }
        Path parent = this.target.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new InputException("no such folder: " + parent).in(target.toString());
        }
        temporary = parent.resolve(
                "." + this.target.getFileName() + "." + ProcessHandle.current().pid() + ".part");
        if (!packed) {
            Files.createDirectory(temporary);
        }
        zip = packed ? new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(temporary))) : null;
    }

    private static boolean isOccupied(Path target) throws IOException {
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        if (!Files.isDirectory(target)) {
            return true;
        }
        try (Stream<Path> content = Files.list(target)) {
            return content.findAny().isPresent();
        }
    }

    public void add(String path, StreamContent content) throws IOException {
        if (zip != null) {
            ZipEntry entry = new ZipEntry(path);
            entry.setTimeLocal(time);
            zip.putNextEntry(entry);
            content.write(zip);
            zip.closeEntry();
            return;
        }
        Path file = temporary.resolve(path);
        Files.createDirectories(file.resolveSibling(""));
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            content.write(out);
        }
    }

    /** Makes the complete crate appear under its name. */
    public void finish() throws IOException {
        if (zip != null) {
            zip.close();
        } else {
            Files.deleteIfExists(target);
        }
        Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes what was made of a crate that is not complete. */
    @Override
    public void close() throws IOException {
        if (zip == null) {
            Trees.delete(temporary);
        } else if (Files.exists(temporary)) {
            zip.close();
            Files.delete(temporary);
        }
    }
}
