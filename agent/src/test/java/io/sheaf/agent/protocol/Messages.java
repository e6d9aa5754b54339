package io.sheaf.agent.protocol;

import io.sheaf.agent.protocol.Message.Ack;
import io.sheaf.agent.protocol.Message.Bye;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Heartbeat;
import io.sheaf.agent.protocol.Message.Hello;
import io.sheaf.agent.protocol.Message.Kill;
import io.sheaf.agent.protocol.Message.Remaining;
import io.sheaf.agent.protocol.Message.Running;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Message.Stop;
import java.util.List;
import java.util.Map;

/** One message of every kind, with every component set to something. */
final class Messages {
    private Messages() {}

    static List<Message> all() {
        return List.of(
                new Hello(
                        new AgentId(17, 2),
                        "node-é",
                        4711,
                        8,
                        1L << 36,
                        2,
                        List.of(new AttemptId(3, 1), new AttemptId(9, 2)),
                        true),
                new Start(
                        new AttemptId(3, 1),
                        new Work(
                                "merge",
                                List.of("cat", "a b", ""),
                                List.of("module load x"),
                                List.of("apptainer", "exec", "image"),
                                Map.of("LC_ALL", "C")),
                        new Needs(4, 1L << 33, 1, 60_000, List.of("n1", "n2")),
                        new TaskFiles(
                                "/data",
                                true,
                                List.of("a", "b"),
                                List.of("c"),
                                "logs/3.1.out",
                                "logs/3.1.err",
                                60_000)),
                new Running(new AttemptId(3, 1), 4712, 1_000_000),
                new Ended(
                        new AttemptId(3, 1),
                        AttemptOutcome.FAILED,
                        127,
                        "no such program",
                        new Usage(1_000, 250, 1 << 20, 12, 1 << 30, 77),
                        List.of(new Output("c", 5, 1_200)),
                        List.of("line 1", "line 2")),
                new Ack(List.of(new AttemptId(3, 1))),
                new Kill(new AttemptId(3, 1)),
                new Stop(10_000, "released"),
                new Remaining(90_000),
                new Bye("walltime"),
                new Heartbeat());
    }
}
