package io.sheaf.app.page;

import java.util.Arrays;
import java.util.Base64;

/**
 * Whole numbers for a page, small ones in few bytes: seven bits a byte, lowest first, the eighth bit set where more follow.
 *
 * <p>Not compressed on top: what compressors write differs from one JDK to the next.
 */
public final class Varints {
    private static final int BITS = 7;
    private static final int MORE = 0x80;

    private byte[] bytes = new byte[1 << 12];
    private int size;

    /** Adds a number of at least 0. */
    public Varints add(long value) {
        if (value < 0) {
            throw new IllegalArgumentException(value + " is negative");
        }
        return put(value);
    }

    /** Adds any number; those near 0 stay small. */
    public Varints addSigned(long value) {
        return put((value << 1) ^ (value >> 63));
    }

    private Varints put(long value) {
        long rest = value;
        if (size + Long.BYTES + 2 > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        while ((rest & -MORE) != 0) {
            bytes[size++] = (byte) ((rest & (MORE - 1)) | MORE);
            rest >>>= BITS;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    public int size() {
        return size;
    }

    public String base64() {
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes, size));
    }
}
