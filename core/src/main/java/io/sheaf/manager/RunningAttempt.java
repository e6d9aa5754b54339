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

    /** The attempt in a checkpoint, where its task may have another number. */
    Checkpoint.Running checkpoint(int task, Resources declared) {
        List<Integer> nodeList = Arrays.stream(nodes).boxed().toList();
        int cores = isOn(declared) ? 0 : needs.cores();
        return new Checkpoint.Running(task, number, in.token, nodeList, core, startedAt, ahead, recalled, cores);
    }

    /** The same attempt in a copy of its pilot job. */
    RunningAttempt fork(PilotJob copy) {
        RunningAttempt fork = new RunningAttempt(copy, number, nodes, core, startedAt, brief, needs);
        fork.ahead = ahead;
        fork.recalled = recalled;
        return fork;
    }

    /** Whether it has the cores and nodes that its task declares. */
    boolean isOn(Resources declared) {
        return needs.cores() == declared.cores() && needs.nodes() == declared.nodes();
    }

    boolean isOn(int node) {
        for (int each : nodes) {
            if (each == node) {
                return true;
            }
        }
        return false;
    }
}
