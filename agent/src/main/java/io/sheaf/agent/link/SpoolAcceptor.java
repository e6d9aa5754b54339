package io.sheaf.agent.link;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Message.Hello;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Accepts agents that connect through files: one thread reads their folders and drives the heartbeats of all links.
 *
 * <p>Folders of agents with a TLS connection are read less often; a file there means that the agent lost the connection, which this side
 * may notice later.
 */
final class SpoolAcceptor implements AutoCloseable {
    private static final int SELDOM = 10;

    private final RunFolder run;
    private final long epoch;
    private final ServerSettings settings;
    private final AgentServer server;
    private final Thread thread;
    private final Set<AgentId> forgotten = ConcurrentHashMap.newKeySet();
    private final Map<AgentId, Spool> spools = new HashMap<>();
    private volatile boolean closed;

    SpoolAcceptor(RunFolder run, long epoch, ServerSettings settings, AgentServer server) {
        this.run = run;
        this.epoch = epoch;
        this.settings = settings;
        this.server = server;
        thread = DaemonThread.of("agents-spool", this::loop);
    }

    void start() {
        thread.start();
    }

    void forget(AgentId agent) {
        forgotten.add(agent);
    }

    private void loop() {
        long lastBeat = System.nanoTime();
        for (long round = 0; !closed; round++) {
            try {
                Thread.sleep(settings.pollMillis());
                long now = System.nanoTime();
                if (now - lastBeat > settings.beatMillis() * 1_000_000L) {
                    lastBeat = now;
                    server.beat();
                }
                poll(round % SELDOM == 0);
            } catch (IOException e) {
                if (closed) {
                    return;
                }
                server.trouble("cannot read the spool: " + e.getMessage());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void poll(boolean all) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(run.agents())) {
            for (Path folder : folders) {
                AgentId agent = AgentId.parse(folder.getFileName().toString());
                if (agent != null && !forgotten.contains(agent)) {
                    Peer peer = server.peer(agent);
                    if (all || !(peer instanceof TlsPeer)) {
                        poll(agent, peer instanceof SpoolPeer known ? known : null);
                    }
                }
            }
        } catch (NoSuchFileException e) {
            // No agent has come yet.
        }
    }

    private void poll(AgentId agent, @Nullable SpoolPeer known) throws IOException {
        SpoolPeer peer = known;
        for (Frame frame :
                spools.computeIfAbsent(agent, id -> new Spool(run.out(id))).take(epoch)) {
            if (frame.message() instanceof Hello hello && hello.agent().equals(agent)) {
                peer = peer == null ? new SpoolPeer(run.in(agent), epoch) : peer;
                server.greeted(hello, peer);
            } else if (peer != null) {
                server.received(agent, peer, frame.message());
            }
            if (peer != null) {
                peer.received();
            }
        }
        if (peer != null) {
            peer.flush();
            if (peer.silentMillis() > settings.quietMillis()) {
                server.lost(agent, peer, "nothing in its spool for " + settings.quietMillis() / 1000 + " s");
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(settings.quietMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
