package io.sheaf.manager;

/**
 * How a manager deals with what goes wrong.
 *
 * @param keepGoing whether tasks that do not depend on a failed one are run all the same
 * @param sharedFiles whether all attempts of a task write to the same files: an attempt then destroys what an earlier one wrote
 * @param mostLosses how many attempts of a task may be cut off or lost without its fault before it counts as failed
 * @param callWithin how long a placeholder may run without any of its nodes coming up, in milliseconds
 */
public record Rules(boolean keepGoing, boolean sharedFiles, int mostLosses, long callWithin) {
    /** Ends at the first failure; files of attempts apart; 20 losses; ten minutes. */
    public static final Rules DEFAULT = new Rules(false, false, 20, 600_000);

    public Rules keepGoing(boolean wished) {
        return new Rules(wished, sharedFiles, mostLosses, callWithin);
    }

    public Rules sharedFiles(boolean shared) {
        return new Rules(keepGoing, shared, mostLosses, callWithin);
    }

    public Rules mostLosses(int most) {
        return new Rules(keepGoing, sharedFiles, most, callWithin);
    }
}
