package io.sheaf.testing;

import io.sheaf.manager.Event;
import io.sheaf.manager.Event.Accepted;
import io.sheaf.manager.Event.Ended;
import io.sheaf.manager.Event.NodeLost;
import io.sheaf.manager.Event.NodeUp;
import io.sheaf.manager.Event.Refused;
import io.sheaf.manager.Event.Started;
import io.sheaf.manager.Event.TaskEnded;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reports of a back end so far, without duplicates. */
final class Reports {
    private final BackEnd backEnd;
    private final long timeout;
    private final Set<Event> all = new LinkedHashSet<>();

    Reports(BackEnd backEnd, long timeout) {
        this.backEnd = backEnd;
        this.timeout = timeout;
    }

    /** The report of this kind about a pilot job, waited for if need be. */
    <E extends Event> E expect(Class<E> kind, long token) {
        long until = backEnd.now() + timeout;
        E found = find(kind, token);
        while (found == null) {
            awaitNext(until, "no " + kind.getSimpleName() + " of pilot job " + token);
            found = find(kind, token);
        }
        return found;
    }

    /** Waits for the next report; fails if there is none until this instant. */
    private void awaitNext(long until, String missing) {
        long left = until - backEnd.now();
        Event next = left > 0 ? backEnd.await(left) : null;
        if (next == null) {
            throw new AssertionError(missing + "; reported was " + all);
        }
        all.add(next);
    }

    /** The report that has come, or null. */
    <E extends Event> @Nullable E find(Class<E> kind, long token) {
        for (Event event : all) {
            if (kind.isInstance(event) && token(event) == token) {
                return kind.cast(event);
            }
        }
        return null;
    }

    /** The report about an attempt, waited for if need be. */
    TaskEnded expectTask(long token, int task) {
        long until = backEnd.now() + timeout;
        while (true) {
            for (Event event : all) {
                if (event instanceof TaskEnded ended && ended.token() == token && ended.task() == task) {
                    return ended;
                }
            }
            awaitNext(until, "no end of task " + task);
        }
    }

    /** How many different reports of this kind there are about a pilot job. */
    long count(Class<? extends Event> kind, long token) {
        return all.stream()
                .filter(event -> kind.isInstance(event) && token(event) == token)
                .count();
    }

    /** Waits until all nodes of a pilot job take tasks. */
    void expectNodes(long token, int nodes) {
        if (!expect(Started.class, token).nodesUp()) {
            long until = backEnd.now() + timeout;
            while (count(NodeUp.class, token) < nodes) {
                awaitNext(until, "not all nodes of pilot job " + token + " came up");
            }
        }
    }

    /** Waits and reads the reports of that time. */
    void pass(long millis) {
        long until = backEnd.now() + millis;
        while (backEnd.now() < until) {
            Event next = backEnd.await(until - backEnd.now());
            if (next != null) {
                all.add(next);
            }
        }
    }

    private static long token(Event event) {
        if (event instanceof Accepted e) {
            return e.token();
        } else if (event instanceof Refused e) {
            return e.token();
        } else if (event instanceof Started e) {
            return e.token();
        } else if (event instanceof Ended e) {
            return e.token();
        } else if (event instanceof NodeUp e) {
            return e.token();
        } else if (event instanceof NodeLost e) {
            return e.token();
        } else if (event instanceof TaskEnded e) {
            return e.token();
        }
        return -1;
    }
}
