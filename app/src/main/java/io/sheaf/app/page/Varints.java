package io.sheaf.app.page;

import java.io.ByteArrayOutputStream;
import java.util.Base64;

/**
 * Encodes integers as varints: seven bits per byte, lowest first; the eighth bit marks that more bytes follow.
 *
 * <p>The output is not compressed, because compressors differ between JDKs.
 */
public final class Varints {
    private static final int BITS = 7;
    private static final int MORE = 0x80;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Adds a non-negative number. */
    public Varints add(long value) {
        if (value < 0) {
            throw new IllegalArgumentException(value + " is negative");
        }
        return put(value);
    }

    /** Adds a signed number; small absolute values stay short. */
    public Varints addSigned(long value) {
        return put((value << 1) ^ (value >> 63));
    }

    private Varints put(long value) {
        long rest = value;
        while ((rest & -MORE) != 0) {
            bytes.write((int) ((rest & (MORE - 1)) | MORE));
            rest >>>= BITS;
        }
        bytes.write((int) rest);
        return this;
    }

    public String base64() {
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
