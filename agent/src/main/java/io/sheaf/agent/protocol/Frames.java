package io.sheaf.agent.protocol;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
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

    private Frames() {}

    /** The frames one after the other. */
    public static byte[] encode(long epoch, List<? extends Message> messages) {
        WireOut out = new WireOut();
        for (Message message : messages) {
            int start = out.size();
            out.putInt(0);
            out.write(VERSION);
            out.putLong(epoch);
            MessageCodec.write(message, out);
            int length = out.size() - start - Integer.BYTES;
            if (length > MAX_BYTES) {
                throw new IllegalArgumentException("a message of " + length + " bytes; at most " + MAX_BYTES
                        + " can be sent; put long arguments into a file");
            }
            out.setInt(start, length);
        }
        return out.toByteArray();
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
        // Grows while bytes arrive, so a large announced length costs nothing by itself.
        byte[] body = in.readNBytes(length);
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
        int at = Integer.BYTES;
        while (at < bytes.length + Integer.BYTES) {
            int length = at > bytes.length ? Integer.MAX_VALUE : length(bytes, at - Integer.BYTES);
            if (length > bytes.length - at) {
                throw new MalformedFrameException("the last frame is cut short");
            }
            frames.add(decode(bytes, at, length, 1));
            at += length + Integer.BYTES;
        }
    }

    private static int length(byte[] bytes, int at) throws MalformedFrameException {
        int length = ByteBuffer.wrap(bytes).getInt(at);
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
