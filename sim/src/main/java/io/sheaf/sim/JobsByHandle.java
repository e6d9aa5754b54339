package io.sheaf.sim;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Maps handles of a simulated queue's scheduler to jobs of the log, by number, or to own jobs. */
final class JobsByHandle {
    static final int NONE = -1;
    static final int OWN = -2;

    private static final int FIRST_SIZE = 64;

    private int[] jobOf = new int[0];

    /** Own jobs by the tokens that they were submitted under. */
    private final Map<Long, Integer> ownHandles = new HashMap<>();

    int own;

    /** A job of the log, {@link #OWN} or {@link #NONE}. */
    int job(int handle) {
        return handle < jobOf.length ? jobOf[handle] : NONE;
    }

    /** The handle of an own job under a token; −1 if there is none. */
    int handle(long token) {
        return ownHandles.getOrDefault(token, -1);
    }

    /** Own jobs by the tokens that they were submitted under. */
    Map<Long, Integer> ownHandles() {
        return Collections.unmodifiableMap(ownHandles);
    }

    void enter(int handle, int job) {
        if (handle >= jobOf.length) {
            int length = jobOf.length;
            jobOf = Arrays.copyOf(jobOf, Math.max(FIRST_SIZE, 2 * handle));
            Arrays.fill(jobOf, length, jobOf.length, NONE);
        }
        jobOf[handle] = job;
    }

    void enterOwn(int handle) {
        enter(handle, OWN);
        own++;
    }

    /** Records the token of an own job. */
    void name(long token, int handle) {
        ownHandles.put(token, handle);
    }

    void leave(int handle) {
        jobOf[handle] = NONE;
    }

    void leaveOwn(int handle) {
        leave(handle);
        ownHandles.values().remove(handle);
        own--;
    }

    void checkOwn(int handle) {
        if (handle < 0 || job(handle) != OWN) {
            throw new IllegalArgumentException("handle " + handle + " is not that of an own job");
        }
    }

    /** Makes another an independent copy with {@code live} handles; allocates nothing once it has grown. */
    void copyInto(JobsByHandle scratch, int live) {
        if (scratch.jobOf.length < live) {
            scratch.jobOf = new int[live];
        }
        int copied = Math.min(live, jobOf.length);
        System.arraycopy(jobOf, 0, scratch.jobOf, 0, copied);
        Arrays.fill(scratch.jobOf, copied, scratch.jobOf.length, NONE);
        scratch.ownHandles.clear();
        scratch.ownHandles.putAll(ownHandles);
        scratch.own = own;
    }
}
