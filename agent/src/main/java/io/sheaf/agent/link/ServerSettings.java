package io.sheaf.agent.link;

/**
 * The settings of the manager's server.
 *
 * @param address the address to listen on, empty for all
 * @param firstPort first port to try; 0 for any
 * @param lastPort last port to try
 * @param network false if agents use files only
 * @param beatMillis interval of heartbeats
 * @param quietMillis silence after which the other side counts as lost
 * @param pollMillis interval of reading the spool
 */
public record ServerSettings(
        String address, int firstPort, int lastPort, boolean network, int beatMillis, int quietMillis, int pollMillis) {
    public static final int BEAT_MILLIS = 15_000;
    public static final int QUIET_MILLIS = 60_000;
    public static final int POLL_MILLIS = 200;

    public ServerSettings {
        if (firstPort < 0 || lastPort < firstPort || lastPort > 65_535) {
            throw new IllegalArgumentException("no range of ports: " + firstPort + " to " + lastPort);
        }
    }

    /** For agents on this machine. */
    public static ServerSettings loopback() {
        return new ServerSettings("127.0.0.1", 0, 0, true, BEAT_MILLIS, QUIET_MILLIS, POLL_MILLIS);
    }

    /** For agents on other machines: one of these ports, on all interfaces. */
    public static ServerSettings everywhere(int firstPort, int lastPort) {
        return new ServerSettings("", firstPort, lastPort, true, BEAT_MILLIS, QUIET_MILLIS, POLL_MILLIS);
    }

    /** The same on one address only. */
    public ServerSettings at(String address) {
        return new ServerSettings(address, firstPort, lastPort, network, beatMillis, quietMillis, pollMillis);
    }

    /** For agents that no network leads to. */
    public static ServerSettings filesOnly() {
        return new ServerSettings("", 0, 0, false, BEAT_MILLIS, QUIET_MILLIS, POLL_MILLIS);
    }
}
