package io.sheaf.agent.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Bytes being written, big-endian; grows as needed. */
final class WireOut extends ByteArrayOutputStream {
    WireOut() {
        super(512);
    }

    void putInt(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            write(value >>> shift);
        }
    }

    /** Overwrites bytes. */
    void setInt(int at, int value) {
        ByteBuffer.wrap(buf).putInt(at, value);
    }

    void putLong(long value) {
        putInt((int) (value >>> 32));
        putInt((int) value);
    }

    void putText(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        putInt(encoded.length);
        writeBytes(encoded);
    }

    void putTexts(List<String> texts) {
        putInt(texts.size());
        texts.forEach(this::putText);
    }

    void putTexts(Map<String, String> texts) {
        putInt(texts.size());
        texts.forEach((key, value) -> {
            putText(key);
            putText(value);
        });
    }

    void putAttempt(AttemptId attempt) {
        putInt(attempt.task());
        putInt(attempt.attempt());
    }

    void putAttempts(List<AttemptId> attempts) {
        putInt(attempts.size());
        attempts.forEach(this::putAttempt);
    }
}
