package io.sheaf.lab.study;

import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Section;
import io.sheaf.lab.experiment.WorkflowEntry;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.lab.experiment.WorkflowStarts;
import io.sheaf.manager.DecisionSink;
import io.sheaf.predict.CorrectedEstimator;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.WaitFactors;
import io.sheaf.sim.EstimateHistory;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.DecimalText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The effect of {@linkplain CorrectedEstimator corrected} start-time estimates on the makespan. */
public final class CorrectedEstimates implements Study {
    private static final StudyColumns COLUMNS = new StudyColumns(
            List.of("cluster", "workflow", "strategy", "estimates"),
            List.of("start", "makespan_hours", "wait_hours", "node_hours", "jobs", "completed"));

    public static final ExperimentKind KIND = StudyExperiment.kind(
            "corrected-estimates",
            COLUMNS,
            CorrectedEstimates::new,
            "workflows",
            "clusters",
            "strategies",
            "estimates",
            "starts");

    /** A workflow to check strategy names with. */
    private static final Workflow PROBE = Families.named("chain").generate(Recipe.of(1, 1_000_000, 0));

    private static final int CAP = 16;
    private static final int DRAWS = 15;

    /** The estimates that strategies receive. */
    private enum Form {
        /** Estimates of the scheduler. */
        SCHEDULER,
        /** Estimates of the scheduler times the recent ratio of actual to estimated waits. */
        CORRECTED,
        /** The median over simulated futures of the queue. */
        SAMPLED,
        /** No estimates. */
        NONE;

        SimulationSetup.Estimates estimates(EstimateHistory history, long at) {
            return switch (this) {
                case SCHEDULER -> SimulationSetup.Estimates.UNCHANGED;
                case CORRECTED -> {
                    WaitFactors factors = history.factors(at);
                    yield (estimator, queue) -> new CorrectedEstimator(estimator, factors);
                }
                case SAMPLED -> history.sampled(at, DRAWS, 0);
                case NONE -> (estimator, queue) -> StartEstimator.UNINFORMED;
            };
        }
    }

    private final List<StudyCluster> clusters;
    private final List<WorkflowInstance> workflows = new ArrayList<>();
    private final List<String> strategies;
    private final List<Form> forms;
    private final long[] instants;
    private final Map<StudyCluster, EstimateHistory> histories = new HashMap<>();

    CorrectedEstimates(Section section, Inputs inputs) {
        clusters = StudyCluster.read(section, inputs);
        section.maps("workflows")
                .forEach(each -> workflows.addAll(
                        WorkflowEntry.read(each, section.problems()).instances(inputs, 0)));
        strategies = section.each("strategies", List.of("glume"), CorrectedEstimates::strategy);
        forms = section.each("estimates", List.of(Form.values()), Section.constant(Form.class));
        instants = WorkflowStarts.of(section).instants(0);
    }

    private static String strategy(String text) {
        String name = text.replace(" ", "");
        RunTimes times = new RunTimes(PROBE, Profile.OWN.planOrder(), 1);
        Strategies.named(name, times, Profile.OWN);
        return name;
    }

    @Override
    public int settings() {
        return clusters.size() * workflows.size();
    }

    /** A repetition is a start. */
    @Override
    public int repetitions() {
        return instants.length;
    }

    @Override
    public List<List<String>> rows(int setting, int start) {
        StudyCluster cluster = clusters.get(setting / workflows.size());
        WorkflowInstance instance = workflows.get(setting % workflows.size());
        RunTimes times = new RunTimes(instance.workflow(), Profile.OWN.planOrder(), 1);
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(1), CAP);
        List<List<String>> rows = new ArrayList<>();
        for (String name : strategies) {
            for (Form form : forms) {
                SimulatedRun run = WorkflowSimulation.run(
                        cluster.background(0, instants).fork(start),
                        instants[start],
                        instance.workflow(),
                        Strategies.named(name, times, Profile.OWN),
                        setup.estimating(form.estimates(history(cluster), instants[start])),
                        DecisionSink.NOTHING);
                List<String> row = new ArrayList<>(List.of(cluster.name(), instance.name(), name, Section.name(form)));
                row.add(DecimalText.fixed(instants[start] / 1000.0, 0));
                row.addAll(figures(run));
                rows.add(row);
            }
        }
        return rows;
    }

    /** The estimates and actual starts on a cluster, simulated once. */
    private synchronized EstimateHistory history(StudyCluster cluster) {
        return histories.computeIfAbsent(
                cluster,
                each -> new EstimateHistory(each.jobs(0), each.policy(), each.nodes(), instants[instants.length - 1]));
    }

    private static List<String> figures(SimulatedRun run) {
        return List.of(
                run.completed() ? DecimalText.fixed(run.makespanMillis() / 3.6e6, 3) : "",
                DecimalText.fixed(run.perceivedWaitMillis() / 3.6e6, 3),
                DecimalText.fixed(run.allocatedNodeMillis() / 3.6e6, 1),
                Integer.toString(run.jobsSubmitted()),
                run.completed() ? "1" : "0");
    }
}
