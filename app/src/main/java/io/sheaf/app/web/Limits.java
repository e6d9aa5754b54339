package io.sheaf.app.web;

import java.time.Duration;

/**
 * What clients may use up.
 *
 * @param bodyBytes the longest body of a request
 * @param perSecond requests with the token, on average; twice as many at once. As many again without it
 * @param streams of events that are open at once
 * @param streamFor how long one stays open; clients open it again
 */
public record Limits(int bodyBytes, int perSecond, int streams, Duration streamFor) {
    public static final Limits DEFAULT = new Limits(4 << 20, 200, 32, Duration.ofMinutes(5));

    public Limits bodyBytes(int most) {
        return new Limits(most, perSecond, streams, streamFor);
    }

    public Limits perSecond(int most) {
        return new Limits(bodyBytes, most, streams, streamFor);
    }

    public Limits streams(int most, Duration time) {
        return new Limits(bodyBytes, perSecond, most, time);
    }
}
