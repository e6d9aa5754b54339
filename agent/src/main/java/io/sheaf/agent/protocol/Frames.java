package io.sheaf.agent.protocol;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Frames as bytes, in a stream or a file: length of the rest, version, epoch, message.
 *
 * <p>A frame of another version, of an invalid length, truncated, or with unknown content causes a {@link MalformedFrameException}; readers
 * of a stream then close it.
 */
public final class Frames {
    /**
     * Protocol version. Manager and agent of a run come from the same file, so a stream of another version is refused. Files
     * of earlier versions are read: results are the same in all.
     */
    static final int VERSION = 2;
    /** The longest frame without its length. The longest command line that Linux takes, with its environment, fits. */
    static final int MAX_BYTES = 8 << 20;

    private static final int HEAD_BYTES = 1 + Long.BYTES;
    /** What is allocated before any of a long frame's bytes have come. */
    private static final int FIRST_BYTES = 64 << 10;

    private Frames() {}

    /** The frames one after the other. */
    public static byte[] encode(long epoch, List<? extends Message> messages) {
        WireOut out = new WireOut();
        for (Message message : messages) {
            int start = out.size();
            out.putInt(0);
            out.put(VERSION);
            out.putLong(epoch);
            MessageCodec.write(message, out);
            int length = out.size() - start - Integer.BYTES;
            if (length > MAX_BYTES) {
                throw new IllegalArgumentException("a message of " + length + " bytes; at most " + MAX_BYTES
                        + " can be sent; put long arguments into a file");
            }
            out.setInt(start, length);
        }
        return out.toBytes();
    }

    /** The next frame of a stream, or null at its end. */
    public static @Nullable Frame read(InputStream in) throws IOException {
        byte[] head = in.readNBytes(Integer.BYTES);
        if (head.length == 0) {
            return null;
        }
        if (head.length < Integer.BYTES) {
            throw new EOFException("the stream ends within a frame");
        }
        int length = length(head, 0);
        // Grown while bytes arrive, so that a large announced length costs nothing by itself.
        byte[] body = in.readNBytes(Math.min(length, FIRST_BYTES));
        if (body.length == FIRST_BYTES && length > FIRST_BYTES) {
            byte[] rest = in.readNBytes(length - FIRST_BYTES);
            byte[] all = new byte[body.length + rest.length];
            System.arraycopy(body, 0, all, 0, body.length);
            System.arraycopy(rest, 0, all, body.length, rest.length);
            body = all;
        }
        if (body.length < length) {
            throw new EOFException("the stream ends within a frame");
        }
        return decode(body, 0, length, VERSION);
    }

    /** All frames of a file. */
    public static List<Frame> decodeAll(byte[] bytes) throws MalformedFrameException {
        List<Frame> frames = new ArrayList<>();
        decode(bytes, frames);
        return frames;
    }

    /** The frames of a file whose end may be torn, because its writer was killed: all before the first that is not whole. */
    public static List<Frame> decodeWhole(byte[] bytes) {
        List<Frame> frames = new ArrayList<>();
        try {
            decode(bytes, frames);
        } catch (MalformedFrameException e) {
            // The torn end.
            return frames;
        }
        return frames;
    }

    private static void decode(byte[] bytes, List<Frame> frames) throws MalformedFrameException {
        int at = 0;
        while (at < bytes.length) {
            int end = end(bytes, at);
            frames.add(decode(bytes, at + Integer.BYTES, end - at - Integer.BYTES, 1));
            at = end;
        }
    }

    /** Where the frame at this place ends. */
    private static int end(byte[] bytes, int at) throws MalformedFrameException {
        int left = bytes.length - at - Integer.BYTES;
        int length = left < 0 ? 0 : length(bytes, at);
        if (left < length) {
            throw new MalformedFrameException("the last frame is cut short");
        }
        return at + Integer.BYTES + length;
    }

    private static int length(byte[] bytes, int at) throws MalformedFrameException {
        int length = (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | (bytes[at + 3] & 0xff);
        if (length <= HEAD_BYTES || length > MAX_BYTES) {
            throw new MalformedFrameException("a frame of " + length + " bytes");
        }
        return length;
    }

    private static Frame decode(byte[] bytes, int offset, int length, int oldest) throws MalformedFrameException {
        WireIn in = new WireIn(bytes, offset, length);
        int version = in.get();
        if (version < oldest || version > VERSION) {
            throw new MalformedFrameException("a frame of version " + version + "; this is version " + VERSION);
        }
        long epoch = in.getLong();
        return new Frame(epoch, MessageCodec.read(in));
    }
}
