package io.sheaf.app.run;

import io.sheaf.agent.link.DaemonThread;
import io.sheaf.app.cli.Paint;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The terminal of the full-screen view. A separate thread draws the newest screen, at most four times a second, and
 * polls the terminal's size. Closing it restores the previous content.
 */
final class Terminal implements AutoCloseable {
    private static final String ESCAPE = "\u001b[";
    private static final String ENTER = ESCAPE + "?1049h" + ESCAPE + "?25l";
    private static final String LEAVE = ESCAPE + "?25h" + ESCAPE + "?1049l";
    private static final long BETWEEN_MILLIS = 250;
    private static final int SIZE_EVERY = 8;
    private static final Size DEFAULT_SIZE = new Size(24, 80);

    /** The size of a terminal. */
    record Size(int rows, int columns) {
        /** Parses the output of {@code stty size}. */
        static Size of(String text) {
            String[] words = text.strip().split(" ", -1);
            try {
                Size size = new Size(Integer.parseInt(words[0]), Integer.parseInt(words[words.length - 1]));
                return size.rows > 0 && size.columns > 0 ? size : DEFAULT_SIZE;
            } catch (NumberFormatException e) {
                return DEFAULT_SIZE;
            }
        }
    }

    private final PrintWriter out;
    private final AtomicReference<@Nullable RunScreen> newest = new AtomicReference<>();
    private final Thread drawing;
    private boolean closed;

    Terminal(PrintWriter out) {
        this.out = out;
        drawing = DaemonThread.of("screen", this::draw);
        drawing.start();
    }

    /** Queues a screen for drawing; a newer one replaces it. */
    void show(RunScreen screen) {
        newest.set(screen);
    }

    private void draw() {
        print(ENTER);
        try {
            Size size = size();
            for (int i = 1; ; i++) {
                RunScreen screen = newest.getAndSet(null);
                if (screen != null) {
                    print(frame(screen.lines(size.columns, size.rows)));
                }
                Thread.sleep(BETWEEN_MILLIS);
                if (i % SIZE_EVERY == 0) {
                    size = size();
                }
            }
        } catch (InterruptedException e) {
            // Closed.
            return;
        }
    }

    /** The control sequence that draws these lines over the old ones. */
    static String frame(List<String> lines) {
        StringBuilder text = new StringBuilder(ESCAPE + "H");
        for (int i = 0; i < lines.size(); i++) {
            // No line end after the last line: it would scroll a full screen.
            text.append(i == 0 ? "" : "\r\n").append(Paint.line(lines.get(i))).append(ESCAPE + "K");
        }
        return text.append(ESCAPE + "J").toString();
    }

    private void print(String text) {
        synchronized (out) {
            if (!closed) {
                out.print(text);
                out.flush();
            }
        }
    }

    private static Size size() throws InterruptedException {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(Path.of("/dev/tty").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(1, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return DEFAULT_SIZE;
            }
            return Size.of(new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return DEFAULT_SIZE;
        }
    }

    /** Restores the terminal; idempotent, callable from any thread. */
    @Override
    public void close() {
        drawing.interrupt();
        synchronized (out) {
            if (!closed) {
                closed = true;
                out.print(LEAVE);
                out.flush();
            }
        }
    }
}
