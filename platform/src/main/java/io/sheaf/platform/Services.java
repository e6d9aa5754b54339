package io.sheaf.platform;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The services of the published simulator: each handles messages in the order in which they were sent.
 *
 * <p>A service waits for the oldest message even if a younger one has arrived. An empty message that is still in transit is handled
 * immediately when its turn comes. With n clusters, services 0 to n − 1 run tasks, the next n and one on the user's machine store files,
 * and the last receives ends of tasks.
 */
final class Services {
    private final Kernel kernel;
    private final int clusters;
    /** For each service, the message that it handles next and the one that was sent last; −1 if it has none. */
    private final int[] oldest;

    private final int[] youngest;

    private int[] service = new int[16];
    private int[] token = new int[16];
    private int[] younger = new int[16];
    private boolean[] empty = new boolean[16];
    private boolean[] arrived = new boolean[16];
    private boolean[] handled = new boolean[16];
    private int slots;
    /** The first of the slots that are free, linked by {@code younger}; −1 if none is. */
    private int free = -1;

    Services(Kernel kernel, int clusters) {
        this.kernel = kernel;
        this.clusters = clusters;
        oldest = new int[2 * clusters + 2];
        youngest = new int[2 * clusters + 2];
        Arrays.fill(oldest, -1);
    }

    int computing(int cluster) {
        return cluster;
    }

    /** The service that stores files at a place: a cluster or, after the last, the user's machine. */
    int storing(int place) {
        return clusters + place;
    }

    int receiving() {
        return 2 * clusters + 1;
    }

    /** Sends a message to a service, which gets the token when it handles it. */
    void send(int to, int route, double bytes, int content) {
        int slot = enqueue(to, bytes, content);
        kernel.send(route, bytes, EventToken.of(EventToken.ARRIVED, slot));
    }

    /** Sends an empty message from the service's own machine where that takes no time. */
    void sendAtOnce(int to, int content) {
        int slot = enqueue(to, 0, content);
        kernel.after(0, EventToken.of(EventToken.ARRIVED, slot));
    }

    private int enqueue(int to, double bytes, int content) {
        int slot = free >= 0 ? free : newSlot();
        if (slot == free) {
            free = younger[slot];
        }
        service[slot] = to;
        token[slot] = content;
        younger[slot] = -1;
        empty[slot] = bytes <= 0;
        arrived[slot] = false;
        handled[slot] = false;
        if (oldest[to] < 0) {
            oldest[to] = slot;
        } else {
            younger[youngest[to]] = slot;
        }
        youngest[to] = slot;
        return slot;
    }

    /** A message has arrived; its service handles what it now can. */
    void on(int slot, IntConsumer handler) {
        arrived[slot] = true;
        if (handled[slot]) {
            release(slot);
            return;
        }
        int at = service[slot];
        if (oldest[at] != slot) {
            return;
        }
        while (oldest[at] >= 0 && (arrived[oldest[at]] || (empty[oldest[at]] && oldest[at] != slot))) {
            int next = oldest[at];
            int content = token[next];
            oldest[at] = younger[next];
            handled[next] = true;
            if (arrived[next]) {
                release(next);
            }
            handler.accept(content);
        }
    }

    private void release(int slot) {
        younger[slot] = free;
        free = slot;
    }

    private int newSlot() {
        if (slots == service.length) {
            int length = 2 * slots;
            service = Arrays.copyOf(service, length);
            token = Arrays.copyOf(token, length);
            younger = Arrays.copyOf(younger, length);
            empty = Arrays.copyOf(empty, length);
            arrived = Arrays.copyOf(arrived, length);
            handled = Arrays.copyOf(handled, length);
        }
        return slots++;
    }

    void copy(Services other) {
        System.arraycopy(other.oldest, 0, oldest, 0, oldest.length);
        System.arraycopy(other.youngest, 0, youngest, 0, youngest.length);
        service = other.service.clone();
        token = other.token.clone();
        younger = other.younger.clone();
        empty = other.empty.clone();
        arrived = other.arrived.clone();
        handled = other.handled.clone();
        slots = other.slots;
        free = other.free;
    }
}
