package io.sheaf.agent.protocol;

import java.util.List;

/**
 * Something said over the link between the manager and an agent.
 *
 * <p>Both directions are at least once. What an agent knows already it does not do again: a {@link Start} of an attempt that it has, a
 * {@link Kill} of one that is over. What it has ended it says, and says again after each reconnection, until it is acknowledged.
 */
public sealed interface Message {

    /** What only the manager says. */
    sealed interface ToAgent extends Message {}

    /** What only an agent says. */
    sealed interface ToManager extends Message {}

    /**
     * An agent is here; the first thing it says on every connection. Results that are not acknowledged follow as {@link Ended}.
     *
     * @param host name of the node
     * @param pid the agent's process
     * @param cores cores that it hands out
     * @param memoryBytes memory of the node, 0 if unknown
     * @param gpus graphics processors that it hands out
     * @param known attempts that it has and that are not over, waiting ones included
     * @param stopping whether it takes no more work
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

    /** Run this as soon as its cores and graphics processors are free, after what was said before. */
    record Start(AttemptId attempt, Work work, Needs needs, TaskFiles files) implements ToAgent {
        /** The same on one of the node's shared cores. */
        public Start on(int sharedCore) {
            return new Start(attempt, work, needs.on(sharedCore), files);
        }
    }

    /** An attempt runs now: its process and when it started on the node's wall clock. Said once, not kept. */
    record Running(AttemptId attempt, long pid, long startMillis) implements ToManager {}

    /**
     * An attempt is over.
     *
     * @param exitStatus of its process (128 + signal if a signal ended it), -1 if none was started
     * @param reason one line for people, empty for a success
     * @param lastLines of its standard error, empty for a success
     */
    record Ended(
            AttemptId attempt,
            Outcome outcome,
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

    /** These results are durable at the manager; they need not be kept. */
    record Ack(List<AttemptId> attempts) implements ToAgent {
        public Ack {
            attempts = List.copyOf(attempts);
        }
    }

    /** Kill an attempt, running or waiting; it ends as {@link Outcome#KILLED} (if it is not over by then). */
    record Kill(AttemptId attempt) implements ToAgent {}

    /** End: tasks are warned, killed after the grace, and reported as {@link Outcome#CUT_OFF}; then the agent says {@link Bye}. */
    record Stop(int graceMillis, String reason) implements ToAgent {}

    /** The pilot job's walltime ends in so many milliseconds from now (it was shortened, or the agent could not know it). */
    record Remaining(long millis) implements ToAgent {}

    /** The agent ends now; nothing runs any more. */
    record Bye(String reason) implements ToManager {}

    /** The other side is still there. */
    record Heartbeat() implements ToAgent, ToManager {}
}
