package io.sheaf.bench;

import io.sheaf.agent.AgentSettings;
import io.sheaf.agent.Launch;
import io.sheaf.agent.Trees;
import io.sheaf.agent.link.AgentServer;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Message.Ack;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Message.Stop;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How fast do agents run tasks that do nothing, each a process with two logs, compared with xargs? And how fast does an agent start, and how
 * much memory does it need? Arguments: tasks, rounds, and a folder for the jar and archive of the agent.
 */
public final class HowFastAreShortTasks implements AgentServer.Listener {
    private static final int AGENTS = 4;
    /** Tasks sent to an agent ahead: one runs, the rest waits. */
    private static final int AHEAD = 16;

    private final int tasks;
    private final RunFolder run;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final CountDownLatch connectedAgents = new CountDownLatch(AGENTS);
    private final CountDownLatch ended;
    private AgentServer server;

    private HowFastAreShortTasks(int tasks, RunFolder run) {
        this.tasks = tasks;
        this.run = run;
        ended = new CountDownLatch(tasks);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int tasks = Integer.parseInt(args[0]);
        int rounds = Integer.parseInt(args[1]);
        Path agentFiles = Path.of(args[2]);
        Launch launch = Launch.from(agentFiles);
        long began = System.nanoTime();
        boolean archive = launch.makeArchive();
        Measure.print("archive of the agent's classes %s in %.1f s", archive, Measure.seconds(began));
        alone(launch);
        for (int i = 0; i < rounds; i++) {
            double processor = Measure.childrensSeconds();
            double xargs = xargs(tasks);
            double theirProcessor = Measure.childrensSeconds() - processor;
            double agents = agents(launch, tasks);
            double ourProcessor = Measure.childrensSeconds() - processor - theirProcessor;
            Measure.print(
                    "%d tasks: xargs -P %d %.2f s (processor %.2f s), %d agents %.2f s (%.2f s), ratio %.2f (%.2f)",
                    tasks,
                    AGENTS,
                    xargs,
                    theirProcessor,
                    AGENTS,
                    agents,
                    ourProcessor,
                    agents / xargs,
                    ourProcessor / theirProcessor);
        }
    }

    /** The start-up time and memory of an idle agent. */
    private static void alone(Launch launch) throws IOException, InterruptedException {
        for (int i = 0; i < 3; i++) {
            HowFastAreShortTasks manager = open(1);
            try {
                AgentId agent = new AgentId(1, 0);
                long began = System.nanoTime();
                Process process = launch.start(manager.run, agent, AgentSettings.cores("bench", 1));
                while (manager.connectedAgents.getCount() == AGENTS) {
                    Thread.sleep(1);
                }
                double connected = Measure.seconds(began);
                double processor =
                        process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
                manager.ended.await(10, TimeUnit.SECONDS);
                Thread.sleep(500);
                String log = Files.readString(manager.run.agent(agent).resolve("agent.log"));
                String resident = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS"))
                        .findFirst()
                        .orElse("");
                Measure.print(
                        "an agent alone: connected after %.2f s (%.2f s of processor), %s s after main; %s",
                        connected,
                        processor,
                        log.lines()
                                .filter(line -> line.contains("connected by"))
                                .findFirst()
                                .orElse("?")
                                .split(" ")[0],
                        resident.replaceAll("\\s+", " "));
                manager.server.send(agent, new Stop(0, "measured"));
                process.waitFor(10, TimeUnit.SECONDS);
                process.destroyForcibly();
            } finally {
                manager.close();
            }
        }
    }

    private static double xargs(int tasks) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("xargs");
        try {
            long began = System.nanoTime();
            Measure.xargs(folder, tasks, AGENTS, "true").start().waitFor();
            return Measure.seconds(began);
        } finally {
            Trees.delete(folder);
        }
    }

    private static double agents(Launch launch, int tasks) throws IOException, InterruptedException {
        HowFastAreShortTasks manager = open(tasks);
        List<Process> processes = new ArrayList<>();
        try {
            long began = System.nanoTime();
            for (int i = 0; i < AGENTS; i++) {
                processes.add(launch.start(manager.run, new AgentId(1, i), AgentSettings.cores("bench", 1)));
            }
            if (!manager.ended.await(10, TimeUnit.MINUTES) || manager.failed.get() > 0) {
                throw new IllegalStateException(
                        manager.ended.getCount() + " tasks not ended, " + manager.failed + " failed");
            }
            double seconds = Measure.seconds(began);
            for (int i = 0; i < AGENTS; i++) {
                manager.server.send(new AgentId(1, i), new Stop(0, "measured"));
            }
            for (Process process : processes) {
                process.waitFor(10, TimeUnit.SECONDS);
            }
            return seconds;
        } finally {
            processes.forEach(Process::destroyForcibly);
            manager.close();
        }
    }

    private static HowFastAreShortTasks open(int tasks) throws IOException {
        RunFolder run = new RunFolder(Files.createTempDirectory("agents"));
        Files.createDirectory(run.path().resolve("logs"));
        Credentials.create(run.credentials());
        HowFastAreShortTasks manager = new HowFastAreShortTasks(tasks, run);
        manager.server = AgentServer.open(run, 1, ServerSettings.loopback(), manager);
        manager.server.announce();
        return manager;
    }

    private void close() throws IOException {
        server.close();
        Trees.delete(run.path());
    }

    @Override
    public void connected(AgentId agent, Hello hello, String transport) {
        connectedAgents.countDown();
        for (int i = 0; i < AHEAD; i++) {
            sendNext(agent);
        }
    }

    private void sendNext(AgentId agent) {
        int task = next.getAndIncrement();
        if (task < tasks) {
            server.send(
                    agent,
                    new Start(
                            new AttemptId(task, 1),
                            Work.of("task-" + task, List.of("/bin/true")),
                            Needs.cores(1),
                            TaskFiles.none(
                                    run.path().toString(), "logs/" + task + ".1.out", "logs/" + task + ".1.err")));
        }
    }

    @Override
    public void received(AgentId agent, Message message) {
        if (message instanceof Ended end) {
            server.send(agent, new Ack(List.of(end.attempt())));
            sendNext(agent);
            if (end.outcome() != AttemptOutcome.SUCCEEDED) {
                failed.incrementAndGet();
            }
            ended.countDown();
        }
    }

    @Override
    public void disconnected(AgentId agent, String why) {}

    @Override
    public void trouble(String text) {
        System.err.println(text);
    }
}
