package io.sheaf.lab.study;

import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Section;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.LearnedWaits;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.ConcurrentRuns;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.SimulationSetup.Dependencies;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.DecimalText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/**
 * Figures 6 to 9 and Table 1 of Souza et al.: three workflows at once on several widths, with Big Job, Per-Stage, ASA and ASA-Naive.
 *
 * <p>For each strategy and repetition the starts follow one after the other, each with all widths; the learner is kept from start to start, as in the paper.
 * {@code learn-for} leaves the first starts out of the table.
 */
public final class AsaWorkflows implements Study {
    private static final StudyColumns COLUMNS = new StudyColumns(
            List.of("cluster", "workflow", "cores", "dependencies", "strategy"),
            List.of(
                    "repetition",
                    "start",
                    "total_wait_seconds",
                    "makespan_seconds",
                    "core_hours",
                    "jobs",
                    "completed"));

    public static final ExperimentKind KIND = StudyExperiment.kind(
            "asa-workflows",
            COLUMNS,
            AsaWorkflows::new,
            "clusters",
            "strategies",
            "dependencies",
            "starts",
            "learn-for",
            "sampling",
            "loss",
            "repetitions");

    private static final int CAP = 64;

    private final AsaSetup asa;
    private final List<String> strategies;
    private final List<Dependencies> dependencies;

    AsaWorkflows(Section section, Inputs inputs) {
        asa = AsaSetup.read(section, inputs);
        strategies = section.each(
                "strategies",
                List.of("bigjob", "perstage", "asa", "asa-naive"),
                Section.word("bigjob", "perstage", "asa", "asa-queued", "asa-asked", "asa-naive", "asa-naive-hold"));
        dependencies =
                section.each("dependencies", List.of(Dependencies.RESERVING), Section.constant(Dependencies.class));
    }

    @Override
    public int settings() {
        return asa.clusters().size() * dependencies.size() * strategies.size();
    }

    @Override
    public int repetitions() {
        return asa.repetitions();
    }

    @Override
    public List<List<String>> rows(int setting, int repetition) {
        String strategy = strategies.get(setting % strategies.size());
        Dependencies treatment = dependencies.get(setting / strategies.size() % dependencies.size());
        AsaSetup.AsaCluster cluster = asa.clusters().get(setting / strategies.size() / dependencies.size());
        long[] instants = asa.starts().instants(repetition);
        Checkpoints background = cluster.entry().background(repetition, instants);
        LearnedWaits waits = new LearnedWaits(asa.learning());
        SimulationSetup setup = SimulationSetup.of(Profile.OWN, Resources.node(cluster.coresPerNode()), CAP)
                .learning(waits)
                .with(treatment);
        List<List<String>> rows = new ArrayList<>();
        for (int start = 0; start < instants.length; start++) {
            for (int cores : cluster.widths()) {
                List<Workflow> workflows = new ArrayList<>();
                List<Strategy> chosen = new ArrayList<>();
                for (String family : AsaSetup.WORKFLOWS) {
                    Workflow workflow = AsaSetup.workflow(family, cores);
                    RunTimes times = new RunTimes(workflow, setup.profile().planOrder(), setup.node());
                    workflows.add(workflow);
                    chosen.add(Strategies.named(spec(strategy, cores), times, setup.profile(), waits));
                }
                List<RunRecord> runs =
                        ConcurrentRuns.run(background.fork(start), instants[start], workflows, chosen, setup);
                for (int i = 0; i < runs.size() && start >= asa.learnFor(); i++) {
                    List<String> row = new ArrayList<>(List.of(
                            cluster.entry().name(),
                            AsaSetup.WORKFLOWS.get(i),
                            Integer.toString(cores),
                            Section.name(treatment),
                            strategy,
                            Integer.toString(repetition),
                            DecimalText.fixed(instants[start] / 1000.0, 0)));
                    row.addAll(figures(runs.get(i), cluster.coresPerNode()));
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static List<String> figures(RunRecord run, int coresPerNode) {
        return List.of(
                DecimalText.fixed(run.perceivedWaitMillis() / 1000.0, 0),
                DecimalText.fixed(run.makespanMillis() / 1000.0, 0),
                DecimalText.fixed(run.allocatedNodeMillis() / 3.6e6 * coresPerNode, 1),
                Integer.toString(run.jobs().size()),
                run.completed() ? "1" : "0");
    }

    private static String spec(String strategy, int cores) {
        return switch (strategy) {
            case "asa" -> "asa:cores=" + cores + ",estimate=learned";
            case "asa-queued" -> "asa:cores=" + cores + ",estimate=learned,ahead=queued";
            case "asa-asked" -> "asa:cores=" + cores + ",estimate=asked";
            case "asa-naive" -> "asa-naive:cores=" + cores + ",estimate=learned";
            case "asa-naive-hold" -> "asa-naive:cores=" + cores + ",estimate=learned,hold=true";
            default -> strategy + ":cores=" + cores;
        };
    }
}
