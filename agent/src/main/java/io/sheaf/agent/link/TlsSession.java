package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLSocket;

/** An agent's connection over TLS. */
record TlsSession(TlsConnection connection, long epoch) implements LinkSession {
    /** A busy manager takes longer to prove who it is than to take the connection. */
    private static final int HANDSHAKES = 5;

    /** Connects to the first address that answers with the run's certificate. */
    static TlsSession open(Credentials credentials, Endpoint endpoint, LinkSettings settings) throws IOException {
        IOException failure = new IOException("the manager has no address");
        for (String address : endpoint.addresses()) {
            Socket plain = new Socket();
            try {
                plain.connect(new InetSocketAddress(address, endpoint.port()), settings.connectMillis());
                plain.setTcpNoDelay(true);
                // A peer that accepts and stays silent is not the manager; the next address may be.
                plain.setSoTimeout(HANDSHAKES * settings.connectMillis());
                SSLSocket socket = credentials.secure(plain, true);
                socket.startHandshake();
                plain.setSoTimeout(settings.quietMillis());
                return new TlsSession(new TlsConnection(plain, socket), endpoint.epoch());
            } catch (IOException e) {
                plain.close();
                failure = new IOException(address + " port " + endpoint.port() + ": " + e.getMessage(), e);
            }
        }
        throw failure;
    }

    @Override
    public void read(Consumer<Frame> to) throws IOException {
        InputStream in = new BufferedInputStream(connection.socket().getInputStream());
        for (Frame frame = Frames.read(in); frame != null; frame = Frames.read(in)) {
            to.accept(frame);
        }
    }

    @Override
    public void write(List<Message.ToManager> messages) throws IOException {
        connection.socket().getOutputStream().write(Frames.encode(epoch, messages));
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String transport() {
        return connection.transport();
    }
}
