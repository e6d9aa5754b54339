package io.sheaf.formats;

import io.sheaf.text.InputException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** An input stream with a size limit; reading beyond it throws an {@link InputException}. */
final class BoundedStream extends FilterInputStream {
    private final long most;
    private long left;

    BoundedStream(InputStream in, long most) {
        super(in);
        this.most = most;
        this.left = most;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        if (next >= 0) {
            count(1);
        }
        return next;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        int got = super.read(into, from, length);
        if (got > 0) {
            count(got);
        }
        return got;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(int bytes) {
        left -= bytes;
        if (left < 0) {
            throw new InputException("is larger than " + most + " bytes; Sheaf does not read larger files");
        }
    }
}
