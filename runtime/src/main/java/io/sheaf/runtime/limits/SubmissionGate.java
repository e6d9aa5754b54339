package io.sheaf.runtime.limits;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
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
 * The gate through which a run submits, cancels and shortens pilot jobs. It adds the {@link AgentReserve} to each
 * walltime, and delays operations that the site's limits do not allow yet.
 *
 * <p>The manager sees a delayed submission as one that the batch system has not accepted yet. Confined to the run
 * loop's thread.
 */
public final class SubmissionGate {
    /** The interval at which delayed operations are retried and slots renewed, in milliseconds. */
    private static final long RETRY_MILLIS = 10_000;

    private static final long RENEW_MILLIS = Ledger.HOUR / 6;

    private final Cluster cluster;
    private final AgentReserve reserve;
    private final SubmissionLimits limits;
    private final Ledger ledger;
    private final String run;
    private final Consumer<String> messages;
    private final Map<Long, Request> waiting = new LinkedHashMap<>();
    private final Set<Long> cancelling = new LinkedHashSet<>();
    private final Set<Long> queued = new HashSet<>();
    private final Queue<Event> events = new ArrayDeque<>();
    private final Set<String> noted = new HashSet<>();
    private long now;
    private long triedAt = Long.MIN_VALUE;
    private long renewedAt;

    /**
     * Creates a gate to a cluster.
     *
     * @param run the id of the run, unique among all runs
     * @param now the instant of the run's clock
     */
    public SubmissionGate(
            Cluster cluster,
            AgentReserve reserve,
            SubmissionLimits limits,
            Ledger ledger,
            String run,
            long now,
            Consumer<String> messages) {
        this.cluster = cluster;
        this.reserve = reserve;
        this.limits = limits;
        this.ledger = ledger;
        this.run = run;
        this.now = now;
        this.renewedAt = now;
        this.messages = messages;
    }

    /** The gate of a run, with the limits of this site. */
    public static SubmissionGate of(Cluster cluster, String run, long now, Consumer<String> messages) {
        SubmissionLimits limits = LimitsFile.limits();
        return new SubmissionGate(cluster, AgentReserve.of(cluster), limits, Ledger.of(limits), run, now, messages);
    }

    /** A gate without limits. */
    public static SubmissionGate unlimited(Cluster cluster, AgentReserve reserve) {
        return new SubmissionGate(
                cluster, reserve, SubmissionLimits.NONE, Ledger.of(SubmissionLimits.NONE), "", 0, message -> {});
    }

    /** Submits a pilot job that offers its tasks the requested walltime. */
    public void submit(long token, Request request) {
        Request longer = reserve.addedTo(request);
        if (limits.areNone() || queued.contains(token)) {
            cluster.submit(token, longer);
        } else {
            waiting.put(token, longer);
            triedAt = Long.MIN_VALUE;
        }
    }

    public void cancel(long token) {
        if (limits.areNone()) {
            cluster.cancel(token);
        } else if (waiting.remove(token) != null) {
            events.add(new Event.Ended(now, token, Event.End.CANCELLED));
        } else if (cancelling.add(token)) {
            triedAt = Long.MIN_VALUE;
        }
    }

    /** Lowers the walltime that a queued pilot job offers its tasks. */
    public void shorten(long token, long walltime) {
        long longer = reserve.addedTo(walltime);
        Request request = waiting.get(token);
        if (request == null) {
            cluster.shorten(token, longer);
        } else if (longer < request.walltime()) {
            waiting.put(token, request.lasting(longer));
        }
    }

    /**
     * Performs operations that the limits now allow, and reports jobs that were cancelled before submission. Call it
     * before each turn of the cluster.
     */
    public void turn(long at, Consumer<Event> to) throws IOException {
        now = at;
        if (triedAt == Long.MIN_VALUE || at - triedAt >= RETRY_MILLIS) {
            triedAt = at;
            sendAllowed();
        }
        if (at - renewedAt >= RENEW_MILLIS) {
            renewedAt = at;
            for (long token : queued) {
                ledger.acquire(Ledger.QUEUED, limits.queued(), holder(token), at);
            }
        }
        while (!events.isEmpty()) {
            to.accept(events.remove());
        }
    }

    /** The latest instant of the next turn. */
    public long due() {
        long retryAt = waiting.isEmpty() && cancelling.isEmpty() ? Cluster.NEVER : triedAt + RETRY_MILLIS;
        return queued.isEmpty() ? retryAt : Math.min(retryAt, renewedAt + RENEW_MILLIS);
    }

    private void sendAllowed() throws IOException {
        for (Iterator<Long> all = cancelling.iterator(); all.hasNext(); ) {
            long token = all.next();
            if (limits.cancellations() < SubmissionLimits.ANY
                    && !ledger.acquire(Ledger.CANCELLATIONS, limits.cancellations(), "", now)) {
                noteLimit(limits.cancellations() + " cancellations per hour");
                break;
            }
            all.remove();
            cluster.cancel(token);
        }
        for (Iterator<Map.Entry<Long, Request>> all = waiting.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Long, Request> first = all.next();
            if (!mayQueue(first.getKey())) {
                break;
            }
            all.remove();
            queued.add(first.getKey());
            cluster.submit(first.getKey(), first.getValue());
        }
    }

    /**
     * Whether one more job may be submitted. A submission that was in progress before a restart is not counted again.
     */
    private boolean mayQueue(long token) throws IOException {
        String holder = holder(token);
        boolean wasCounted = ledger.isHeld(Ledger.QUEUED, holder);
        if (!ledger.acquire(Ledger.QUEUED, limits.queued(), holder, now)) {
            noteLimit(limits.queued() + " queued pilot jobs");
            return false;
        }
        if (!wasCounted
                && limits.submissions() < SubmissionLimits.ANY
                && !ledger.acquire(Ledger.SUBMISSIONS, limits.submissions(), "", now)) {
            ledger.release(Ledger.QUEUED, holder);
            noteLimit(limits.submissions() + " submissions per hour");
            return false;
        }
        return true;
    }

    private void noteLimit(String limit) {
        if (noted.add(limit)) {
            messages.accept("this site allows " + limit + " for all your runs together; the next one is delayed");
        }
    }

    /** Handles an event of the cluster: a pilot job that starts or ends is no longer queued. */
    public void happened(Event event) {
        long token = event instanceof Event.Started started
                ? started.token()
                : event instanceof Event.Ended ended
                        ? ended.token()
                        : event instanceof Event.Refused refused ? refused.token() : -1;
        if (token >= 0 && queued.remove(token)) {
            try {
                ledger.release(Ledger.QUEUED, holder(token));
            } catch (IOException e) {
                // The slot expires in an hour.
                messages.accept("the ledger of queued pilot jobs cannot be written (" + e.getMessage() + ")");
            }
        }
    }

    private String holder(long token) {
        return run + "/" + token;
    }

    /** After a restart: renews the slots of pilot jobs that may be queued. */
    public void reconcile(Collection<Long> tokens) {
        for (long token : tokens) {
            try {
                if (!limits.areNone() && ledger.isHeld(Ledger.QUEUED, holder(token))) {
                    queued.add(token);
                }
            } catch (IOException e) {
                // The slot expires in an hour.
                messages.accept("the ledger of queued pilot jobs cannot be read (" + e.getMessage() + ")");
            }
        }
    }
}
