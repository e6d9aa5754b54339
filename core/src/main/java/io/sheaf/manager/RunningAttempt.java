package io.sheaf.manager;

import java.util.Arrays;
import java.util.List;

/** A running attempt: where it runs, so that its cores come back. */
final class RunningAttempt {
    final PilotJob in;
    final int number;
    final int[] nodes;
    /** Which of its node's {@link SharedCores} it has a part of. */
    final int core;

    final long startedAt;
    /** Whether it is expected to end so soon that another one may wait behind it. */
    final boolean brief;
    /** Whether it waits for a core, which it does not have yet. */
    boolean ahead;
    /** Whether it waited for too long and was told to end. */
    boolean recalled;

    RunningAttempt(PilotJob in, int number, int[] nodes, int core, long startedAt, boolean brief) {
        this.in = in;
        this.number = number;
        this.nodes = nodes;
        this.core = core;
        this.startedAt = startedAt;
        this.brief = brief;
    }

    Checkpoint.Running checkpoint(int task) {
        List<Integer> on = Arrays.stream(nodes).boxed().toList();
        return new Checkpoint.Running(task, number, in.token, on, core, startedAt, ahead, recalled);
    }

    /** The same in a copy of its pilot job. */
    RunningAttempt fork(PilotJob copy) {
        RunningAttempt fork = new RunningAttempt(copy, number, nodes, core, startedAt, brief);
        fork.ahead = ahead;
        fork.recalled = recalled;
        return fork;
    }

    boolean isOn(int node) {
        for (int one : nodes) {
            if (one == node) {
                return true;
            }
        }
        return false;
    }
}
