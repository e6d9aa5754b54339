package io.sheaf.lab;

import com.sun.management.OperatingSystemMXBean;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.sim.campaign.Campaign;
import io.sheaf.sim.campaign.Workers;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Runs an experiment into a folder: {@code runs.csv}, {@code manifest.json}, and, until it is done, {@code runs.log}.
 *
 * <p>A folder with a log of the same experiment, or with the table of a smaller fraction, is continued. Every run depends only on its place in the plan, so the table does not
 * depend on interruptions, on the order in which runs end, or on the number of threads.
 *
 * @param version of the program; results of different versions are not mixed
 * @param command the command line, for the manifest
 */
public record Lab(ExperimentPlan plan, Path folder, String version, String command) {
    public static final String TABLE = "runs.csv";
    static final String LOG = "runs.log";

    /** The number of finished runs in the folder. */
    public long found() {
        try {
            Files.createDirectories(folder);
            if (isComplete()) {
                return plan.runs();
            }
            try (ResultLog log = open()) {
                return (long) log.done().cardinality() * plan.strategies().size();
            }
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    /**
     * Estimates the time of the missing runs in seconds of one thread from a sample. The runs of the sample are kept.
     *
     * @param samples the number of items to run, in pairs; the first of a pair shows the time to prepare a block, e.g. to simulate its background
     */
    public double secondsOfOneThread(int samples) {
        try (ResultLog log = open()) {
            int[] missing = missing(log).stream().toArray();
            if (missing.length <= samples) {
                return 0;
            }
            int pairs = Math.max(1, samples / 2);
            long items = 0;
            long preparing = 0;
            for (int i = 0; i < pairs; i++) {
                // In the middle of equal parts, so that all workflows and backgrounds are sampled.
                int at = (int) ((i + 0.5) * missing.length / pairs);
                int block = plan.blockOf(missing[at]);
                int other = at > 0 && plan.blockOf(missing[at - 1]) == block ? at - 1 : at + 1;
                BitSet two = new BitSet();
                two.set(missing[at]);
                two.set(missing[Math.min(other, missing.length - 1)]);
                List<Long> ends = new ArrayList<>(List.of(System.nanoTime()));
                run(block, two, 1, log, () -> ends.add(System.nanoTime()));
                long last = ends.get(ends.size() - 1) - ends.get(ends.size() - 2);
                items += last;
                preparing += Math.max(0, ends.get(1) - ends.get(0) - last);
            }
            long blocks = IntStream.of(missing).map(plan::blockOf).distinct().count();
            return (items / 1e9 * (missing.length - samples) + preparing / 1e9 * blocks) / pairs;
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    /** Runs the missing items and writes the table; returns the number of failed runs in it. */
    public long run(int threads, Campaign.Watcher watcher) {
        Instant started = Instant.now();
        try {
            Files.createDirectories(folder);
            if (isComplete()) {
                Files.deleteIfExists(folder.resolve(LOG));
                return Manifest.failed(folder);
            }
            double share;
            try (ResultLog log = open()) {
                Files.deleteIfExists(folder.resolve(TABLE));
                long begin = processorNanos();
                run(threads, log, watcher);
                share = log.nanos() / (double) Math.max(1, processorNanos() - begin);
            }
            long failed = ResultLog.toTable(
                    folder.resolve(LOG),
                    folder.resolve(TABLE),
                    String.join(",", plan.experiment().columns()),
                    plan.chosen().length());
            Manifest.Summary summary = new Manifest.Summary(started, Instant.now(), share, failed);
            Manifest.write(folder, plan, version, command, summary);
            Files.deleteIfExists(folder.resolve(LOG));
            return failed;
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    private void run(int threads, ResultLog log, Campaign.Watcher watcher) {
        BitSet missing = missing(log);
        long all = plan.runs();
        long[] done = {all - (long) missing.cardinality() * plan.strategies().size()};
        for (int block = 0; block < plan.blocks().size(); block++) {
            run(block, missing, threads, log, () -> {
                synchronized (done) {
                    done[0] += plan.strategies().size();
                    watcher.done(done[0], all);
                }
            });
        }
    }

    private BitSet missing(ResultLog log) {
        BitSet missing = (BitSet) plan.chosen().clone();
        missing.andNot(log.done());
        return missing;
    }

    /** Runs the selected items of a block. */
    private void run(int number, BitSet selected, int threads, ResultLog log, Runnable afterEach) {
        RunBlock block = plan.blocks().get(number);
        int first = plan.first(number);
        int[] items = selected.stream()
                .filter(item -> item >= first && item < first + block.items())
                .map(item -> item - first)
                .toArray();
        if (items.length == 0) {
            return;
        }
        Supplier<RunBlock.ItemRunner> runners = block.prepare(items);
        Supplier<IntConsumer> workers = () -> {
            RunBlock.ItemRunner runner = runners.get();
            return i -> log.add(first + items[i], plan.strategies().size(), runner.rows(items[i]));
        };
        Workers.run(threads, items.length, workers, afterEach);
    }

    /** Opens the log of finished items; the table of a smaller fraction becomes the beginning of the log. */
    private ResultLog open() throws IOException {
        Path file = folder.resolve(LOG);
        // Shards of one experiment have the same fingerprint, but different runs.
        String head = plan.fingerprint(version) + " " + plan.selection().shard() + "/"
                + plan.selection().shards();
        if (!Files.exists(file) && hasTable() && isOwn(Manifest.read(folder))) {
            ResultLog.fromTable(
                    folder.resolve(TABLE), file, head, plan.strategies().size());
        }
        ResultLog log = ResultLog.open(file, head);
        BitSet more = (BitSet) log.done().clone();
        more.andNot(plan.chosen());
        if (!more.isEmpty()) {
            log.close();
            throw larger();
        }
        return log;
    }

    private boolean hasTable() {
        return Files.exists(folder.resolve(TABLE)) && Files.exists(folder.resolve(Manifest.FILE));
    }

    /** Whether the folder holds the table of exactly these runs. */
    public boolean isComplete() {
        if (!hasTable()) {
            return false;
        }
        Map<String, String> manifest = Manifest.read(folder);
        if (!isOwn(manifest)) {
            throw new InputException("contains runs of another experiment; use another folder with -o, or remove it")
                    .in(folder.toString());
        }
        int fraction = Manifest.fraction(plan).compareTo(manifest.getOrDefault("fraction", ""));
        if (fraction < 0) {
            throw larger();
        }
        return fraction == 0;
    }

    private boolean isOwn(Map<String, String> manifest) {
        return plan.fingerprint(version).equals(manifest.get("fingerprint"))
                && Integer.toString(plan.selection().shard()).equals(manifest.get("shard"))
                && Integer.toString(plan.selection().shards()).equals(manifest.get("shards"));
    }

    private InputException larger() {
        return new InputException(
                        "contains more runs of this experiment than requested; raise --fraction, or use another folder with -o")
                .in(folder.toString());
    }

    private InputException cannotWrite(IOException e) {
        return new InputException("cannot be written: " + e.getMessage()).in(folder.toString());
    }

    /** Processor time of this process with compiler and garbage collector, which does not depend on the load of the machine; 0 if not available. */
    private static long processorNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean bean
                ? Math.max(0, bean.getProcessCpuTime())
                : 0;
    }
}
