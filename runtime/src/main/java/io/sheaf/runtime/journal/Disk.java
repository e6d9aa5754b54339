package io.sheaf.runtime.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file with positioned writes and fsync; tests substitute a failing one. */
public interface Disk extends Closeable {
    /** Writes all bytes or throws; a failed write may be repeated. */
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
