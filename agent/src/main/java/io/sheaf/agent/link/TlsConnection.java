package io.sheaf.agent.link;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** A TLS connection, and the one below it. */
record TlsConnection(Socket plain, SSLSocket socket) {
    /** Closes the connection below TLS: saying good-bye properly could wait for a peer that hangs. */
    void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // Closed as far as it can be.
            return;
        }
    }

    /** Who is at the other end. */
    String transport() {
        return plain.getRemoteSocketAddress().toString();
    }
}
