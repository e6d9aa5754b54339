package io.sheaf.sim;

import io.sheaf.workflow.BinarySearch;
import java.util.Arrays;

/**
 * The jobs of a log as immutable columns, ordered by submission: what a replay needs to know, and nothing else.
 *
 * <p>Times are milliseconds; {@code submit} counts from the log's own origin. A run time larger than the request means that
 * the job is killed at its walltime. Jobs submitted at the same instant keep the order in which they were added.
 */
public final class JobLog {
    /** The patience of a job that waits as long as it takes. */
    public static final long PATIENT = Long.MAX_VALUE;

    private final long[] submit;
    private final long[] run;
    private final long[] requested;
    private final int[] nodes;
    private final int[] user;
    private final int[] id;
    private final long[] patience;
    /** Empty if no job has memory. */
    private final long[] memory;
    /** Empty if no job has an account. */
    private final int[] account;

    private JobLog(Builder b) {
        submit = Arrays.copyOf(b.submit, b.size);
        run = Arrays.copyOf(b.run, b.size);
        requested = Arrays.copyOf(b.requested, b.size);
        nodes = Arrays.copyOf(b.nodes, b.size);
        user = Arrays.copyOf(b.user, b.size);
        id = Arrays.copyOf(b.id, b.size);
        patience = Arrays.copyOf(b.patience, b.size);
        memory = b.memory.length == 0 ? b.memory : Arrays.copyOf(b.memory, b.size);
        account = b.account.length == 0 ? b.account : Arrays.copyOf(b.account, b.size);
    }

    public int size() {
        return submit.length;
    }

    /** Instant of submission. */
    public long submit(int job) {
        return submit[job];
    }

    /** How long the job really runs if nothing stops it; at least 0. */
    public long run(int job) {
        return run[job];
    }

    /** The requested walltime; at least 1 ms. */
    public long requested(int job) {
        return requested[job];
    }

    /** Nodes (or cores, where a cluster shares nodes); at least 1. */
    public int nodes(int job) {
        return nodes[job];
    }

    /** A small number for the owner; 0 if unknown. */
    public int user(int job) {
        return user[job];
    }

    /** The log's own number of the job. */
    public int id(int job) {
        return id[job];
    }

    /** How long after its submission the job is cancelled if it is still queued; {@link #PATIENT} if it never is. */
    public long patience(int job) {
        return patience[job];
    }

    /** The memory on each node (or core), in bytes; 0 if unknown. */
    public long memory(int job) {
        return memory.length == 0 ? 0 : memory[job];
    }

    /** A small number for the owner's account; 0 if unknown. */
    public int account(int job) {
        return account.length == 0 ? 0 : account[job];
    }

    /** The first job that is submitted at an instant or later; the number of all jobs if there is none. */
    int firstFrom(long instant) {
        return 1 + BinarySearch.last(-1, submit.length, job -> submit[job] < instant);
    }

    /** An account of no job; 0 if no account is known, so that all users are in one. */
    int otherAccount() {
        int other = 0;
        for (int each : account) {
            other = Math.max(other, each + 1);
        }
        return other;
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects jobs in submission order; growing columns, one copy at the end. */
    public static final class Builder {
        private long[] submit = new long[64];
        private long[] run = new long[64];
        private long[] requested = new long[64];
        private int[] nodes = new int[64];
        private int[] user = new int[64];
        private int[] id = new int[64];
        private long[] patience = new long[64];
        private long[] memory = {};
        private int[] account = {};
        private int size;

        private Builder() {}

        /** Appends a job that waits as long as it takes. */
        public Builder add(int jobId, long submitMs, long runMs, long requestedMs, int nodeCount, int userId) {
            return add(jobId, submitMs, runMs, requestedMs, nodeCount, userId, PATIENT);
        }

        /** Appends a job. Refuses one that no batch system would accept, or that was submitted before the last one. */
        public Builder add(
                int jobId, long submitMs, long runMs, long requestedMs, int nodeCount, int userId, long patienceMs) {
            if (size > 0 && submitMs < submit[size - 1]) {
                throw new IllegalArgumentException("job " + jobId + " submitted at " + submitMs
                        + " ms follows one submitted at " + submit[size - 1] + " ms; sort the jobs by submission");
            }
            if (runMs < 0 || requestedMs < 1 || nodeCount < 1 || userId < 0 || patienceMs < 0) {
                throw new IllegalArgumentException("job " + jobId + ": run " + runMs + " ms, requested " + requestedMs
                        + " ms, nodes " + nodeCount + ", user " + userId + " cannot be replayed");
            }
            if (size == submit.length) {
                grow();
            }
            submit[size] = submitMs;
            run[size] = runMs;
            requested[size] = requestedMs;
            nodes[size] = nodeCount;
            user[size] = userId;
            id[size] = jobId;
            patience[size] = patienceMs;
            size++;
            return this;
        }

        /** Appends a job with the request and the owner of a job of a log, which waits as long as it takes. */
        Builder addLike(JobLog log, int job, long submitMs, long runMs) {
            return add(0, submitMs, runMs, log.requested(job), log.nodes(job), log.user(job))
                    .memory(log.memory(job))
                    .account(log.account(job));
        }

        /** Sets the memory of the last job on each node, in bytes. */
        public Builder memory(long perNode) {
            if (perNode > 0) {
                memory = memory.length < submit.length ? Arrays.copyOf(memory, submit.length) : memory;
                memory[size - 1] = perNode;
            }
            return this;
        }

        /** Sets the account of the last job's owner. */
        public Builder account(int number) {
            if (number > 0) {
                account = account.length < submit.length ? Arrays.copyOf(account, submit.length) : account;
                account[size - 1] = number;
            }
            return this;
        }

        public int size() {
            return size;
        }

        public JobLog build() {
            return new JobLog(this);
        }

        private void grow() {
            int capacity = size * 2;
            submit = Arrays.copyOf(submit, capacity);
            run = Arrays.copyOf(run, capacity);
            requested = Arrays.copyOf(requested, capacity);
            nodes = Arrays.copyOf(nodes, capacity);
            user = Arrays.copyOf(user, capacity);
            id = Arrays.copyOf(id, capacity);
            patience = Arrays.copyOf(patience, capacity);
        }
    }
}
