package io.sheaf.agent.protocol;

import java.util.List;

/**
 * A message on the link between the manager and an agent.
 *
 * <p>Delivery is at least once in both directions, and messages are idempotent: an agent ignores a {@link Start} of an attempt that it has,
 * or a {@link Kill} of one that has ended. It repeats results after each reconnection until they are acknowledged.
 */
public sealed interface Message {

    /** A message from the manager. */
    sealed interface ToAgent extends Message {}

    /** A message from an agent. */
    sealed interface ToManager extends Message {}

    /**
     * An agent's greeting, the first message of every connection. Unacknowledged results follow as {@link Ended}.
     *
     * @param host name of the node
     * @param pid the agent's process
     * @param cores cores for tasks
     * @param memoryBytes memory of the node, 0 if unknown
     * @param gpus GPUs for tasks
     * @param known attempts that have not ended, including waiting ones, and those whose result is not acknowledged
     * @param stopping whether it accepts no more work
     */
    record Hello(
            AgentId agent,
            String host,
            long pid,
            int cores,
            long memoryBytes,
            int gpus,
            List<AttemptId> known,
            boolean stopping)
            implements ToManager {
        public Hello {
            known = List.copyOf(known);
        }
    }

    /** Run this attempt when its cores and GPUs are free, after earlier ones. */
    record Start(AttemptId attempt, Work work, Needs needs, TaskFiles files) implements ToAgent {
        /** The same on one of the node's shared cores. */
        public Start on(int sharedCore) {
            return new Start(attempt, work, needs.on(sharedCore), files);
        }
    }

    /** An attempt runs: its process id and its start on the node's wall clock. Sent once, not stored. */
    record Running(AttemptId attempt, long pid, long startMillis) implements ToManager {}

    /**
     * An attempt has ended.
     *
     * @param exitStatus of its process (128 + signal if a signal ended it), -1 if none was started
     * @param reason one line for users, empty for a success
     * @param lastLines of its standard error, empty for a success
     */
    record Ended(
            AttemptId attempt,
            AttemptOutcome outcome,
            int exitStatus,
            String reason,
            Usage usage,
            List<Output> outputs,
            List<String> lastLines)
            implements ToManager {
        public Ended {
            outputs = List.copyOf(outputs);
            lastLines = List.copyOf(lastLines);
        }
    }

    /** These results are durable at the manager; the agent may delete them. */
    record Ack(List<AttemptId> attempts) implements ToAgent {
        public Ack {
            attempts = List.copyOf(attempts);
        }
    }

    /** Kill an attempt, running or waiting; it ends as {@link AttemptOutcome#KILLED} (if it is not over by then). */
    record Kill(AttemptId attempt) implements ToAgent {}

    /** Stop: tasks are warned, killed after the grace period, and reported as {@link AttemptOutcome#CUT_OFF}; then the agent sends {@link Bye}. */
    record Stop(int graceMillis, String reason) implements ToAgent {}

    /** The pilot job's walltime ends after this number of milliseconds (it was shortened, or the agent did not have it). */
    record Remaining(long millis) implements ToAgent {}

    /** The agent ends now; nothing runs any more. */
    record Bye(String reason) implements ToManager {}

    /** The other side is still there. */
    record Heartbeat() implements ToAgent, ToManager {}
}
