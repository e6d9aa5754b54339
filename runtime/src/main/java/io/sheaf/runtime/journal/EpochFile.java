package io.sheaf.runtime.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The file of one epoch, as read: its header and its valid length. */
@SuppressWarnings("ArrayRecordComponent") // It is never compared.
record EpochFile(Path file, byte[] bytes, @Nullable Header first, int begin) {

    static EpochFile read(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new DamagedException(file, 0, "it is not a file");
        }
        long size = Files.size(file);
        if (size > Runtime.getRuntime().maxMemory() / 2) {
            throw new IOException(
                    file + " has " + size
                            + " bytes, which do not fit into memory; if it is damaged, restore it from a copy, else increase the Java heap, e.g. JAVA_OPTS=-Xmx8g");
        }
        byte[] bytes = Files.readAllBytes(file);
        int end = Framing.end(bytes, bytes.length, 0);
        if (end < 0 || Framing.type(bytes, 0) != Framing.HEADER) {
            return new EpochFile(file, bytes, null, 0);
        }
        return new EpochFile(file, bytes, Header.read(file, Framing.payload(bytes, 0, end)), end);
    }

    /** The header; null if the process ended before writing one. */
    @Nullable
    Header header() throws IOException {
        // Marks are written only after the header is durable.
        if (first == null && laterMark(0, 0) >= 0) {
            throw new DamagedException(file, 0, "the header is damaged");
        }
        return first;
    }

    /** Passes on all commits up to a valid length. */
    void replay(long length, Consumer<JournalEntry> to) throws IOException {
        long good = length > bytes.length ? goodLength(bytes.length) : goodLength((int) length);
        if (good != length) {
            throw new DamagedException(file, good, "a record is damaged");
        }
        int at = begin;
        while (at < length) {
            int end = Framing.end(bytes, (int) length, at);
            if (Framing.type(bytes, at) > Framing.MARK) {
                to.accept(new JournalEntry(Framing.type(bytes, at), Framing.payload(bytes, at, end)));
            }
            at = end;
        }
    }

    /** Whether the file, up to a length, is the start of a journal and needs no earlier file. */
    boolean beginsAnew(long length) {
        return begin < length && Framing.type(bytes, begin) == Framing.ANEW;
    }

    /**
     * The end of the last valid commit. Bytes after it are a torn tail, unless durable commits follow, which means
     * damage.
     */
    long goodLength() throws IOException {
        int good = goodLength(bytes.length);
        long before = good == begin ? 0 : Framing.commit(bytes, good - Framing.MARK_SIZE);
        int later = laterMark(good, before + 2);
        if (later >= 0) {
            throw new DamagedException(file, firstBad(good), "a record is damaged");
        }
        return good;
    }

    /** The number of bytes after the last valid commit. */
    long torn(long good) {
        return bytes.length - good;
    }

    private int goodLength(int length) {
        int good = begin;
        int at = begin;
        for (int end = Framing.end(bytes, length, at); end >= 0; end = Framing.end(bytes, length, at)) {
            if (Framing.type(bytes, at) == Framing.MARK) {
                good = end;
            }
            at = end;
        }
        return good;
    }

    private int firstBad(int from) {
        int at = from;
        for (int end = Framing.end(bytes, bytes.length, at); end >= 0; end = Framing.end(bytes, bytes.length, at)) {
            at = end;
        }
        return at;
    }

    /** The offset of a mark with at least this commit number, at or after a position; −1 if there is none. */
    private int laterMark(int from, long commit) {
        for (int at = from; at + Framing.MARK_SIZE <= bytes.length; at++) {
            if (Framing.type(bytes, at) == Framing.MARK
                    && Framing.end(bytes, bytes.length, at) == at + Framing.MARK_SIZE
                    && Framing.commit(bytes, at) >= commit) {
                return at;
            }
        }
        return -1;
    }
}
