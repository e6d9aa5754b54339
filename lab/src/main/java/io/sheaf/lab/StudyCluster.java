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

    private final Section section;

    private StudyCluster(String name, @Nullable Cluster cluster, Section section) {
        this.name = name;
        this.cluster = cluster;
        this.section = section;
    }

    /**
     * Those below the key {@code clusters}; what cannot be read is noted.
     *
     * @param more keys that an entry may have besides those of a cluster
     */
    static List<StudyCluster> read(Section section, Inputs inputs, List<String> more) {
        List<StudyCluster> all = new ArrayList<>();
        List<String> keys = new ArrayList<>(ClusterEntry.KEYS);
        keys.addAll(more);
        section.maps("clusters").forEach(fields -> {
            Section own = new Section(fields, "a cluster", keys, section.problems());
            ClusterEntry entry = ClusterEntry.of(own);
            Load load = entry.load(inputs, 0);
            boolean known = load != null && entry.nodes(load) > 0;
            all.add(new StudyCluster(
                    entry.name(),
                    load == null || !known
                            ? null
                            : entry.variants(load, Conventions.OWN).get(0),
                    own));
        });
        if (all.isEmpty()) {
            section.problems().add("there are no clusters; a study needs 'clusters:'", section.place());
        }
        return all;
    }

    /** A number of its own; as of the whole study where it says nothing. */
    int whole(String key, int least, int otherwise) {
        return section.one(key, otherwise, Section.whole(least));
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
