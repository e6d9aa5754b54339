package io.sheaf.agent.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Bytes being written, big-endian; grows as needed. */
final class WireOut {
    private byte[] bytes = new byte[512];
    private int size;

    int size() {
        return size;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    void put(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    void putInt(int value) {
        room(Integer.BYTES);
        setInt(size, value);
        size += Integer.BYTES;
    }

    /** Overwrites bytes. */
    void setInt(int at, int value) {
        bytes[at] = (byte) (value >>> 24);
        bytes[at + 1] = (byte) (value >>> 16);
        bytes[at + 2] = (byte) (value >>> 8);
        bytes[at + 3] = (byte) value;
    }

    void putLong(long value) {
        putInt((int) (value >>> 32));
        putInt((int) value);
    }

    void putText(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        putInt(encoded.length);
        room(encoded.length);
        System.arraycopy(encoded, 0, bytes, size, encoded.length);
        size += encoded.length;
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
