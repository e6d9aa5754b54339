package io.sheaf.testing;

import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import org.jspecify.annotations.Nullable;

/** A batch system under test: an empty cluster of its own, told what to do, and what it reports. */
public interface BackEnd extends AutoCloseable {
    Effects effects();

    /** The nodes of its cluster, at least 2, of one core each. */
    int nodes();

    /** The present instant of the clock that its events are told by. */
    long now();

    /** Waits until there is a report, at most so many milliseconds; null if there is none. */
    @Nullable
    Event await(long millis);

    @Override
    void close();
}
