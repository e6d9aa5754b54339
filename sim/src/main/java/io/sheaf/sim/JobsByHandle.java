package io.sheaf.sim;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** Whose job each handle of a simulated queue's scheduler is: one of the log's, by its number there, or one of our own. */
final class JobsByHandle {
    static final int NOBODY = -1;
    static final int OWN = -2;

    private static final int FIRST_SIZE = 64;

    private int[] jobOf = new int[0];

    /** Own jobs by the tokens that they were submitted under. */
    private final Map<Long, Integer> ownHandles = new HashMap<>();

    private int own;

    /** A job of the log, {@link #OWN} or {@link #NOBODY}. */
    int job(int handle) {
        return handle < jobOf.length ? jobOf[handle] : NOBODY;
    }

    /** How many are our own. */
    int own() {
        return own;
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
            Arrays.fill(jobOf, length, jobOf.length, NOBODY);
        }
        jobOf[handle] = job;
    }

    void enterOwn(int handle) {
        enter(handle, OWN);
        own++;
    }

    /** An own job was submitted under a token. */
    void name(long token, int handle) {
        ownHandles.put(token, handle);
    }

    void leave(int handle) {
        jobOf[handle] = NOBODY;
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

    /** Makes another an independent copy, without garbage once it has grown; so many handles are in use. */
    void copyInto(JobsByHandle scratch, int live) {
        if (scratch.jobOf.length < live) {
            scratch.jobOf = new int[live];
        }
        int told = Math.min(live, jobOf.length);
        System.arraycopy(jobOf, 0, scratch.jobOf, 0, told);
        Arrays.fill(scratch.jobOf, told, scratch.jobOf.length, NOBODY);
        scratch.ownHandles.clear();
        scratch.ownHandles.putAll(ownHandles);
        scratch.own = own;
    }
}
