package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.formats.Source;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.manager.Manager;
import io.sheaf.manager.RunController;
import io.sheaf.strategy.PerWorkflow;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.testing.Shared;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests a program that submits each stage of tasks after the end of the previous one, on a busy cluster: if it states
 * the tasks that it expects, the run ends earlier, also if their numbers are wrong by a factor of two.
 */
@Tag("slow")
class ExpectedTasksTest {
    private static final long MINUTE = 60_000;
    private static final double HOUR = 60.0 * MINUTE;
    private static final int STARTS = Integer.getInteger("sheaf.test.starts", 8);
    private static final int[][] COUNTS = {{24, 24, 12, 1}, {48, 48, 24, 1}, {10, 40, 40, 5}};
    private static final int[][] MINUTES = {{20, 40, 30, 20}, {10, 30, 20, 10}, {60, 90, 60, 30}};

    @ParameterizedTest
    @CsvSource({"KTH-SP2-1996-2.1-cln,100", "SDSC-SP2-1998-4.2-cln,128", "NASA-iPSC-1993-3.1-cln,128"})
    void expectedTasksMakeARunEndEarlier(String name, int nodes) {
        JobLog log = TraceRules.forNodes(nodes)
                .apply(SwfReader.strict().read(Source.of(Shared.path("data/workloads/" + name + ".swf.gz"))))
                .jobs();
        double[] factors = {0, 1, 0.5, 2};
        double[] hours = new double[factors.length];
        SimulatedQueue queue = new SimulatedQueue(log, Policy.easy(), nodes);
        long first = log.submit(0);
        long last = log.submit(log.size() - 1);
        for (int start = 0; start < STARTS; start++) {
            queue.advanceTo(first + (long) ((last - first) * 0.6 * (start + 0.5) / STARTS));
            for (int shape = 0; shape < COUNTS.length; shape++) {
                for (int i = 0; i < factors.length; i++) {
                    hours[i] += new Program(queue.fork(), COUNTS[shape], MINUTES[shape], factors[i]).simulate() / HOUR;
                }
            }
        }
        for (int i = 1; i < factors.length; i++) {
            assertThat(hours[i]).as(factors[i] + " of the tasks expected").isLessThan(0.97 * hours[0]);
        }
    }

    /** The run of a program that submits stage by stage. */
    private static final class Program implements RunController {
        private final int[] counts;
        private final int[] minutes;
        private final double factor;
        private final List<Addition> later = new ArrayList<>();
        private final Workflow all;
        private final SimulatedQueue queue;
        private final SimulationSetup setup;
        private final Manager manager;
        private int stage = -1;
        private long end;

        /** The numbers of expected tasks are multiplied by the factor; 0: none are stated. */
        Program(SimulatedQueue queue, int[] counts, int[] minutes, double factor) {
            this.queue = queue;
            this.counts = counts;
            this.minutes = minutes;
            this.factor = factor;
            Workflow first = stage(0);
            Workflow whole = first;
            for (int k = 1; k < counts.length; k++) {
                Addition next = Addition.of(new Origin("w" + k, "", 0, ""), stage(k));
                for (int parent = whole.size() - counts[k - 1]; parent < whole.size(); parent++) {
                    for (int child = 0; child < counts[k]; child++) {
                        next = next.after(parent, child);
                    }
                }
                later.add(next);
                whole = whole.plus(next);
            }
            all = whole;
            setup = SimulationSetup.of(Profile.OWN, Resources.node(1), 16)
                    .taking(TaskTimes.spread(0.3, 7))
                    .recording(true)
                    .rules(rules -> rules.keepGoing(true).hold(5 * MINUTE));
            manager = WorkflowSimulation.manager(
                    queue,
                    first,
                    PerWorkflow.of(
                            first,
                            w -> Strategies.named("auto", new RunTimes(w, Profile.OWN.planOrder(), 1), Profile.OWN)),
                    setup,
                    DecisionSink.NOTHING);
        }

        private Workflow stage(int k) {
            WorkflowBuilder builder = new WorkflowBuilder("stage" + k);
            for (int i = 0; i < counts[k]; i++) {
                builder.time(builder.task("s" + k + "-" + i), minutes[k] * MINUTE * 1_000);
            }
            return builder.build();
        }

        /** The makespan in milliseconds. */
        long simulate() {
            long start = queue.now();
            new WorkflowSimulation(queue, start, all, setup, this).simulate();
            return end - start;
        }

        private List<ExpectedTasks> expected() {
            List<ExpectedTasks> stages = new ArrayList<>();
            for (int k = stage + 1; k < counts.length && factor > 0; k++) {
                stages.add(
                        new ExpectedTasks((int) Math.max(1, Math.round(counts[k] * factor)), minutes[k] * MINUTE, 1));
            }
            return stages;
        }

        @Override
        public void on(Event event, Effects out) {
            manager.on(event, out);
            end = event instanceof Event.TaskEnded ? event.at() : end;
        }

        @Override
        public @Nullable Decision settle(long at, Effects out) {
            if (stage < 0) {
                stage = 0;
                on(new Event.Opened(at), out);
                on(new Event.Awaited(at, true, expected()), out);
            }
            if (manager.isDone() && stage < counts.length) {
                stage++;
                on(new Event.Awaited(at, stage < counts.length, expected()), out);
                on(stage < counts.length ? new Event.Grown(at, later.get(stage - 1)) : new Event.Closed(at), out);
            }
            return manager.settle(at, out);
        }

        @Override
        public boolean isFinished() {
            return manager.isFinished();
        }

        @Override
        public @Nullable String paused() {
            return manager.paused();
        }
    }
}
