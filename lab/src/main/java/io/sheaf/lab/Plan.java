package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.Conventions;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * All runs of an experiment, numbered: the cross product of what its file lists.
 *
 * <p>An item is a workflow with a start time on one background; it is run with all strategies, so that what is compared is always there together.
 */
public final class Plan {
    private final Experiment experiment;
    private final Inputs inputs;
    private final List<Block> blocks = new ArrayList<>();
    private final List<String> strategies;
    private final BitSet chosen = new BitSet();
    private final Selection selection;
    private int items;

    /**
     * Which part of an experiment is run.
     *
     * @param quick whether in its quick form
     * @param fraction the share of start times, drawn for each workflow; 1 for all
     * @param shard from 1 on
     */
    public record Selection(boolean quick, double fraction, int shard, int shards) {
        public static final Selection ALL = new Selection(false, 1, 1, 1);
    }

    private Plan(Experiment experiment, Inputs inputs, Selection selection) {
        this.experiment = experiment;
        this.inputs = inputs;
        this.selection = selection;
        strategies = experiment.strategies.stream().map(Text::text).toList();
    }

    /**
     * Reads an experiment and everything that it names, and refuses it with all that is wrong.
     *
     * @param data folders to look for logs and workflows in, besides that of the file
     */
    public static Plan read(Path file, List<Path> data, Selection selection) {
        Problems problems = new Problems(file.toString());
        Experiment experiment = Experiment.read(Source.of(file), selection.quick(), problems);
        List<Path> folders = new ArrayList<>();
        folders.add(file.toAbsolutePath().getParent());
        folders.addAll(data);
        Plan plan = new Plan(experiment, new Inputs(folders), selection);
        plan.expand(problems);
        problems.check();
        plan.choose();
        return plan;
    }

    private void expand(Problems problems) {
        Map<Long, List<Subject>> subjects = new HashMap<>();
        for (long seed : experiment.seeds) {
            List<Subject> all = new ArrayList<>();
            experiment.workflows.forEach(entry -> all.addAll(entry.subjects(inputs, seed)));
            refuseSameNames(all, problems);
            subjects.put(seed, all);
        }
        checkStrategies(subjects.getOrDefault(experiment.seeds.get(0), List.of()), problems);
        for (ClusterEntry entry : experiment.clusters) {
            Map<Long, Load> loads = new HashMap<>();
            for (long seed : experiment.seeds) {
                Load load = entry.load(inputs, seed);
                if (load != null && entry.nodes(load) > 0) {
                    loads.put(seed, load);
                    subjects.getOrDefault(seed, List.of()).forEach(each -> fits(each, entry, load, problems));
                }
            }
            if (problems.isEmpty()) {
                expand(entry, loads, subjects);
            }
        }
    }

    private void expand(ClusterEntry entry, Map<Long, Load> loads, Map<Long, List<Subject>> subjects) {
        Load first = loads.get(experiment.seeds.get(0));
        if (first == null) {
            return;
        }
        for (Conventions profile : experiment.profiles) {
            int variants = entry.variants(first, profile).size();
            for (int variant = 0; variant < variants; variant++) {
                for (Accuracy accuracy : experiment.estimates) {
                    for (int cores : experiment.coresPerNode) {
                        for (String times : experiment.taskTimes) {
                            for (int cap : experiment.caps) {
                                for (long seed : experiment.seeds) {
                                    Load load = loads.getOrDefault(seed, first);
                                    add(new Block(
                                            entry.variants(load, profile).get(variant),
                                            profile,
                                            accuracy,
                                            cores,
                                            Experiment.spread(times),
                                            cap,
                                            seed,
                                            subjects.getOrDefault(seed, List.of()),
                                            experiment.starts.instants(seed),
                                            items));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private void add(Block block) {
        blocks.add(block);
        items = Math.addExact(items, block.items());
    }

    private static void refuseSameNames(List<Subject> all, Problems problems) {
        Map<String, Subject> seen = new HashMap<>();
        for (Subject each : all) {
            if (seen.put(each.name(), each) != null) {
                problems.add(new InputException("two workflows are called '" + each.name() + "'; name each once"));
            }
        }
    }

    private void checkStrategies(List<Subject> subjects, Problems problems) {
        Workflow any = subjects.isEmpty() ? null : subjects.get(0).workflow();
        for (Text strategy : experiment.strategies) {
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
        for (int cores : experiment.coresPerNode) {
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

    /** Which items are run: of each workflow the same starts on every background, so that backgrounds can be compared, too. */
    private void choose() {
        for (Block block : blocks) {
            int starts = block.starts().length;
            int kept = (int) Math.ceil(selection.fraction() * starts);
            for (int w = 0; w < block.subjects().size(); w++) {
                int[] order = new RandomStream(block.seed())
                        .split("fraction")
                        .split(block.subjects().get(w).name())
                        .permutation(starts);
                for (int start : selection.fraction() >= 1 ? range(starts) : Arrays.copyOf(order, kept)) {
                    int item = (int) block.firstItem() + w * starts + start;
                    if (item % selection.shards() == selection.shard() - 1) {
                        chosen.set(item);
                    }
                }
            }
        }
    }

    private static int[] range(int n) {
        int[] all = new int[n];
        Arrays.setAll(all, i -> i);
        return all;
    }

    public String title() {
        return experiment.title;
    }

    public String baseline() {
        return experiment.baseline;
    }

    public List<String> strategies() {
        return strategies;
    }

    Selection selection() {
        return selection;
    }

    Inputs inputs() {
        return inputs;
    }

    List<Block> blocks() {
        return blocks;
    }

    /** The items that are to be run, by number. */
    BitSet chosen() {
        return chosen;
    }

    /** How many runs there will be. */
    public long runs() {
        return (long) chosen.cardinality() * strategies.size();
    }

    /** How many runs all shards have together. */
    long allRuns() {
        long all = 0;
        for (Block block : blocks) {
            all += (long) Math.ceil(selection.fraction() * block.starts().length)
                    * block.subjects().size();
        }
        return all * strategies.size();
    }

    /** A hash of all that decides what comes out, but not of the shard: results with the same one belong together. */
    String fingerprint(String version) {
        MessageDigest digest = Inputs.sha256();
        StringBuilder text = new StringBuilder(version + "\n" + selection.quick() + " " + selection.fraction() + "\n");
        text.append(strategies).append(inputs.hashes()).append('\n');
        for (Block block : blocks) {
            text.append(new RunTable.Setting(block).text())
                    .append(Arrays.hashCode(block.starts()))
                    .append(block.starts().length);
            for (Subject subject : block.subjects()) {
                Workflow workflow = subject.workflow();
                text.append(subject.name()).append(workflow).append(workflow.totalMicros());
            }
            text.append('\n');
        }
        return HexFormat.of().formatHex(digest.digest(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** A workflow to try strategies' names with, where the experiment has none. */
    static final class Probe {
        static final Workflow WORKFLOW = Families.named("chain").generate(Recipe.of(1, 1_000_000, 0));
    }
}
