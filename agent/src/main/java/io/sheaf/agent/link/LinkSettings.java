package io.sheaf.agent.link;

/**
 * How an agent keeps in touch.
 *
 * @param connectMillis how long one address is tried
 * @param beatMillis how often it says that it is there
 * @param quietMillis after how long a silence the manager counts as gone
 * @param pollMillis how often the spool is looked at
 * @param lookMillis how often the endpoint file is looked at
 * @param againMillis when the network is first tried again while the spool is in use; then after ever longer times
 */
public record LinkSettings(
        int connectMillis, int beatMillis, int quietMillis, int pollMillis, int lookMillis, int againMillis) {
    public static LinkSettings usual() {
        return new LinkSettings(3_000, ServerSettings.BEAT_MILLIS, ServerSettings.QUIET_MILLIS, 100, 1_000, 2_000);
    }
}
