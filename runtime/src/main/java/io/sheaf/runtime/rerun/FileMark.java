package io.sheaf.runtime.rerun;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The recorded state of a file.
 *
 * @param bytes its size; {@link #FOLDER} for a folder, of which only existence is checked
 * @param millis its modification time, by its file system's clock
 * @param hash the SHA-256 of its content; empty if not computed
 */
record FileMark(long bytes, long millis, String hash) {
    static final long FOLDER = -1;
    /** The current state of a file; null if it does not exist. */
    static @Nullable FileMark of(Path file, FileCheck check) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return found.isDirectory()
                    ? new FileMark(FOLDER, 0, "")
                    : new FileMark(
                            found.size(),
                            found.lastModifiedTime().toMillis(),
                            check == FileCheck.HASH ? hash(file) : "");
        } catch (IOException e) {
            // A task cannot read an inaccessible file either.
            return null;
        }
    }

    /** Describes the difference to the current state; empty if there is none. */
    String difference(FileMark now) {
        if (now.bytes == FOLDER) {
            return "";
        }
        if (bytes != now.bytes) {
            return "has changed (" + bytes + " bytes before, " + now.bytes + " now)";
        }
        if (!hash.isEmpty() && !now.hash.isEmpty()) {
            return hash.equals(now.hash) ? "" : "has changed (its content)";
        }
        return millis == now.millis ? "" : "has changed (its time)";
    }

    static String hash(Path file) throws IOException {
        MessageDigest digest = CommandDigest.sha256();
        try (InputStream in = Files.newInputStream(file)) {
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        }
        return CommandDigest.text(digest);
    }
}
