package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.TaskFiles;
import io.sheaf.agent.protocol.Work;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.FileStaging;
import io.sheaf.runtime.spec.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class StagedAgentsTest {
    private static final AgentId AGENT = new AgentId(1, 0);

    @TempDir
    Path folder = Path.of("");

    /** An agent that receives nothing. */
    private static final class NoAgents implements Agents {
        @Override
        public void send(AgentId agent, Message.ToAgent message) {
            throw new AssertionError(message);
        }

        @Override
        public boolean isConnected(AgentId agent) {
            return true;
        }

        @Override
        public void flush() {}

        @Override
        public List<Message.Ended> storedResults(AgentId agent, List<Message.Start> open) {
            return List.of();
        }

        @Override
        public void forget(AgentId agent) {}
    }

    private RunFolder run() {
        return new RunFolder(folder.resolve("run"));
    }

    private FileStaging files(FileStaging.Commands transfers) throws IOException {
        Site.Staging site = new Site.Staging("/site", List.of("cp"), List.of("cp"), "", "");
        return new FileStaging(site, run(), folder, folder, transfers, words -> {}, 1_000);
    }

    private Message.Start start(String input) {
        TaskFiles its = new TaskFiles(folder.toString(), false, List.of(input), List.of(), "out", "err", 0);
        return new Message.Start(new AttemptId(3, 1), Work.of("task", List.of("true")), Needs.cores(1), its);
    }

    /** The event loop waits for these results. */
    @Test
    @Timeout(20)
    void resultsOfALostAgentAreNotAwaitedForeverIfTheSiteHangs() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        FileStaging.Commands hanging = words -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
        };
        try (FileStaging files = files(hanging)) {
            StagedAgents agents = new StagedAgents(new NoAgents(), run(), new EventQueue(), 100);
            agents.at(token -> files);
            assertThat(agents.storedResults(AGENT, List.of(start("in")))).isEmpty();
            interrupted.await();
        }
    }

    /** Otherwise it would be neither running nor ended, and the run would wait for it. */
    @Test
    void anAttemptWithAnInvalidInputNameFails() throws Exception {
        EventQueue inbox = new EventQueue();
        try (FileStaging files = files(words -> {})) {
            StagedAgents agents = new StagedAgents(new NoAgents(), run(), inbox);
            agents.at(token -> files);
            agents.send(AGENT, start("a\0b"));
            inbox.take(10_000);
            agents.flush();
            assertThat(inbox.take(0)).singleElement().satisfies(message -> assertThat(message.message())
                    .isInstanceOfSatisfying(Message.Ended.class, ended -> {
                        assertThat(ended.attempt()).isEqualTo(new AttemptId(3, 1));
                        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.FAILED);
                        assertThat(ended.reason()).startsWith("its inputs could not be copied: ");
                    }));
        }
    }
}
