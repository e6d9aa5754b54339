package io.sheaf.app.cli;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** An output stream that remembers the first error, which a {@link java.io.PrintWriter} hides. */
public final class StandardOutput extends OutputStream {
    private final OutputStream to;
    private @Nullable IOException problem;

    public StandardOutput(OutputStream to) {
        this.to = to;
    }

    /** The first failure, or null if everything was written. */
    public @Nullable IOException problem() {
        return problem;
    }

    /** Whether the other end of a pipe was closed. */
    public boolean isUnread() {
        return problem != null && "Broken pipe".equals(problem.getMessage());
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            to.write(bytes, from, count);
        } catch (IOException e) {
            problem = problem == null ? e : problem;
            throw e;
        }
    }
}
