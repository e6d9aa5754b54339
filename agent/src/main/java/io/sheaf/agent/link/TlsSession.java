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
final class TlsSession implements Session {
    private final Socket plain;
    private final SSLSocket socket;
    private final long epoch;

    private TlsSession(Socket plain, SSLSocket socket, long epoch) {
        this.plain = plain;
        this.socket = socket;
        this.epoch = epoch;
    }

    /** Connects to the first address that answers with the run's certificate. */
    static TlsSession open(Credentials credentials, Endpoint endpoint, LinkSettings settings) throws IOException {
        IOException failure = new IOException("the manager has no address");
        for (String address : endpoint.addresses()) {
            Socket plain = new Socket();
            try {
                plain.connect(new InetSocketAddress(address, endpoint.port()), settings.connectMillis());
                plain.setTcpNoDelay(true);
                plain.setSoTimeout(settings.quietMillis());
                SSLSocket socket = credentials.secure(plain, true);
                socket.startHandshake();
                return new TlsSession(plain, socket, endpoint.epoch());
            } catch (IOException e) {
                plain.close();
                failure = new IOException(address + " port " + endpoint.port() + ": " + e.getMessage(), e);
            }
        }
        throw failure;
    }

    @Override
    public void read(Consumer<Frame> to) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        for (Frame frame = Frames.read(in); frame != null; frame = Frames.read(in)) {
            to.accept(frame);
        }
    }

    @Override
    public void write(List<Message.ToManager> messages) throws IOException {
        socket.getOutputStream().write(Frames.encode(epoch, messages));
    }

    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException e) {
            // Closed as far as it can be.
            return;
        }
    }

    @Override
    public String by() {
        return plain.getRemoteSocketAddress().toString();
    }
}
