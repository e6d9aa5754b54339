package io.sheaf.runtime.site;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.DelegatingBackend;
import io.sheaf.runtime.cluster.RunClock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A back end of which no more is asked than the site allows: what is too much waits here until it is not.
 *
 * <p>Every back end of a run is behind one of these, so that there is one place only where bounds are kept. The manager sees a batch system that
 * takes its time to accept.
 */
public final class BoundedBackend extends DelegatingBackend {
    private static final String QUEUED = "queued";
    private static final String SUBMISSIONS = "submissions";
    private static final String CANCELLATIONS = "cancellations";

    /** How often something that waits is tried again, and places are kept. */
    private static final long AGAIN = 10_000;

    private static final long KEEP = Ledger.HOUR / 6;

    private final SiteBounds bounds;
    private final Ledger ledger;
    private final String run;
    private final Consumer<String> messages;
    private final Map<Long, Request> waiting = new LinkedHashMap<>();
    private final Set<Long> cancelling = new LinkedHashSet<>();
    private final Set<Long> queued = new HashSet<>();
    private final Queue<Event> told = new ArrayDeque<>();
    private final Set<String> said = new HashSet<>();
    private long now;
    private long triedAt = Long.MIN_VALUE;
    private long keptAt;

    /** A back end within the bounds of this site; itself if there are none. */
    public static Cluster of(Cluster inner, String run, RunClock clock, Consumer<String> messages) {
        SiteBounds bounds = SiteFile.bounds();
        return bounds.areNone()
                ? inner
                : new BoundedBackend(inner, bounds, Ledger.of(bounds), run, clock.millis(), messages);
    }

    /** Whether one more job may be submitted, and cancelled, that belongs to no run; if so, it is taken account of. */
    public static boolean mayProbe(long now) throws IOException {
        SiteBounds bounds = SiteFile.bounds();
        Ledger ledger = Ledger.of(bounds);
        boolean submitted =
                bounds.submissions() == SiteBounds.ANY || ledger.take(SUBMISSIONS, bounds.submissions(), "", now);
        return submitted
                && (bounds.cancellations() == SiteBounds.ANY
                        || ledger.take(CANCELLATIONS, bounds.cancellations(), "", now));
    }

    /**
     * Bounds a back end.
     *
     * @param run the name of the run, unlike any other's
     * @param now the run's clock, which this goes on from
     */
    public BoundedBackend(
            Cluster inner, SiteBounds bounds, Ledger ledger, String run, long now, Consumer<String> messages) {
        super(inner);
        this.bounds = bounds;
        this.ledger = ledger;
        this.run = run;
        this.now = now;
        this.keptAt = now;
        this.messages = messages;
    }

    @Override
    public void submit(long token, Request request) {
        if (queued.contains(token)) {
            inner.submit(token, request);
        } else {
            waiting.put(token, request);
            triedAt = Long.MIN_VALUE;
        }
    }

    @Override
    public void cancel(long token) {
        if (waiting.remove(token) != null) {
            told.add(new Event.Ended(now, token, Event.End.CANCELLED));
        } else if (cancelling.add(token)) {
            triedAt = Long.MIN_VALUE;
        }
    }

    @Override
    public void shorten(long token, long walltime) {
        Request request = waiting.get(token);
        if (request == null) {
            inner.shorten(token, walltime);
        } else if (walltime < request.walltime()) {
            waiting.put(
                    token,
                    new Request(request.pool(), request.units(), walltime, request.notBefore(), request.afterToken()));
        }
    }

    @Override
    public long turn(long at, Consumer<Event> to) throws IOException {
        now = at;
        if (triedAt == Long.MIN_VALUE || at - triedAt >= AGAIN) {
            triedAt = at;
            letThrough();
        }
        if (at - keptAt >= KEEP) {
            keptAt = at;
            for (long token : queued) {
                ledger.take(QUEUED, bounds.queued(), holder(token), at);
            }
        }
        while (!told.isEmpty()) {
            to.accept(told.remove());
        }
        long next = inner.turn(at, event -> pass(event, to));
        long own = waiting.isEmpty() && cancelling.isEmpty() ? NEVER : triedAt + AGAIN;
        return Math.min(queued.isEmpty() ? next : Math.min(next, keptAt + KEEP), own);
    }

    private void letThrough() throws IOException {
        for (Iterator<Long> all = cancelling.iterator(); all.hasNext(); ) {
            long token = all.next();
            if (bounds.cancellations() < SiteBounds.ANY
                    && !ledger.take(CANCELLATIONS, bounds.cancellations(), "", now)) {
                say(bounds.cancellations() + " cancellations an hour");
                break;
            }
            all.remove();
            inner.cancel(token);
        }
        for (Iterator<Map.Entry<Long, Request>> all = waiting.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Long, Request> first = all.next();
            if (!mayQueue(first.getKey())) {
                break;
            }
            all.remove();
            queued.add(first.getKey());
            inner.submit(first.getKey(), first.getValue());
        }
    }

    /** Whether one more may be submitted. A submission that was under way before a restart is not counted again. */
    private boolean mayQueue(long token) throws IOException {
        String holder = holder(token);
        boolean before = ledger.holds(QUEUED, holder);
        if (!ledger.take(QUEUED, bounds.queued(), holder, now)) {
            say(bounds.queued() + " queued pilot jobs");
            return false;
        }
        if (!before
                && bounds.submissions() < SiteBounds.ANY
                && !ledger.take(SUBMISSIONS, bounds.submissions(), "", now)) {
            ledger.give(QUEUED, holder);
            say(bounds.submissions() + " submissions an hour");
            return false;
        }
        return true;
    }

    private void say(String bound) {
        if (said.add(bound)) {
            messages.accept(
                    "this site allows " + bound + " of all your runs together; the next one waits until it may");
        }
    }

    private void pass(Event event, Consumer<Event> to) {
        long token = event instanceof Event.Started started
                ? started.token()
                : event instanceof Event.Ended ended
                        ? ended.token()
                        : event instanceof Event.Refused refused ? refused.token() : -1;
        if (token >= 0 && queued.remove(token)) {
            try {
                ledger.give(QUEUED, holder(token));
            } catch (IOException e) {
                // It is free again in an hour.
                messages.accept("the account of queued pilot jobs cannot be written (" + e.getMessage() + ")");
            }
        }
        to.accept(event);
    }

    private String holder(long token) {
        return run + "/" + token;
    }

    @Override
    public void reconcile(Collection<Long> tokens) {
        for (long token : tokens) {
            try {
                if (ledger.holds(QUEUED, holder(token))) {
                    queued.add(token);
                }
            } catch (IOException e) {
                // Its place is free again in an hour.
                messages.accept("the account of queued pilot jobs cannot be read (" + e.getMessage() + ")");
            }
        }
        inner.reconcile(tokens);
    }
}
