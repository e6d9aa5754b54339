package io.sheaf.lab;

import io.sheaf.manager.Considered;
import io.sheaf.predict.CorrectedEstimator;
import io.sheaf.predict.WaitFactors;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.EstimateHistory;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.DecimalText;
import java.util.ArrayList;
import java.util.List;

/** What estimates that were {@linkplain CorrectedEstimator corrected} do to the makespan of strategies that ask for waits. */
final class CorrectedEstimates implements Study {
    static final List<String> KEYS =
            List.of("title", "about", "study", "workflows", "clusters", "strategies", "starts", "quick");

    private static final int CAP = 16;
    private static final int DRAWS = 15;

    /** What strategies are told. */
    private enum Form {
        /** What the scheduler says. */
        SCHEDULER,
        /** That times what waits have been of it lately. */
        CORRECTED,
        /** The median over copies of the queue in which jobs end as they tend to. */
        SAMPLED;

        WorkflowSimulation.Estimates estimates(EstimateHistory history, long at) {
            return switch (this) {
                case SCHEDULER -> WorkflowSimulation.Estimates.AS_ASKED;
                case CORRECTED -> {
                    WaitFactors factors = history.factors(at);
                    yield (asked, queue) -> new CorrectedEstimator(asked, factors);
                }
                case SAMPLED -> history.sampled(at, DRAWS, 0);
            };
        }
    }

    private final List<StudyCluster> clusters;
    private final List<Subject> subjects = new ArrayList<>();
    private final List<String> strategies;
    private final Starts starts;

    private CorrectedEstimates(Section section, Inputs inputs) {
        clusters = StudyCluster.read(section, inputs);
        section.maps("workflows")
                .forEach(each -> subjects.addAll(
                        WorkflowEntry.read(each, section.problems()).subjects(inputs, 0)));
        strategies = section.each("strategies", List.of("glume"), CorrectedEstimates::strategy);
        starts = Starts.of(section);
    }

    static Study read(Section section, Inputs inputs) {
        return new CorrectedEstimates(section, inputs);
    }

    private static String strategy(String text) {
        String name = text.replace(" ", "");
        RunTimes times = new RunTimes(QueueExperiment.Probe.WORKFLOW, Profile.OWN.planOrder(), 1);
        Strategies.named(name, times, Profile.OWN);
        return name;
    }

    @Override
    public List<String> keys() {
        return List.of("cluster", "workflow", "strategy", "estimates");
    }

    @Override
    public List<String> measures() {
        return List.of("start", "makespan_hours", "wait_hours", "node_hours", "jobs", "completed");
    }

    @Override
    public int items() {
        return clusters.size();
    }

    @Override
    public List<List<String>> rows(int item) {
        StudyCluster cluster = clusters.get(item);
        JobLog jobs = cluster.jobs();
        long[] instants = starts.instants(0);
        long last = instants[instants.length - 1];
        EstimateHistory history = new EstimateHistory(jobs, cluster.policy(), cluster.nodes(), last);
        Checkpoints background = new Checkpoints(jobs, cluster.policy(), cluster.nodes(), instants, last);
        WorkflowSimulation.Setup told = new WorkflowSimulation.Setup(Profile.OWN, 1, CAP, TaskTimes.AS_EXPECTED, false);
        List<List<String>> rows = new ArrayList<>();
        for (Subject subject : subjects) {
            RunTimes times = new RunTimes(subject.workflow(), Profile.OWN.planOrder(), 1);
            for (String name : strategies) {
                for (int i = 0; i < instants.length; i++) {
                    for (Form form : Form.values()) {
                        SimulatedRun run = WorkflowSimulation.run(
                                background.fork(i),
                                instants[i],
                                subject.workflow(),
                                Strategies.named(name, times, Profile.OWN),
                                told.estimating(form.estimates(history, instants[i])),
                                Considered.NOTHING);
                        List<String> row =
                                new ArrayList<>(List.of(cluster.name(), subject.name(), name, Section.name(form)));
                        row.add(DecimalText.fixed(instants[i] / 1000.0, 0));
                        row.addAll(figures(run));
                        rows.add(row);
                    }
                }
            }
        }
        return rows;
    }

    private static List<String> figures(SimulatedRun run) {
        return List.of(
                run.completed() ? DecimalText.fixed(run.makespanMillis() / 3.6e6, 3) : "",
                DecimalText.fixed(run.perceivedWaitMillis() / 3.6e6, 3),
                DecimalText.fixed(run.heldNodeMillis() / 3.6e6, 1),
                Integer.toString(run.jobsSubmitted()),
                run.completed() ? "1" : "0");
    }
}
