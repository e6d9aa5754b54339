package io.sheaf.lab;

import io.sheaf.manager.Considered;
import io.sheaf.predict.CorrectedEstimator;
import io.sheaf.predict.WaitFactors;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.EstimateHistory;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.TaskTimes;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.DecimalText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What estimates that were {@linkplain CorrectedEstimator corrected} do to the makespan of strategies that ask for waits. */
final class CorrectedEstimates implements Study {
    static final List<String> KEYS =
            List.of("title", "about", "study", "workflows", "clusters", "strategies", "estimates", "starts", "quick");

    static final Columns COLUMNS = new Columns(
            List.of("cluster", "workflow", "strategy", "estimates"),
            List.of("start", "makespan_hours", "wait_hours", "node_hours", "jobs", "completed"));

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

        SimulationSetup.Estimates estimates(EstimateHistory history, long at) {
            return switch (this) {
                case SCHEDULER -> SimulationSetup.Estimates.AS_ASKED;
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
    private final List<Form> forms;
    private final long[] instants;
    private final List<Played> played;

    CorrectedEstimates(Section section, Inputs inputs) {
        clusters = StudyCluster.read(section, inputs, List.of());
        section.maps("workflows")
                .forEach(each -> subjects.addAll(
                        WorkflowEntry.read(each, section.problems()).subjects(inputs, 0)));
        strategies = section.each("strategies", List.of("glume"), CorrectedEstimates::strategy);
        forms = section.each("estimates", List.of(Form.values()), Section.constant(Form.class));
        instants = Starts.of(section).instants(0);
        played = clusters.stream().map(Played::new).toList();
    }

    private static String strategy(String text) {
        String name = text.replace(" ", "");
        RunTimes times = new RunTimes(QueueExperiment.Probe.WORKFLOW, Profile.OWN.planOrder(), 1);
        Strategies.named(name, times, Profile.OWN);
        return name;
    }

    @Override
    public int settings() {
        return clusters.size() * subjects.size();
    }

    /** A repetition is a start. */
    @Override
    public int repetitions() {
        return instants.length;
    }

    @Override
    public List<List<String>> rows(int setting, int start) {
        Played cluster = played.get(setting / subjects.size());
        Subject subject = subjects.get(setting % subjects.size());
        RunTimes times = new RunTimes(subject.workflow(), Profile.OWN.planOrder(), 1);
        SimulationSetup told = new SimulationSetup(Profile.OWN, 1, CAP, TaskTimes.AS_EXPECTED, false);
        List<List<String>> rows = new ArrayList<>();
        for (String name : strategies) {
            for (Form form : forms) {
                SimulatedRun run = WorkflowSimulation.run(
                        cluster.background().fork(start),
                        instants[start],
                        subject.workflow(),
                        Strategies.named(name, times, Profile.OWN),
                        told.estimating(form.estimates(cluster.history(), instants[start])),
                        Considered.NOTHING);
                List<String> row =
                        new ArrayList<>(List.of(cluster.cluster.name(), subject.name(), name, Section.name(form)));
                row.add(DecimalText.fixed(instants[start] / 1000.0, 0));
                row.addAll(figures(run));
                rows.add(row);
            }
        }
        return rows;
    }

    /** A cluster with its queue at each start and what was known by then: played when it is first asked for, once. */
    private final class Played {
        private final StudyCluster cluster;
        private @Nullable EstimateHistory history;
        private @Nullable Checkpoints background;

        Played(StudyCluster cluster) {
            this.cluster = cluster;
        }

        synchronized EstimateHistory history() {
            EstimateHistory known = history;
            if (known == null) {
                known = new EstimateHistory(cluster.jobs(), cluster.policy(), cluster.nodes(), last());
                history = known;
            }
            return known;
        }

        synchronized Checkpoints background() {
            Checkpoints known = background;
            if (known == null) {
                known = new Checkpoints(cluster.jobs(), cluster.policy(), cluster.nodes(), instants, last());
                background = known;
            }
            return known;
        }

        private long last() {
            return instants[instants.length - 1];
        }
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
