package io.sheaf.lab.study;

import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Section;
import io.sheaf.lab.experiment.WorkflowStarts;
import io.sheaf.predict.Alternatives;
import io.sheaf.predict.LearnedWaits;
import io.sheaf.predict.Sampling;
import io.sheaf.predict.WaitLoss;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.List;
import java.util.Map;

/**
 * The common settings of the ASA studies on clusters.
 *
 * @param learnFor the number of first starts that only teach the learner
 */
record AsaSetup(
        List<AsaCluster> clusters,
        WorkflowStarts starts,
        int learnFor,
        int repetitions,
        LearnedWaits.LearnerSettings learning) {
    static final List<String> WORKFLOWS = List.of("montage-asa", "blast-asa", "statistics");

    /**
     * A cluster.
     *
     * @param widths the widths that are tried, in cores
     */
    record AsaCluster(StudyCluster entry, int coresPerNode, List<Integer> widths) {
        int nodes(int cores) {
            return (cores + coresPerNode - 1) / coresPerNode;
        }
    }

    static AsaSetup read(Section section, Inputs inputs) {
        List<AsaCluster> clusters = StudyCluster.read(section, inputs, "cores-per-node", "cores").stream()
                .map(entry -> new AsaCluster(
                        entry,
                        entry.section().one("cores-per-node", 1, Section.whole(1)),
                        entry.section().each("cores", List.of(), Section.whole(1))))
                .toList();
        Sampling sampling = section.one("sampling", Sampling.TUNED, Sampling::of);
        WaitLoss loss = section.one("loss", WaitLoss.OPTIMAL, WaitLoss::named);
        return new AsaSetup(
                clusters,
                WorkflowStarts.of(section),
                section.one("learn-for", 0, Section.whole(0)),
                section.one("repetitions", 1, Section.whole(1)),
                new LearnedWaits.LearnerSettings(Alternatives.SOUZA, loss, sampling, 0));
    }

    static Workflow workflow(String family, int cores) {
        return Families.named(family).generate(new Recipe(0, 0, 0, Map.of("cores", Integer.toString(cores))));
    }
}
