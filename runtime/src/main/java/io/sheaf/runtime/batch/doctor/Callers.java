package io.sheaf.runtime.batch.doctor;

import io.sheaf.agent.link.DaemonThread;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A server for a job on a compute node: measures the node's clock offset, and the delay until a file that the job
 * writes is visible here.
 */
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
        DaemonThread.start("doctor", this::listen);
    }

    int port() {
        return server.getLocalPort();
    }

    private void listen() {
        while (!server.isClosed()) {
            try (Socket caller = server.accept()) {
                caller.setSoTimeout(SILENCE_MILLIS);
                read(new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8)));
            } catch (IOException e) {
                // The connection only tested the port; or the server is closed.
            }
        }
    }

    private void read(BufferedReader from) throws IOException {
        for (String line = from.readLine(); line != null; line = from.readLine()) {
            if (line.matches("clock [0-9]{15,19}")) {
                clockAhead = Long.parseLong(line.substring(6)) / 1_000_000 - System.currentTimeMillis();
            } else if (line.equals("written")) {
                lag = visibilityDelay();
            }
        }
    }

    /** The delay until the file is visible, in milliseconds; at most a minute. */
    private long visibilityDelay() {
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

    /** How far the node's clock is ahead of this machine's, in milliseconds, network latency included. */
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
