package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.lab.experiment.Experiment;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Problems;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.random.RandomStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/**
 * All runs of an experiment, numbered: the cross product of the lists in its file.
 *
 * <p>An item is a workflow with a start time on one background. It is run with all strategies, so that compared runs are always complete.
 */
public final class ExperimentPlan {
    private final Path file;
    private final Experiment experiment;
    private final Inputs inputs;
    private final List<RunBlock> blocks;
    /** The number of the first item of each block. */
    private final int[] first;

    private final List<String> strategies;
    private final BitSet chosen = new BitSet();
    private final Selection selection;

    /**
     * The part of an experiment to run.
     *
     * @param quick whether to run the quick form
     * @param fraction the share of start times, selected at random for each workflow; 1 for all
     * @param shard from 1 on
     */
    public record Selection(boolean quick, double fraction, int shard, int shards) {
        public static final Selection ALL = new Selection(false, 1, 1, 1);
    }

    private ExperimentPlan(
            Path file, Experiment experiment, Inputs inputs, List<RunBlock> blocks, Selection selection) {
        this.file = file;
        this.experiment = experiment;
        this.inputs = inputs;
        this.selection = selection;
        this.blocks = List.copyOf(blocks);
        strategies = experiment.comparison().names();
        first = new int[blocks.size() + 1];
        for (int i = 0; i < blocks.size(); i++) {
            first[i + 1] = Math.addExact(first[i], blocks.get(i).items());
        }
    }

    /**
     * Reads an experiment and all files that it names; throws {@link io.sheaf.lab.experiment.RefusedException} with all problems.
     *
     * @param data folders with logs and workflows, besides that of the file
     */
    public static ExperimentPlan read(Path file, List<Path> data, Selection selection) {
        Problems problems = new Problems(file.toString());
        Experiment experiment = ExperimentKinds.read(Source.of(file), selection.quick(), problems);
        List<Path> folders = new ArrayList<>();
        folders.add(file.toAbsolutePath().getParent());
        folders.addAll(data);
        Inputs inputs = new Inputs(folders);
        List<RunBlock> blocks = experiment.blocks(inputs, problems);
        problems.check();
        ExperimentPlan plan = new ExperimentPlan(file, experiment, inputs, blocks, selection);
        plan.choose();
        return plan;
    }

    /** Selects the items: of each workflow the same starts on every background, so that backgrounds can be compared. */
    private void choose() {
        for (int b = 0; b < blocks.size(); b++) {
            RunBlock block = blocks.get(b);
            int repeats = block.repeats();
            int kept = (int) Math.ceil(selection.fraction() * repeats);
            List<String> names = block.names();
            for (int w = 0; w < names.size(); w++) {
                int[] order = new RandomStream(block.seed())
                        .split("fraction")
                        .split(names.get(w))
                        .permutation(repeats);
                for (int repeat : selection.fraction() >= 1
                        ? IntStream.range(0, repeats).toArray()
                        : Arrays.copyOf(order, kept)) {
                    int item = first[b] + w * repeats + repeat;
                    if (item % selection.shards() == selection.shard() - 1) {
                        chosen.set(item);
                    }
                }
            }
        }
    }

    Path file() {
        return file;
    }

    Experiment experiment() {
        return experiment;
    }

    public String title() {
        return experiment.comparison().title();
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

    List<RunBlock> blocks() {
        return blocks;
    }

    /** The number of the first item of a block. */
    int first(int block) {
        return first[block];
    }

    int blockOf(int item) {
        int block = 0;
        while (first[block + 1] <= item) {
            block++;
        }
        return block;
    }

    /** The selected items, by number. */
    BitSet chosen() {
        return chosen;
    }

    /** The number of selected items. */
    public int items() {
        return chosen.cardinality();
    }

    /** The number of selected runs. */
    public long runs() {
        return (long) chosen.cardinality() * strategies.size();
    }

    /** The number of runs of all shards. */
    long allRuns() {
        long all = 0;
        for (RunBlock block : blocks) {
            all += (long) Math.ceil(selection.fraction() * block.repeats())
                    * block.names().size();
        }
        return all * strategies.size();
    }

    /** A hash of everything that determines the rows of an item, without the selection: results with equal hashes may be combined. */
    String fingerprint(String version) {
        MessageDigest digest = Inputs.sha256();
        StringBuilder text = new StringBuilder(version + "\n" + selection.quick() + "\n");
        text.append(strategies).append(inputs.hashes()).append('\n');
        blocks.forEach(block -> text.append(block.identity()).append('\n'));
        return HexFormat.of().formatHex(digest.digest(text.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
