package io.sheaf.agent;

import io.sheaf.agent.link.HostNames;
import io.sheaf.agent.link.LinkSettings;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The agent's program: {@code AgentMain RUN-FOLDER TOKEN NODE}. Its settings are in its folder below the run's. */
public final class AgentMain {
    private static final int USAGE = 2;
    private static final int BAD_INPUT = 3;
    /** The last Java on which processes are started by vfork without complaint; it saves one exec for each. */
    private static final int LAST_WITH_VFORK = 21;

    private static final int HOOK_SPARE_MILLIS = 5_000;

    private AgentMain() {}

    public static void main(String[] args) throws InterruptedException {
        AgentId id = args.length == 3 ? AgentId.parse(args[1] + "." + args[2]) : null;
        if (id == null) {
            System.err.println("usage: AgentMain RUN-FOLDER TOKEN NODE");
            System.exit(USAGE);
            return;
        }
        if (Runtime.version().feature() <= LAST_WITH_VFORK) {
            System.setProperty("jdk.lang.Process.launchMechanism", "VFORK");
        }
        AgentLog log = new AgentLog(System.err);
        log.write("agent " + id + " on " + HostNames.own() + ", process "
                + ProcessHandle.current().pid());
        try {
            RunFolder run = new RunFolder(Path.of(args[0]));
            run(new Agent(run, id, AgentSettings.read(run.agent(id)), LinkSettings.usual(), log), log);
        } catch (IOException e) {
            log.write("cannot start: " + e.getMessage());
            System.exit(BAD_INPUT);
        }
    }

    /** Runs the agent; on a signal it warns its tasks and reports them. */
    private static void run(Agent agent, AgentLog log) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(
                () -> {
                    if (ended.getCount() > 0) {
                        await(ended, agent.stopSoon("a signal ended the agent"), log);
                    }
                },
                "signal");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            agent.run();
        } finally {
            ended.countDown();
        }
    }

    private static void await(CountDownLatch ended, long millis, AgentLog log) {
        try {
            if (!ended.await(millis + HOOK_SPARE_MILLIS, TimeUnit.MILLISECONDS)) {
                log.write("tasks did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
