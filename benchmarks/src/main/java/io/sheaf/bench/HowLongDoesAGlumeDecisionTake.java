package io.sheaf.bench;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Workflow;
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
 * How long does GLUME take to decide on its first job, in front of a busy conservative queue of 100 jobs?
 *
 * <p>The workflows are those of {@link HowLongDoesAnAllocationTake}: 500 tasks on 128 nodes, and 100,000 tasks in 50 levels on 1,024.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx3g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class HowLongDoesAGlumeDecisionTake {
    @Param({"montage", "cybershake", "genome", "sipht", "layers", "forkjoin"})
    String shape = "";

    @Param({"own", "thesis"})
    String profile = "";

    private Workflow workflow = BenchWorkflows.named("montage");
    private Profile chosen = Profile.OWN;
    private RunTimes known = new RunTimes(workflow, chosen.planOrder(), 1);
    private StartEstimator estimator =
            new EngineEstimator(Queues.busy(Policy.conservative(), 8, 1, new RandomStream(1)));
    private int nodes = 8;
    private View atTheBeginning = beginning();

    @Setup
    public void make() {
        workflow = BenchWorkflows.named(shape);
        nodes = BenchWorkflows.nodes(shape);
        chosen = profile.equals("own") ? Profile.OWN : Profile.THESIS;
        known = new RunTimes(workflow, chosen.planOrder(), 1);
        estimator = new EngineEstimator(Queues.busy(Policy.conservative(), nodes, 100, new RandomStream(1)));
        atTheBeginning = beginning();
        decide(known);
    }

    /** Without memoized run times. */
    @Benchmark
    public Decision cold() {
        return decide(new RunTimes(workflow, chosen.planOrder(), 1));
    }

    /** With the run times of the previous decision memoized. */
    @Benchmark
    public Decision known() {
        return decide(known);
    }

    private Decision decide(RunTimes times) {
        return glume(times).decide(atTheBeginning, Memo.NONE, estimator, DecisionSink.NOTHING);
    }

    private Strategy glume(RunTimes times) {
        return Strategies.named("glume", times, chosen);
    }

    private View beginning() {
        return new Manager(
                workflow,
                chosen.runOrder()::ranks,
                glume(known),
                estimator,
                DecisionSink.NOTHING,
                nodes,
                16,
                Rules.DEFAULT);
    }
}
