package io.sheaf.lab.study;

import io.sheaf.batch.Policy;
import io.sheaf.lab.experiment.ClusterEntry;
import io.sheaf.lab.experiment.ClusterSetup;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.RequestAccuracy;
import io.sheaf.lab.experiment.Section;
import io.sheaf.lab.experiment.Workload;
import io.sheaf.sim.Checkpoints;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.JobLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A cluster of a study: the first variant of an entry below {@code clusters}, with the background jobs of each seed. */
final class StudyCluster {
    private final ClusterEntry entry;
    private final Section section;
    private final Inputs inputs;
    private final Map<Long, ClusterSetup> setups = new HashMap<>();
    private final Map<Long, Checkpoints> backgrounds = new HashMap<>();

    private StudyCluster(ClusterEntry entry, Section section, Inputs inputs) {
        this.entry = entry;
        this.section = section;
        this.inputs = inputs;
    }

    /**
     * Reads the entries below {@code clusters} and reports their problems.
     *
     * @param more the keys of an entry besides those of a cluster
     */
    static List<StudyCluster> read(Section section, Inputs inputs, String... more) {
        List<StudyCluster> all = new ArrayList<>();
        List<String> keys = new ArrayList<>(ClusterEntry.KEYS);
        keys.addAll(List.of(more));
        section.maps("clusters").forEach(fields -> {
            Section own = new Section(fields, "a cluster", keys, section.problems());
            StudyCluster cluster = new StudyCluster(new ClusterEntry(own), own, inputs);
            cluster.load(0);
            all.add(cluster);
        });
        if (all.isEmpty()) {
            section.problem("there are no clusters; a study needs 'clusters:'");
        }
        return all;
    }

    /** Keeps the setup for a seed, if its jobs are found and its size is known. */
    private void load(long seed) {
        Workload load = entry.load(inputs, seed);
        if (load != null && entry.nodes(load) > 0) {
            setups.put(seed, entry.variants(load, Conventions.OWN).get(0));
        }
    }

    Section section() {
        return section;
    }

    String name() {
        return entry.name();
    }

    JobLog jobs(long seed) {
        return setup(seed).jobs(Conventions.OWN, RequestAccuracy.of("requested"), seed);
    }

    Policy policy() {
        return setup(0).policy();
    }

    int nodes() {
        return setup(0).nodes();
    }

    /** The queue at each start with the background jobs of a seed; simulated once per seed. */
    synchronized Checkpoints background(long seed, long[] starts) {
        return backgrounds.computeIfAbsent(seed, each -> {
            ClusterSetup setup = setup(each);
            return new Checkpoints(jobs(each), setup.policy(), setup.nodes(), starts, starts[starts.length - 1]);
        });
    }

    private synchronized ClusterSetup setup(long seed) {
        if (!setups.containsKey(seed)) {
            load(seed);
        }
        ClusterSetup setup = setups.get(seed);
        if (setup == null) {
            throw new IllegalStateException("cluster '" + name() + "' has no jobs");
        }
        return setup;
    }
}
