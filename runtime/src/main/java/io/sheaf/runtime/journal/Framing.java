package io.sheaf.runtime.journal;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * How records lie in a file: length of the payload (4 bytes), type (1), payload, CRC-32C of all that (4).
 *
 * <p>Records of type {@link #MARK} end a commit and carry its number. Only what a mark follows counts, so a commit is there as a whole or not at
 * all.
 */
final class Framing {
    /** Begins a file. */
    static final byte HEADER = -1;

    /** Begins the first commit of a file that nothing before it is needed for. */
    static final byte ANEW = -2;

    /** Ends a commit. */
    static final byte MARK = 0;

    static final int MARK_SIZE = Framing.OVERHEAD + Long.BYTES;
    static final int OVERHEAD = 9;

    private byte[] bytes = new byte[4096];
    private int size;

    int size() {
        return size;
    }

    /** Forgets what is behind this size. */
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

    /** The end of the record that begins here, or −1 if none does. */
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

    /** The number of the commit that a mark ends. */
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
