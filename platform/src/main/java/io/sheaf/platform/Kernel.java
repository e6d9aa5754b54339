package io.sheaf.platform;

import java.util.Arrays;

/**
 * The event kernel: a clock, timers, and flows that share links and disks.
 *
 * <p>Flows of one route, and operations on one disk, have equal rates. So each such <em>stream</em> has a virtual clock: the bytes that a
 * permanent flow would have transferred. A flow ends when that clock reaches its value at the start plus the flow's bytes. A change of
 * rates touches clocks only.
 *
 * <p>Callers pass tokens, which {@link #next} returns when their event occurs.
 */
final class Kernel {
    /** Tokens are below this; the bit above marks the slot of a message that is still on its way to flow. */
    static final int MAX_TOKENS = 1 << 30;

    private static final int LATENCY = MAX_TOKENS;

    final NetworkRoutes routes;
    private final FairShares shares;
    private final double[] diskBandwidth;
    private final int streams;

    private double now;
    private long sequence;
    /** What is due after a time, without messages on their way. */
    final EventHeap timers = new EventHeap();

    private final Delays delays;
    private final EventHeap[] flows;
    private final int[] count;
    private final double[] virtual;
    private final double[] rate;
    private final double[] since;
    private final double[] end;
    private final double[] share;

    private int[] slotRoute = new int[16];
    private int[] slotToken = new int[16];
    private double[] slotBytes = new double[16];
    private int[] freeSlots = new int[16];
    private int free;
    private int slots;

    Kernel(Platform platform) {
        routes = new NetworkRoutes(platform);
        shares = routes.shares();
        delays = routes.delays();
        int clusters = platform.clusters().size();
        diskBandwidth = new double[clusters + 1];
        for (int k = 0; k < clusters; k++) {
            diskBandwidth[k] = platform.clusters().get(k).disk();
        }
        diskBandwidth[clusters] = platform.user().disk();
        streams = routes.count() + diskBandwidth.length;
        flows = new EventHeap[streams];
        for (int stream = 0; stream < streams; stream++) {
            flows[stream] = new EventHeap();
        }
        count = new int[routes.count()];
        share = new double[routes.count()];
        virtual = new double[streams];
        rate = new double[streams];
        since = new double[streams];
        end = new double[streams];
        Arrays.fill(end, Double.POSITIVE_INFINITY);
    }

    double now() {
        return now;
    }

    /** Returns the token after this number of seconds. */
    void after(double seconds, int token) {
        timers.add(now + seconds, sequence++, token);
    }

    /** Returns the token after the route's latency and the transfer of these bytes. */
    void send(int route, double bytes, int token) {
        if (bytes <= 0) {
            delays.add(routes.line(route), now, sequence++, token);
            return;
        }
        int slot = free > 0 ? freeSlots[--free] : newSlot();
        slotRoute[slot] = route;
        slotToken[slot] = token;
        slotBytes[slot] = bytes;
        delays.add(routes.line(route), now, sequence++, LATENCY | slot);
    }

    /** Returns the token when the disk has read or written these bytes; disks are those of the clusters, then the user's. */
    void disk(int disk, double bytes, int token) {
        int stream = routes.count() + disk;
        bring(stream);
        flows[stream].add(virtual[stream] + bytes, sequence++, token);
        shareDisk(stream);
    }

    /** Advances to the next event and returns its token, or −1 if there is none. */
    int next() {
        while (true) {
            int first = -1;
            boolean isDelay = isDelayNext();
            double time = isDelay ? delays.firstDate() : timers.firstKey();
            for (int stream = 0; stream < streams; stream++) {
                if (end[stream] < time) {
                    time = end[stream];
                    first = stream;
                }
            }
            if (time == Double.POSITIVE_INFINITY) {
                return -1;
            }
            now = Math.max(now, time);
            if (first >= 0) {
                return finish(first);
            }
            int token = isDelay ? delays.pop() : timers.pop();
            if ((token & LATENCY) == 0) {
                return token;
            }
            beginFlow(token & ~LATENCY);
        }
    }

    /** Whether the first message on its way is due before the first timer. */
    private boolean isDelayNext() {
        if (delays.isEmpty()) {
            return false;
        }
        double date = delays.firstDate();
        double timer = timers.firstKey();
        return date < timer || (date == timer && delays.firstSequence() < timers.firstSequence());
    }

    private int finish(int stream) {
        bring(stream);
        EventHeap heap = flows[stream];
        // The clock may miss the flow's end by a rounding; later flows are measured from its true end.
        virtual[stream] = heap.firstKey();
        int token = heap.pop();
        if (heap.size() == 0) {
            virtual[stream] = 0;
        }
        if (stream < routes.count()) {
            count[stream]--;
            shareLinks(stream);
        } else {
            shareDisk(stream);
        }
        return token;
    }

    private void beginFlow(int slot) {
        int route = slotRoute[slot];
        bring(route);
        flows[route].add(virtual[route] + slotBytes[slot], sequence++, slotToken[slot]);
        count[route]++;
        addFreeSlot(slot);
        shareLinks(route);
    }

    /** Brings a stream's virtual clock to the present. */
    private void bring(int stream) {
        virtual[stream] += rate[stream] * (now - since[stream]);
        since[stream] = now;
    }

    private void shareDisk(int stream) {
        int operations = flows[stream].size();
        setRate(stream, operations == 0 ? 0 : diskBandwidth[stream - routes.count()] / operations);
    }

    private void shareLinks(int changed) {
        shares.solve(count, share);
        for (int route = 0; route < count.length; route++) {
            double now = share[route] * NetworkRoutes.BANDWIDTH_FACTOR;
            if (now != rate[route] || route == changed) {
                bring(route);
                setRate(route, now);
            }
        }
    }

    private void setRate(int stream, double value) {
        rate[stream] = value;
        EventHeap heap = flows[stream];
        end[stream] = heap.size() == 0
                ? Double.POSITIVE_INFINITY
                : now + Math.max(0, heap.firstKey() - virtual[stream]) / value;
    }

    private int newSlot() {
        if (slots == slotRoute.length) {
            slotRoute = Arrays.copyOf(slotRoute, 2 * slots);
            slotToken = Arrays.copyOf(slotToken, 2 * slots);
            slotBytes = Arrays.copyOf(slotBytes, 2 * slots);
        }
        return slots++;
    }

    private void addFreeSlot(int slot) {
        if (free == freeSlots.length) {
            freeSlots = Arrays.copyOf(freeSlots, 2 * free);
        }
        freeSlots[free++] = slot;
    }

    /** Takes over all of another kernel of the same platform. */
    void copy(Kernel other) {
        now = other.now;
        sequence = other.sequence;
        timers.copy(other.timers);
        delays.copy(other.delays);
        for (int stream = 0; stream < streams; stream++) {
            flows[stream].copy(other.flows[stream]);
        }
        System.arraycopy(other.count, 0, count, 0, count.length);
        System.arraycopy(other.virtual, 0, virtual, 0, streams);
        System.arraycopy(other.rate, 0, rate, 0, streams);
        System.arraycopy(other.since, 0, since, 0, streams);
        System.arraycopy(other.end, 0, end, 0, streams);
        slots = other.slots;
        free = other.free;
        slotRoute = Arrays.copyOf(other.slotRoute, other.slotRoute.length);
        slotToken = Arrays.copyOf(other.slotToken, other.slotToken.length);
        slotBytes = Arrays.copyOf(other.slotBytes, other.slotBytes.length);
        freeSlots = Arrays.copyOf(other.freeSlots, other.freeSlots.length);
    }
}
