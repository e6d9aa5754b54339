package io.sheaf.app.web;

import java.time.Duration;

/**
 * Resource limits of clients.
 *
 * @param bodyBytes the maximum length of a request's body
 * @param perSecond the average rate of requests with the token, with bursts of twice as many; the same again without it
 * @param streams the maximum number of open event streams
 * @param streamFor how long a stream stays open; clients reconnect
 */
public record Limits(int bodyBytes, int perSecond, int streams, Duration streamFor) {
    public static final Limits DEFAULT = new Limits(4 << 20, 200, 32, Duration.ofMinutes(5));

    public Limits bodyBytes(int bytes) {
        return new Limits(bytes, perSecond, streams, streamFor);
    }
}
