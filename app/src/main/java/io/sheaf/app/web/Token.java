package io.sheaf.app.web;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The access token of clients: 32 random bytes in a file that only its owner can read. */
public final class Token {
    private static final int BYTES = 32;
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private final String text;

    private Token(String text) {
        this.text = text;
    }

    /** A new token that is not stored. */
    public static Token random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Token(HexFormat.of().formatHex(bytes));
    }

    /** The token in a file, which is created if missing. */
    public static Token inFile(Path file) throws IOException {
        Token made = random();
        try {
            // The file is complete before it gets its name, so one of two concurrent creators
            // succeeds.
            Path complete = Files.createTempFile(
                    file.toAbsolutePath().getParent(),
                    ".token",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                Files.writeString(complete, made.text + "\n");
                Files.createLink(file, complete);
                return made;
            } finally {
                Files.delete(complete);
            }
        } catch (FileAlreadyExistsException e) {
            return read(file);
        }
    }

    public static Token read(Path file) throws IOException {
        for (PosixFilePermission each : Files.getPosixFilePermissions(file)) {
            if (OTHERS.contains(each)) {
                throw new InputException(
                                "other users can read or change the token; remove the file, or: chmod 600 " + file)
                        .in(file.toString());
            }
        }
        String text = Files.readString(file).strip();
        if (!text.matches("[0-9a-f]{" + 2 * BYTES + "}")) {
            throw new InputException("is not a token; remove the file, a new one is created").in(file.toString());
        }
        return new Token(text);
    }

    public String text() {
        return text;
    }

    /** Compares in constant time. */
    boolean is(@Nullable String candidate) {
        return candidate != null
                && MessageDigest.isEqual(
                        candidate.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
    }

    /** The cookie's name. It is unique per server, since browsers send cookies to all ports of a machine. */
    String cookie() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sheaf-" + HexFormat.of().formatHex(hash, 0, 6);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
