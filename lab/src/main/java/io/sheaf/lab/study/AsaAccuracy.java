package io.sheaf.lab.study;

import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Section;
import io.sheaf.predict.LearnedWaits;
import io.sheaf.predict.WaitMemory;
import io.sheaf.predict.WaitObservation;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.SubmittedJobs;
import io.sheaf.strategy.Profile;
import io.sheaf.text.DecimalText;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/**
 * Table 2 of Souza et al.: the widest stage of each workflow is submitted sixty times, a minute apart; expected and actual queue waits are compared.
 *
 * <p>If the expected wait exceeds the actual one, a job submitted ahead by the expected wait would start too early: a <em>miss</em>, whose cores are idle until they are
 * needed (the overhead). Otherwise it is a <em>hit</em>, and the workflow perceives the rest of the wait. The learner learns from each start and is kept from start to start.
 */
public final class AsaAccuracy implements Study {
    private static final StudyColumns COLUMNS = new StudyColumns(
            List.of("cluster", "workflow", "cores"),
            List.of(
                    "repetition",
                    "start",
                    "real_wait_hours",
                    "expected_wait_hours",
                    "perceived_wait_hours",
                    "hit_percent",
                    "miss_percent",
                    "overhead_core_hours_per_miss"));

    public static final ExperimentKind KIND = StudyExperiment.kind(
            "asa-accuracy",
            COLUMNS,
            AsaAccuracy::new,
            "clusters",
            "submissions",
            "apart",
            "starts",
            "learn-for",
            "sampling",
            "loss",
            "repetitions");

    private final AsaSetup asa;
    private final int submissions;
    private final long apart;

    AsaAccuracy(Section section, Inputs inputs) {
        asa = AsaSetup.read(section, inputs);
        submissions = section.one("submissions", 60, Section.whole(1));
        apart = section.one("apart", 60_000L, Section::time);
    }

    @Override
    public int settings() {
        return asa.clusters().size() * AsaSetup.WORKFLOWS.size();
    }

    @Override
    public int repetitions() {
        return asa.repetitions();
    }

    @Override
    public List<List<String>> rows(int setting, int repetition) {
        String family = AsaSetup.WORKFLOWS.get(setting % AsaSetup.WORKFLOWS.size());
        AsaSetup.AsaCluster cluster = asa.clusters().get(setting / AsaSetup.WORKFLOWS.size());
        long[] instants = asa.starts().instants(repetition);
        Checkpoints background = cluster.entry().background(repetition, instants);
        LearnedWaits waits = new LearnedWaits(asa.learning());
        List<List<String>> rows = new ArrayList<>();
        for (int start = 0; start < instants.length; start++) {
            for (int cores : cluster.widths()) {
                long run = longest(AsaSetup.workflow(family, cores));
                Series series = new Series(waits, cluster.nodes(cores), Profile.OWN.request(run), family + start);
                SubmittedJobs.run(
                        background.fork(start),
                        instants[start],
                        submissions,
                        apart,
                        new SubmittedJobs.JobShape(series.nodes, series.walltime, run),
                        series);
                if (start >= asa.learnFor()) {
                    List<String> row = new ArrayList<>(List.of(
                            cluster.entry().name(),
                            family,
                            Integer.toString(cores),
                            Integer.toString(repetition),
                            DecimalText.fixed(instants[start] / 1000.0, 0)));
                    row.addAll(series.figures(cluster.coresPerNode()));
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    /** The run time of the longest stage on all cores, in milliseconds. */
    private static long longest(Workflow workflow) {
        long longest = 1;
        for (int task = 0; task < workflow.size(); task++) {
            if (workflow.resources(task).cores() > 1) {
                longest = Math.max(longest, workflow.timeMicros(task) / 1000);
            }
        }
        return longest;
    }

    /** Expected and actual queue waits of the jobs of one series. */
    private static final class Series implements SubmittedJobs.Watcher {
        private final LearnedWaits memory;
        private final int nodes;
        private final long walltime;
        private final RandomStream random;
        private final List<Long> expected = new ArrayList<>();
        private final List<long[]> pairs = new ArrayList<>();

        Series(LearnedWaits memory, int nodes, long walltime, String purpose) {
            this.memory = memory;
            this.nodes = nodes;
            this.walltime = walltime;
            random = new RandomStream(0).split("series").split(purpose).split(nodes);
        }

        @Override
        public void submitted(int job) {
            expected.add(memory.expect(nodes, walltime, WaitMemory.UNKNOWN, random));
        }

        @Override
        public void started(int job, long waited) {
            pairs.add(new long[] {expected.get(job), waited});
            memory.learn(new WaitObservation(nodes, walltime, expected.get(job), waited));
        }

        List<String> figures(int coresPerNode) {
            double real = 0;
            double predicted = 0;
            double perceived = 0;
            double overhead = 0;
            int misses = 0;
            for (long[] pair : pairs) {
                predicted += pair[0];
                real += pair[1];
                perceived += Math.max(0, pair[1] - pair[0]);
                if (pair[0] > pair[1]) {
                    misses++;
                    overhead += (pair[0] - pair[1]) / 3.6e6 * nodes * coresPerNode;
                }
            }
            int all = Math.max(1, pairs.size());
            return List.of(
                    DecimalText.fixed(real / all / 3.6e6, 3),
                    DecimalText.fixed(predicted / all / 3.6e6, 3),
                    DecimalText.fixed(perceived / all / 3.6e6, 3),
                    DecimalText.fixed(100.0 * (pairs.size() - misses) / all, 1),
                    DecimalText.fixed(100.0 * misses / all, 1),
                    DecimalText.fixed(overhead / Math.max(1, misses), 2));
        }
    }
}
