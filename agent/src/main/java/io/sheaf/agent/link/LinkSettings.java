package io.sheaf.agent.link;

/**
 * Timing of an agent's link.
 *
 * @param connectMillis connection timeout per address
 * @param beatMillis interval of heartbeats
 * @param quietMillis silence after which the manager counts as lost
 * @param pollMillis interval of reading the spool
 * @param endpointMillis interval of reading the endpoint file
 * @param retryMillis first delay before TLS is retried while the spool is in use; it grows
 */
public record LinkSettings(
        int connectMillis, int beatMillis, int quietMillis, int pollMillis, int endpointMillis, int retryMillis) {
    public static LinkSettings usual() {
        return new LinkSettings(3_000, ServerSettings.BEAT_MILLIS, ServerSettings.QUIET_MILLIS, 100, 1_000, 2_000);
    }
}
