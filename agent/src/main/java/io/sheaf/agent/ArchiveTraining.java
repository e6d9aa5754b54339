package io.sheaf.agent;

import io.sheaf.agent.link.AgentServer;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.LinkSettings;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
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
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs an agent with one task and a manager in this process, to record its classes for the class-data archive. */
final class ArchiveTraining implements AgentServer.Listener {
    private static final AgentId AGENT = new AgentId(1, 0);

    private final Path folder;
    private final CompletableFuture<AgentServer> server = new CompletableFuture<>();

    private ArchiveTraining(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        RunFolder run = new RunFolder(Path.of(args[0]));
        Credentials.create(run.credentials());
        AgentSettings.cores("warm-up", 1).write(run.agent(AGENT));
        ArchiveTraining manager = new ArchiveTraining(run.path());
        try (AgentServer server = AgentServer.open(run, 1, ServerSettings.loopback(), manager)) {
            manager.server.complete(server);
            server.announce();
            AgentSettings settings = AgentSettings.read(run.agent(AGENT));
            WarmUpTask.run(settings, AGENT.toString(), run.agent(AGENT));
            new Agent(run, AGENT, settings, LinkSettings.usual(), new AgentLog(System.err)).run();
        }
    }

    @Override
    public void connected(AgentId agent, Hello hello, String transport) {
        server.join()
                .send(
                        agent,
                        new Start(
                                new AttemptId(1, 1),
                                Work.of("warm-up", List.of("/bin/sh", "-c", "sleep 0.3")),
                                new Needs(1, 1L << 40, 0, 0, List.of()),
                                TaskFiles.none(folder.toString(), "out", "err")));
    }

    @Override
    public void received(AgentId agent, Message message) {
        if (message instanceof Ended ended) {
            server.join().send(agent, new Ack(List.of(ended.attempt())));
            server.join().send(agent, new Stop(0, "warm"));
        }
    }

    @Override
    public void disconnected(AgentId agent, String why) {
        trouble(why);
    }

    @Override
    public void trouble(String text) {
        System.err.println(text);
    }
}
