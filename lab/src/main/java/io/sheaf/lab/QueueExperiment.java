package io.sheaf.lab;

import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.sim.Conventions;
import io.sheaf.sim.TimesTaken;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Workflows on clusters with a batch queue, bound into jobs by strategies. */
final class QueueExperiment implements Experiment {
    static final List<String> KEYS = List.of(
            "title",
            "about",
            "workflows",
            "clusters",
            "strategies",
            "baseline",
            "starts",
            "caps",
            "estimates",
            "profile",
            "cores-per-node",
            "task-times",
            "repetitions",
            "seeds",
            "expected-starts",
            "background",
            "report",
            "quick");

    private static final int CAP = 16;

    private final Compared compared;
    final List<WorkflowEntry> workflows = new ArrayList<>();
    final List<ClusterEntry> clusters = new ArrayList<>();
    final Starts starts;
    final List<Integer> caps;
    final List<Accuracy> estimates;
    final List<Conventions> profiles;
    final List<Integer> coresPerNode;
    final List<TimesTaken> taskTimes;
    final List<Long> seeds;
    /** Whether the table tells how well starts of pilot jobs were foreseen, which takes time. */
    final boolean expectedStarts;
    /** Whether the table tells how much longer others wait because of us, which takes time, too. */
    final boolean background;

    QueueExperiment(Section section) {
        Problems problems = section.problems();
        compared = Compared.read(section, QueueExperiment::normal);
        section.maps("workflows").forEach(each -> workflows.add(WorkflowEntry.read(each, problems)));
        section.maps("clusters").forEach(each -> clusters.add(ClusterEntry.read(each, problems)));
        starts = Starts.of(section);
        caps = section.each("caps", List.of(CAP), Section.whole(1));
        estimates = section.each("estimates", List.of(Accuracy.of("requested")), Accuracy::of);
        profiles = section.each("profile", List.of(Conventions.OWN), Section.constant(Conventions.class));
        coresPerNode = section.each("cores-per-node", List.of(1), Section.whole(1));
        taskTimes = section.each("task-times", List.of(TimesTaken.EXACT), TimesTaken::of);
        seeds = Compared.seeds(section);
        background = Boolean.parseBoolean(section.one("background", "false", Section.word("true", "false")));
        expectedStarts = Boolean.parseBoolean(section.one("expected-starts", "false", Section.word("true", "false")));
        Compared.need(section, "workflows", "clusters", "strategies");
    }

    @Override
    public Compared compared() {
        return compared;
    }

    @Override
    public List<String> columns() {
        return RunTable.COLUMNS;
    }

    /** A strategy as it is called here: its name in small letters, no blanks. */
    private static String normal(String strategy) {
        return strategy.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    @Override
    public List<Block> blocks(Inputs inputs, Problems problems) {
        List<Block> blocks = new ArrayList<>();
        Map<Long, List<Subject>> subjects = new HashMap<>();
        for (long seed : seeds) {
            List<Subject> all = new ArrayList<>();
            workflows.forEach(entry -> all.addAll(entry.subjects(inputs, seed)));
            Subject.refuseSameNames(all, problems);
            subjects.put(seed, all);
        }
        checkStrategies(subjects.getOrDefault(seeds.get(0), List.of()), problems);
        for (ClusterEntry entry : clusters) {
            Map<Long, Load> loads = new HashMap<>();
            for (long seed : seeds) {
                Load load = entry.load(inputs, seed);
                if (load != null && entry.nodes(load) > 0) {
                    loads.put(seed, load);
                    subjects.getOrDefault(seed, List.of()).forEach(each -> fits(each, entry, load, problems));
                }
            }
            if (problems.isEmpty()) {
                expand(entry, loads, subjects, blocks);
            }
        }
        return blocks;
    }

    private void expand(
            ClusterEntry entry, Map<Long, Load> loads, Map<Long, List<Subject>> subjects, List<Block> blocks) {
        Load first = loads.get(seeds.get(0));
        if (first == null) {
            return;
        }
        for (Conventions profile : profiles) {
            int variants = entry.variants(first, profile).size();
            for (int variant = 0; variant < variants; variant++) {
                for (Accuracy accuracy : estimates) {
                    for (int cores : coresPerNode) {
                        for (TimesTaken times : taskTimes) {
                            for (int cap : caps) {
                                for (long seed : seeds) {
                                    Load load = loads.getOrDefault(seed, first);
                                    blocks.add(new QueueBlock(
                                            compared.names(),
                                            entry.variants(load, profile).get(variant),
                                            profile,
                                            accuracy,
                                            cores,
                                            times,
                                            cap,
                                            seed,
                                            subjects.getOrDefault(seed, List.of()),
                                            starts.instants(seed),
                                            expectedStarts,
                                            background));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private void checkStrategies(List<Subject> subjects, Problems problems) {
        Workflow any = subjects.isEmpty() ? null : subjects.get(0).workflow();
        for (Text strategy : compared.strategies()) {
            problems.get(strategy.place(), () -> {
                Workflow workflow = any == null ? Probe.WORKFLOW : any;
                RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), Integer.MAX_VALUE);
                return Strategies.named(strategy.text(), times, Profile.OWN);
            });
        }
    }

    private void fits(Subject subject, ClusterEntry entry, Load load, Problems problems) {
        Workflow workflow = subject.workflow();
        int nodes = entry.nodes(load);
        for (int cores : coresPerNode) {
            for (int task = 0; task < workflow.size(); task++) {
                var needed = workflow.resources(task);
                if (needed.nodes() > nodes || needed.cores() > cores) {
                    problems.add(new InputException("task '" + workflow.id(task) + "' of workflow '" + subject.name()
                            + "' needs " + needed.nodes() + " nodes of " + needed.cores() + " cores, cluster '"
                            + entry.name() + "' has " + nodes + " of " + cores + ". Maybe split it, or leave it out"));
                    return;
                }
            }
        }
    }

    /** A workflow to try strategies' names with, where the experiment has none. */
    static final class Probe {
        static final Workflow WORKFLOW = Families.named("chain").generate(Recipe.of(1, 1_000_000, 0));
    }
}
