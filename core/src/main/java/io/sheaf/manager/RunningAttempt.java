package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import java.util.Arrays;
import java.util.List;

/** A running attempt and its allocated cores. */
final class RunningAttempt {
    final PilotJob in;
    final int number;
    final int[] nodes;
    /** The shared core of its node that it uses ({@link SharedCores}). */
    final int core;

    final long startedAt;
    /** Whether it is expected to be so short that another task may wait behind it. */
    final boolean brief;
    /** What it has been allocated on each node. */
    final Resources needs;
    /** Whether it waits for a core. */
    boolean ahead;
    /** Whether the manager stopped it because it waited too long. */
    boolean recalled;

    RunningAttempt(PilotJob in, int number, int[] nodes, int core, long startedAt, boolean brief, Resources needs) {
        this.needs = needs;
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

    /** The same attempt in a copy of its pilot job. */
    RunningAttempt fork(PilotJob copy) {
        RunningAttempt fork = new RunningAttempt(copy, number, nodes, core, startedAt, brief, needs);
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
