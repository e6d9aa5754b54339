package io.sheaf.bench;

import io.sheaf.batch.Policy;
import io.sheaf.manager.DecisionSink;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long does one simulated run of a workflow of 250 tasks and 500 hours of work take, on the KTH log from day 10 on?
 *
 * <p>The background has been simulated up to the start; each run forks it. Run times are known from the run before. Cap 16, requested
 * walltimes, conservative backfilling, as the campaigns of the GLUME thesis have it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx1g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class HowLongDoesASimulatedRunTake {
    private static final long DAY = 86_400_000;
    private static final long WORK = 500 * 3_600_000_000L;

    @Param({"montage", "cybershake", "genome", "sipht"})
    String shape = "";

    @Param({"onejob", "onejobpertask", "levelbylevel", "zhang", "glume"})
    String strategy = "";

    private Workflow workflow = new WorkflowBuilder("none").build();
    private RunTimes times = new RunTimes(workflow, Profile.THESIS.planOrder(), 1);
    private SimulatedQueue background = new SimulatedQueue(JobLog.builder().build(), Policy.conservative(), 1);

    @Setup
    public void make() {
        workflow = Families.named(shape).generate(Recipe.of(250, WORK, 7));
        times = new RunTimes(workflow, Profile.THESIS.planOrder(), 1);
        background = new SimulatedQueue(Logs.KTH.read(), Policy.conservative(), Logs.KTH.nodes);
        background.advanceTo(background.next() + 10 * DAY);
        run();
    }

    @Benchmark
    public SimulatedRun run() {
        return WorkflowSimulation.run(
                background.fork(),
                workflow,
                Strategies.named(strategy, times, Profile.THESIS),
                SimulationSetup.of(Profile.THESIS, Resources.node(1), 16),
                DecisionSink.NOTHING);
    }
}
