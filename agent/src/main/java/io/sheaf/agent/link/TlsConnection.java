package io.sheaf.agent.link;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** A TLS connection with its TCP connection. */
record TlsConnection(Socket plain, SSLSocket socket) {
    /** Closes the TCP connection; a TLS closure could wait for a peer that hangs. */
    void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // Closed as far as it can be.
        }
    }

    /** The address of the peer. */
    String transport() {
        return plain.getRemoteSocketAddress().toString();
    }
}
