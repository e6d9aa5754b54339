package io.sheaf.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tunnel as of {@code ssh -L}, without SSH: forwards connections of a local port to another port. */
final class Tunnel implements AutoCloseable {
    private final ServerSocket entrance;
    private final int exit;
    private final List<Socket> open = new CopyOnWriteArrayList<>();

    private Tunnel(ServerSocket entrance, int exit) {
        this.entrance = entrance;
        this.exit = exit;
    }

    static Tunnel to(int port) throws IOException {
        Tunnel tunnel = new Tunnel(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
        start(tunnel::accept);
        return tunnel;
    }

    int port() {
        return entrance.getLocalPort();
    }

    /** The number of connections so far. */
    int connections() {
        return open.size() / 2;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = entrance.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), exit);
                open.addAll(List.of(near, far));
                start(() -> pass(near, far));
                start(() -> pass(far, near));
            }
        } catch (IOException e) {
            // The tunnel or the port is closed.
        }
    }

    private static void pass(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // One side has closed its connection; this closes the other one.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "tunnel");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
