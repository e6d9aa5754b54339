package io.sheaf.lab;

import io.sheaf.formats.yaml.Node.Fields;
import io.sheaf.predict.Alternatives;
import io.sheaf.predict.LearntWaits;
import io.sheaf.predict.Sampling;
import io.sheaf.predict.WaitLoss;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.Conventions;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A cluster of the ASA experiments: nodes of some cores, the widths that are tried on it, and everybody else's jobs for each repetition. */
final class AsaCluster {
    static final List<String> WORKFLOWS = List.of("montage-asa", "blast-asa", "statistics");

    private final ClusterEntry entry;
    private final Inputs inputs;
    private final int coresPerNode;
    private final List<Integer> widths;
    private final Map<Long, Checkpoints> played = new HashMap<>();

    private AsaCluster(ClusterEntry entry, Inputs inputs, int coresPerNode, List<Integer> widths) {
        this.entry = entry;
        this.inputs = inputs;
        this.coresPerNode = coresPerNode;
        this.widths = widths;
    }

    /** The clusters of a study: an entry of the lab with {@code cores-per-node} and {@code cores} beside it. */
    static List<AsaCluster> read(Section section, Inputs inputs) {
        List<AsaCluster> all = new ArrayList<>();
        for (Fields fields : section.maps("clusters")) {
            List<String> keys = new ArrayList<>(ClusterEntry.KEYS);
            keys.addAll(List.of("cores-per-node", "cores"));
            Section own = new Section(fields, "a cluster", keys, section.problems());
            ClusterEntry entry = ClusterEntry.of(own);
            int coresPerNode = own.one("cores-per-node", 1, Section.whole(1));
            all.add(new AsaCluster(entry, inputs, coresPerNode, own.each("cores", List.of(), Section.whole(1))));
            Load load = entry.load(inputs, 0);
            if (load != null) {
                entry.nodes(load);
            }
        }
        if (all.isEmpty()) {
            section.problems().add("there are no clusters; a study needs 'clusters:'", section.place());
        }
        return all;
    }

    /** How waits are learnt: {@code sampling} and {@code loss}. */
    static LearntWaits.Settings learning(Section section) {
        Sampling sampling = section.one("sampling", Sampling.TUNED, Sampling::of);
        WaitLoss loss = section.one("loss", WaitLoss.OPTIMAL, WaitLoss::named);
        return new LearntWaits.Settings(Alternatives.SOUZA, loss, sampling, 0);
    }

    String name() {
        return entry.name();
    }

    int coresPerNode() {
        return coresPerNode;
    }

    List<Integer> widths() {
        return widths;
    }

    Workflow workflow(String family, int cores) {
        Recipe recipe = new Recipe(0, 0, 0, Map.of("cores", Integer.toString(cores)));
        return Families.named(family).generate(recipe);
    }

    int nodes(int cores) {
        return (cores + coresPerNode - 1) / coresPerNode;
    }

    /** Everybody else's jobs of a repetition, played up to each start. */
    synchronized Checkpoints background(long seed, long[] starts) {
        return played.computeIfAbsent(seed, each -> {
            Load load = entry.load(inputs, each);
            if (load == null) {
                throw new IllegalStateException("a cluster without jobs was not refused");
            }
            Cluster cluster = entry.variants(load, Conventions.OWN).get(0);
            return new Checkpoints(
                    cluster.jobs(Conventions.OWN, Accuracy.of("requested"), each),
                    cluster.policy(),
                    cluster.nodes(),
                    starts,
                    starts[starts.length - 1]);
        });
    }
}
