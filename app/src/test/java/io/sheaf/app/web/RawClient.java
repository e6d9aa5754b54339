package io.sheaf.app.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends raw bytes to a server on this machine, for requests that no HTTP client would send. */
final class RawClient implements AutoCloseable {
    private final Socket socket;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
    }

    /** Sends a request without a body and returns everything that the server replies. */
    static String request(int port, String... lines) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.send(String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n");
            return client.readAll();
        }
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads up to and including a text. */
    String readUntil(String end) throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = socket.getInputStream();
        while (text.indexOf(end) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended after: " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /** Reads up to the end of the connection. */
    String readAll() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
