package io.sheaf.app.simulate;

import io.sheaf.app.cli.ReadOptions;
import io.sheaf.manager.Rules;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.Faults;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TimesTaken;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a workflow is put through a simulated cluster: the same options for every command that does so. */
public final class RunOptions {

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "The workflow's format; by default told by ending and content.")
    @Nullable
    String format;

    @Option(
            names = "--cores-per-node",
            paramLabel = "C",
            defaultValue = "1",
            description = "Cores of a node (${DEFAULT-VALUE}).")
    public int coresPerNode;

    @Option(
            names = "--cap",
            paramLabel = "N",
            defaultValue = "16",
            description = "The most jobs of ours in the system at once (${DEFAULT-VALUE}).")
    public int cap;

    @Option(
            names = "--task-times",
            paramLabel = "HOW",
            defaultValue = "exact",
            description =
                    "How long tasks really take: exact (as expected), spread:S for random factors, lognormal of mean 1 with"
                            + " S as the deviation of the logarithm, drawn from --seed for each attempt, or wrong:S"
                            + " for each task, or wrong:S:SHARE:F with a share of them F times as long beside"
                            + " (${DEFAULT-VALUE}).")
    String taskTimes = "exact";

    @Option(
            names = "--faults",
            paramLabel = "WHICH",
            description =
                    "What goes wrong, by probability, drawn from --seed: e.g. task=0.05,node=0.01,late=0.3,delay=10m"
                            + " (task, job, node, refuse, silent, late, delay, twice).")
    @Nullable
    String faults;

    @Option(names = "--keep-going", description = "When a task has failed for good, run what does not depend on it.")
    boolean keepGoing;

    /** What is used in a wrong way, in a few words; null if nothing is. */
    @Nullable
    public String misuse() {
        return coresPerNode < 1 || cap < 1 ? "--cores-per-node and --cap: give 1 or more" : null;
    }

    /** Reads a workflow, which must have tasks. */
    public Workflow read(String file) {
        ReadOptions reading = new ReadOptions();
        reading.from = format;
        Workflow workflow = reading.read(file);
        if (workflow.size() == 0) {
            throw new InputException("a workflow without tasks has nothing to simulate").in(file);
        }
        return workflow;
    }

    public SimulationSetup setup(Conventions conventions, long seed) {
        Faults wrong = faults == null ? Faults.NONE : Faults.parse(faults, seed);
        TimesTaken taken = taken();
        return new SimulationSetup(
                conventions.profile(),
                coresPerNode,
                cap,
                taken.times(seed),
                false,
                wrong,
                taken.rules(Rules.DEFAULT.keepGoing(keepGoing)));
    }

    private TimesTaken taken() {
        try {
            return TimesTaken.of(taskTimes);
        } catch (InputException e) {
            throw new InputException("--task-times: " + e.getMessage());
        }
    }
}
