package io.sheaf.runtime.batch.doctor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Listens for a job on a compute node: what its clock says, and how long a file that it has written takes to be seen here. */
final class Callers implements AutoCloseable {
    /** Not measured. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private static final long LAG_MILLIS = 60_000;
    private static final int SILENCE_MILLIS = 60_000;

    private final ServerSocket server = new ServerSocket(0);
    private final Path written;
    private volatile long clockAhead = UNKNOWN;
    private volatile long lag = UNKNOWN;

    /** Listens until it is closed; {@code written} is the file that the job writes. */
    Callers(Path written) throws IOException {
        this.written = written;
        Thread thread = new Thread(this::listen, "doctor");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    private void listen() {
        while (!server.isClosed()) {
            try (Socket caller = server.accept()) {
                caller.setSoTimeout(SILENCE_MILLIS);
                hear(new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8)));
            } catch (IOException e) {
                // One that only looks whether somebody answers; or the end.
            }
        }
    }

    private void hear(BufferedReader from) throws IOException {
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            if (line.matches("clock [0-9]{15,19}")) {
                clockAhead = Long.parseLong(line.substring(6)) / 1_000_000 - System.currentTimeMillis();
            } else if (line.equals("written")) {
                lag = untilSeen();
            }
        }
    }

    /** How long it takes until the file is here, in milliseconds; a minute at most. */
    private long untilSeen() {
        long from = System.nanoTime();
        long waited = 0;
        try {
            while (!Files.exists(written) && waited < LAG_MILLIS) {
                Thread.sleep(20);
                waited = (System.nanoTime() - from) / 1_000_000;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return waited;
    }

    /** By how much the node's clock is ahead of ours, in milliseconds, the way included. */
    long clockAhead() {
        return clockAhead;
    }

    long lag() {
        return lag;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
