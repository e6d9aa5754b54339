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

/** What a client has to know to be let in: 32 random bytes in a file that only its owner may read. */
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

    /** A new one that is nowhere written down. */
    public static Token random() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Token(HexFormat.of().formatHex(bytes));
    }

    /** The one in a file, which is made if it is not there. */
    public static Token inFile(Path file) throws IOException {
        Token made = random();
        try {
            // Of two processes that make it one does: the file is complete before it has its name.
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

    /** The one in a file that is there. */
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

    /** Takes the same time wherever a wrong one differs. */
    boolean is(@Nullable String given) {
        return given != null
                && MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
    }

    /** The cookie's name: browsers send cookies to all ports of a machine, where servers must not take each other's for their own. */
    String cookie() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sheaf-" + HexFormat.of().formatHex(hash, 0, 6);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
