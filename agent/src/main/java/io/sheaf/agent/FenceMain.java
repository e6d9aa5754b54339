package io.sheaf.agent;

import io.sheaf.agent.protocol.AgentId;

/** Kills the processes that an agent has left running: {@code FenceMain RUN TOKEN NODE}, on the node of that agent. */
public final class FenceMain {
    private static final int USAGE = 2;
    private static final int POLL_MILLIS = 50;

    private FenceMain() {}

    public static void main(String[] args) throws InterruptedException {
        AgentId id = args.length == 3 ? AgentId.parse(args[1] + "." + args[2]) : null;
        if (id == null) {
            System.err.println("usage: FenceMain RUN TOKEN NODE");
            System.exit(USAGE);
            return;
        }
        Fence fence = new Fence(args[0]);
        // Twice clear: a process that starts another and ends while the list is read may be missed together with it.
        for (int clear = 0; clear < 2; clear = fence.isClear(id) ? clear + 1 : 0) {
            Thread.sleep(POLL_MILLIS);
        }
    }
}
