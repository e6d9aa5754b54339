package io.sheaf.manager;

import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event at an instant of the batch system's clock, in milliseconds.
 *
 * <p>Events are delivered at least once, in any order and with any delay. {@link Manager} documents how it handles each order. Events are immutable
 * values that a journal can store.
 */
public sealed interface Event {
    long at();

    /** The batch system has the pilot job in its queue. */
    record Accepted(long at, long token) implements Event {}

    /** The batch system rejected the pilot job and will never run it. */
    record Refused(long at, long token, String reason) implements Event {}

    /** A limit of the batch system on the number of jobs is reached: it does not take the pilot job now. */
    record Limited(long at, long token) implements Event {}

    /**
     * The pilot job runs.
     *
     * @param nodesUp whether all its nodes accept tasks already; if not, a {@link NodeUp} follows for each
     */
    record Started(long at, long token, boolean nodesUp) implements Event {
        /** All nodes are up. */
        public Started(long at, long token) {
            this(at, token, true);
        }
    }

    /** The batch system granted a pilot job, which runs, part of the range of nodes and walltime that it allows. */
    record Granted(long at, long token, int units, long walltime) implements Event {}

    /**
     * A node of a pilot job accepts tasks from now on. Nodes are numbered from 0 within their pilot job.
     *
     * @param resources what the node has for tasks; null if it is as {@link Rules#node} describes it
     * @param host its name in the batch system; empty if unknown
     */
    record NodeUp(long at, long token, int node, @Nullable Resources resources, String host) implements Event {
        /** A node as {@link Rules#node} describes it, of unknown name. */
        public NodeUp(long at, long token, int node) {
            this(at, token, node, null, "");
        }
    }

    /** The agent of a node has not connected in time, or never will, although its pilot job has started. */
    record NodeSilent(long at, long token, String host) implements Event {}

    /** A node of a pilot job is lost permanently. No task runs on it any more. */
    record NodeLost(long at, long token, int node) implements Event {}

    /** The pilot job has ended. No task runs in it any more. */
    record Ended(long at, long token, End how) implements Event {}

    /**
     * An attempt of a task has ended.
     *
     * @param took its run time in milliseconds; −1 if it has just ended and ran since it was started. If no manager was running, the end is
     *     reported later
     */
    record TaskEnded(long at, long token, int task, int attempt, Outcome outcome, long took) implements Event {
        public static final long SINCE_START = -1;

        /** An attempt that has just ended. */
        public TaskEnded(long at, long token, int task, int attempt, Outcome outcome) {
            this(at, token, task, attempt, outcome, SINCE_START);
        }
    }

    /** The requested wake-up instant is reached. */
    record Woken(long at) implements Event {}

    /** The workflow has more tasks; those it had keep their numbers. */
    record Grown(long at, Addition added) implements Event {}

    /** Tasks may be added from now on: the run does not end when all tasks are final. */
    record Opened(long at) implements Event {}

    /** No more tasks are added: the run ends when all tasks are final. */
    record Closed(long at) implements Event {}

    /** The batch system of some node pools, from a number on, does not answer, or answers again. Until then jobs are submitted to the others. */
    record PoolsUnavailable(long at, int first, int count, boolean unavailable) implements Event {}

    /** Jobs of a node pool are now expected to be preempted after this mean time, in milliseconds. */
    record Preemptible(long at, int pool, long mean) implements Event {}

    /**
     * Files are now at a site that shares no file system with the manager.
     *
     * @param first the first pool of the site
     * @param count the number of its pools
     * @param files by their names in the workflow; empty for files that are no task's
     * @param bytes the size of each
     * @param micros how long it took to copy them together, {@link #WRITTEN} or {@link #KNOWN}
     */
    record Placed(long at, int first, int count, List<String> files, List<Long> bytes, long micros) implements Event {
        /** In place of a time: a task wrote them there. */
        public static final long WRITTEN = -1;

        /** In place of a time: they are there. */
        public static final long KNOWN = -2;

        public Placed {
            files = List.copyOf(files);
            bytes = List.copyOf(bytes);
        }

        /** The same files at a site of other pools. */
        public Placed in(int firstPool, int pools) {
            return new Placed(at, firstPool, pools, files, bytes, micros);
        }
    }

    /**
     * A tool that submits tasks one by one has started or ended, or other tasks are expected than before. While the tool runs, more tasks are expected
     * soon.
     *
     * @param expected what follows the tasks of the run, as far as it is known
     */
    record Awaited(long at, boolean more, List<ExpectedTasks> expected) implements Event {
        public Awaited {
            expected = List.copyOf(expected);
        }

        /** Nothing is known about the expected tasks. */
        public Awaited(long at, boolean more) {
            this(at, more, List.of());
        }
    }

    /** The user holds or resumes a range of tasks. Running attempts continue. */
    record Held(long at, int first, int count, boolean held) implements Event {}

    /** The user drops a range of tasks: the manager stops running attempts and skips dependent tasks. */
    record Dropped(long at, int first, int count) implements Event {}

    /** Attempts of a task up to this number had begun before a damaged journal was read; their numbers are not used again. */
    record Attempted(long at, int task, int attempt) implements Event {}

    /** The expected run times of tasks have changed. */
    record Retimed(long at, RunTimeUpdate times) implements Event {}

    /** Restores a checkpoint in a manager that has its tasks and no other state. */
    record Restored(long at, Checkpoint as) implements Event {}

    /** The user resumes a paused run. */
    record Resumed(long at) implements Event {}

    /** The user cancels the run. */
    record Cancelled(long at) implements Event {}

    /** How a pilot job ended. */
    enum End {
        /** The manager released it. */
        RELEASED,
        /** It reached its walltime. */
        EXPIRED,
        /** It was cancelled, by the manager or externally. */
        CANCELLED,
        /** Its script or its agents failed. */
        BROKEN,
        /** Unknown; its nodes may have failed. */
        LOST,
        /** The batch system took its nodes before its walltime, for another job. */
        PREEMPTED
    }

    /** How an attempt of a task ended. */
    enum Outcome {
        SUCCEEDED,
        /** The task failed: non-zero exit status, signal, or missing output. */
        FAILED,
        /** It exceeded its memory limit. */
        OUT_OF_MEMORY,
        /** The agent stopped it because the walltime of the pilot job was about to expire. */
        CUT_OFF,
        /** The manager stopped it. */
        STOPPED,
        /** One of its nodes failed. */
        NODE_LOST,
        /** It has ended with an unknown exit status. */
        UNKNOWN,
        /** It ran longer than its own time limit. */
        TIME_LIMIT,
        /** Its program was not found or is not executable. */
        NOT_RUNNABLE,
        /** The batch system ended its pilot job before the walltime. */
        PREEMPTED;

        /** Whether the task itself caused the failure. */
        public boolean isFailure() {
            return this == FAILED || isPermanent();
        }

        /** Whether the same attempt would fail again. */
        public boolean isPermanent() {
            return this == OUT_OF_MEMORY || this == TIME_LIMIT || this == NOT_RUNNABLE;
        }
    }
}
