package io.sheaf.runtime.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The layout of records in a file: payload length (4 bytes), type (1), payload, CRC-32C of all of these (4).
 *
 * <p>A record of type {@link #MARK} ends a commit and carries its number. Records without a following mark are ignored,
 * so a commit is atomic.
 */
final class Framing {
    /** The first record of a file. */
    static final byte HEADER = -1;

    /** The first record of a file that needs no earlier file. */
    static final byte ANEW = -2;

    /** The last record of a commit. */
    static final byte MARK = 0;

    static final int MARK_SIZE = Framing.OVERHEAD + Long.BYTES;
    static final int OVERHEAD = 9;

    private byte[] bytes = new byte[4096];
    private int size;

    int size() {
        return size;
    }

    /** Truncates the buffer to a size. */
    void cut(int to) {
        size = to;
    }

    ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes, 0, size);
    }

    void add(byte type, byte[] payload) {
        int end = Math.addExact(size, OVERHEAD + payload.length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length + (bytes.length >> 1)));
        }
        ByteBuffer to = ByteBuffer.wrap(bytes, size, end - size);
        to.putInt(payload.length).put(type).put(payload);
        to.putInt(checksum(bytes, size, end - Integer.BYTES));
        size = end;
    }

    void addMark(long commit) {
        add(MARK, ByteBuffer.allocate(Long.BYTES).putLong(commit).array());
    }

    /** The end of the record that begins at this offset, or −1 if there is no valid one. */
    static int end(byte[] file, int length, int at) {
        if (length - at < OVERHEAD) {
            return -1;
        }
        int payload = intAt(file, at);
        if (payload < 0 || payload > length - at - OVERHEAD) {
            return -1;
        }
        int end = at + OVERHEAD + payload;
        return checksum(file, at, end - Integer.BYTES) == intAt(file, end - Integer.BYTES) ? end : -1;
    }

    static byte type(byte[] file, int at) {
        return file[at + Integer.BYTES];
    }

    static byte[] payload(byte[] file, int at, int end) {
        return Arrays.copyOfRange(file, at + Integer.BYTES + 1, end - Integer.BYTES);
    }

    static long commit(byte[] file, int at) {
        return ByteBuffer.wrap(file, at + Integer.BYTES + 1, Long.BYTES).getLong();
    }

    private static int intAt(byte[] file, int at) {
        return ByteBuffer.wrap(file, at, Integer.BYTES).getInt();
    }

    private static int checksum(byte[] of, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(of, from, to - from);
        return (int) crc.getValue();
    }
}
