package io.sheaf.runtime.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file that can be written at any place and made durable; tests put a failing one in its place. */
public interface Disk extends Closeable {
    /** Writes all of it, or throws; after that it may be written again. */
    void write(ByteBuffer bytes, long position) throws IOException;

    /** Returns when everything written is durable. */
    void force() throws IOException;

    static Disk of(FileChannel channel) {
        return new Disk() {
            @Override
            public void write(ByteBuffer bytes, long position) throws IOException {
                long at = position;
                while (bytes.hasRemaining()) {
                    at += channel.write(bytes, at);
                }
            }

            @Override
            public void force() throws IOException {
                channel.force(false);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }
}
