package io.sheaf.agent.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of frames. It compares each length with the remaining bytes before it allocates memory, so that no frame needs more
 * memory than a small multiple of its own size.
 */
final class WireIn {
    private static final int ATTEMPT_BYTES = 2 * Integer.BYTES;

    private final ByteBuffer bytes;

    WireIn(byte[] array, int offset, int length) {
        bytes = ByteBuffer.wrap(array, offset, length);
    }

    private void need(long count) throws MalformedFrameException {
        if (count > bytes.remaining()) {
            throw new MalformedFrameException(
                    "a frame ends too early: " + count + " bytes expected, " + bytes.remaining() + " left");
        }
    }

    void end() throws MalformedFrameException {
        if (bytes.hasRemaining()) {
            throw new MalformedFrameException(bytes.remaining() + " bytes too many in a frame");
        }
    }

    /** Whether nothing is left of the frame. */
    boolean isAtEnd() {
        return !bytes.hasRemaining();
    }

    int get() throws MalformedFrameException {
        need(1);
        return bytes.get() & 0xff;
    }

    int getInt() throws MalformedFrameException {
        need(Integer.BYTES);
        return bytes.getInt();
    }

    long getLong() throws MalformedFrameException {
        need(Long.BYTES);
        return bytes.getLong();
    }

    boolean getBoolean() throws MalformedFrameException {
        int value = get();
        if (value > 1) {
            throw new MalformedFrameException("neither true nor false: " + value);
        }
        return value == 1;
    }

    /** The number of elements that follow, each of at least this number of bytes. */
    int count(int minBytes) throws MalformedFrameException {
        int count = getInt();
        if (count < 0) {
            throw new MalformedFrameException("a count of " + count);
        }
        need((long) count * minBytes);
        return count;
    }

    String getText() throws MalformedFrameException {
        int length = count(1);
        String text = new String(bytes.array(), bytes.arrayOffset() + bytes.position(), length, StandardCharsets.UTF_8);
        bytes.position(bytes.position() + length);
        return text;
    }

    List<String> getTexts() throws MalformedFrameException {
        int count = count(Integer.BYTES);
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            texts.add(getText());
        }
        return texts;
    }

    Map<String, String> getTextsByName() throws MalformedFrameException {
        int count = count(2 * Integer.BYTES);
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String key = getText();
            texts.put(key, getText());
        }
        return texts;
    }

    AttemptId getAttempt() throws MalformedFrameException {
        int task = getInt();
        return new AttemptId(task, getInt());
    }

    List<AttemptId> getAttempts() throws MalformedFrameException {
        int count = count(ATTEMPT_BYTES);
        List<AttemptId> attempts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            attempts.add(getAttempt());
        }
        return attempts;
    }
}
