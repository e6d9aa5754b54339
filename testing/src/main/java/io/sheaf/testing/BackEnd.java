package io.sheaf.testing;

import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import org.jspecify.annotations.Nullable;

/** A batch system under test: an empty cluster, its commands and its reports. */
public interface BackEnd extends AutoCloseable {
    Effects effects();

    /** The nodes of its cluster, at least 2, of one core each. */
    int nodes();

    /** The present instant of its events' clock. */
    long now();

    /** Waits for a report, at most this many milliseconds; null if there is none. */
    @Nullable
    Event await(long millis);

    @Override
    void close();
}
