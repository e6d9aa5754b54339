package io.sheaf.lab;

import io.sheaf.batch.Policy;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster of a study: an entry of the lab, of whose variants the first is taken. */
final class StudyCluster {
    private final String name;
    private final @Nullable Cluster cluster;

    private StudyCluster(String name, @Nullable Cluster cluster) {
        this.name = name;
        this.cluster = cluster;
    }

    /** Those below the key {@code clusters}; what cannot be read is noted. */
    static List<StudyCluster> read(Section section, Inputs inputs) {
        List<StudyCluster> all = new ArrayList<>();
        section.maps("clusters").forEach(fields -> {
            ClusterEntry entry = ClusterEntry.read(fields, section.problems());
            Load load = entry.load(inputs, 0);
            boolean known = load != null && entry.nodes(load) > 0;
            all.add(new StudyCluster(
                    entry.name(),
                    load == null || !known
                            ? null
                            : entry.variants(load, Conventions.OWN).get(0)));
        });
        if (all.isEmpty()) {
            section.problems().add("there are no clusters; a study needs 'clusters:'", section.place());
        }
        return all;
    }

    String name() {
        return name;
    }

    JobLog jobs() {
        return cluster().jobs(Conventions.OWN, Accuracy.of("requested"), 0);
    }

    Policy policy() {
        return cluster().policy();
    }

    int nodes() {
        return cluster().nodes();
    }

    private Cluster cluster() {
        if (cluster == null) {
            throw new IllegalStateException("a cluster without jobs was not refused");
        }
        return cluster;
    }
}
