package io.sheaf.agent;

import static io.sheaf.agent.Jobs.attempt;
import static io.sheaf.agent.Jobs.script;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a task runs on the cores that its agent allocated to it, and on no other. */
@Timeout(1200)
class AffinityIT {
    private static final String ALLOWED = "sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status";

    @TempDir
    Path run = Path.of("");

    @TempDir
    Path folder = Path.of("");

    @Test
    void concurrentTasksUseDisjointCores() throws IOException, InterruptedException {
        List<Integer> allowedCores = allowed(Path.of("/proc/self/status"));
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "no taskset, so tasks are not bound to cores");
        assumeTrue(allowedCores.size() >= 2, "this process may use one core only, so there is nothing to choose from");
        int cores = allowedCores.size();
        TestNode node = TestNode.connect(run, new AgentSettings("r" + run, cores, 0, List.of(), 0, 500, true, ""));
        try {
            // The two tasks run concurrently: each waits for the other's file.
            node.send(script(folder, 1, Needs.cores(1), waitingFor("one", "others")));
            node.send(script(folder, 2, Needs.cores(cores - 1), waitingFor("others", "one")));
            assertThat(node.manager().ended(attempt(1)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
            assertThat(node.manager().ended(attempt(2)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
            List<Integer> one = Affinity.parse(coresOf("one"));
            List<Integer> others = Affinity.parse(coresOf("others"));
            assertThat(one).hasSize(1);
            assertThat(others).hasSize(cores - 1).doesNotContainAnyElementsOf(one);
            List<Integer> all = new ArrayList<>(one);
            all.addAll(others);
            assertThat(all).containsExactlyInAnyOrderElementsOf(allowedCores);
            // A task that has the whole node is not bound.
            node.run(script(folder, 3, Needs.cores(cores), ALLOWED + " > whole"));
            assertThat(Affinity.parse(coresOf("whole"))).isEqualTo(allowedCores);
        } finally {
            node.close();
        }
    }

    /** Two tasks of half a core share a core; a task of a whole core runs on another one. */
    @Test
    void tasksThatShareACoreRunOnThatCore() throws IOException, InterruptedException {
        List<Integer> allowedCores = allowed(Path.of("/proc/self/status"));
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "no taskset, so tasks are not bound to cores");
        assumeTrue(allowedCores.size() >= 2, "this process may use one core only, so there is nothing to choose from");
        TestNode node = TestNode.connect(run, new AgentSettings("r" + run, 2, 0, List.of(), 0, 500, true, ""));
        try {
            Needs half = new Needs(1, 0, 0, 0, List.of(), 500, 0);
            node.send(script(folder, 1, half, waitingFor("half", "whole")));
            node.send(script(folder, 2, half, waitingFor("other", "half")));
            node.send(script(folder, 3, Needs.cores(1), waitingFor("whole", "other")));
            for (int task = 1; task <= 3; task++) {
                assertThat(node.manager().ended(attempt(task)).outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
            }
            assertThat(Affinity.parse(coresOf("half"))).hasSize(1).isEqualTo(Affinity.parse(coresOf("other")));
            assertThat(Affinity.parse(coresOf("whole")))
                    .hasSize(1)
                    .doesNotContainAnyElementsOf(Affinity.parse(coresOf("half")));
        } finally {
            node.close();
        }
    }

    private static String waitingFor(String own, String other) {
        return ALLOWED + " > " + own + ".part && mv " + own + ".part " + own + " && for i in $(seq 400); do [ -e "
                + other + " ] && exit 0; sleep 0.05; done; exit 1";
    }

    private String coresOf(String file) throws IOException {
        return Files.readString(folder.resolve(file)).strip();
    }

    private static List<Integer> allowed(Path status) throws IOException {
        for (String line : Files.readAllLines(status)) {
            if (line.startsWith("Cpus_allowed_list:")) {
                return Affinity.parse(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        return List.of();
    }
}
