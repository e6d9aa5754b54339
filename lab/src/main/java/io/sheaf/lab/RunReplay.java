package io.sheaf.lab;

import io.sheaf.lab.experiment.RefusedException;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.lab.experiment.RunBlock.BlockRun;
import io.sheaf.text.InputException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/** Simulates runs of an experiment again, by their numbers in the table, with all decisions recorded. */
public final class RunReplay {
    private RunReplay() {}

    public static ReplayedRun of(ExperimentPlan plan, long number) {
        return all(plan, List.of(number), done -> {}).get(0);
    }

    private static List<ReplayedRun> all(ExperimentPlan plan, Collection<Long> numbers, IntConsumer progress) {
        int strategies = plan.strategies().size();
        int blocks = plan.blocks().size();
        long last = (long) plan.first(blocks) * strategies;
        Map<Integer, List<BlockRun>> byBlock = new TreeMap<>();
        for (long number : new TreeSet<>(numbers)) {
            if (number < 1 || number > last) {
                throw new InputException("there is no run " + number + "; this experiment has runs 1 to " + last);
            }
            int item = (int) ((number - 1) / strategies);
            int block = plan.blockOf(item);
            String strategy = plan.strategies().get((int) ((number - 1) % strategies));
            byBlock.computeIfAbsent(block, any -> new ArrayList<>())
                    .add(new BlockRun(number, item - plan.first(block), strategy));
        }
        List<ReplayedRun> runs = new ArrayList<>();
        byBlock.forEach((block, places) -> {
            runs.addAll(plan.blocks().get(block).replay(places));
            progress.accept(runs.size());
        });
        return runs;
    }

    /**
     * Runs of a folder of results.
     *
     * @param numbers the most important first
     * @param limit the maximum number of runs
     * @param progress receives the number of simulated runs, now and then
     * @return empty if the experiment or its inputs are missing or have changed, or if its runs are not in a queue
     */
    public static List<ReplayedRun> of(Path folder, List<Long> numbers, int limit, IntConsumer progress) {
        Map<String, String> manifest = Manifest.read(folder);
        List<Path> data = data(manifest).stream().map(Path::of).toList();
        try {
            ExperimentPlan.Selection selection = new ExperimentPlan.Selection(
                    Boolean.parseBoolean(manifest.getOrDefault("quick", "")),
                    Double.parseDouble(manifest.getOrDefault("fraction", "1")),
                    1,
                    1);
            ExperimentPlan plan =
                    ExperimentPlan.read(Path.of(manifest.getOrDefault("experiment", "")), data, selection);
            boolean unchanged = plan.fingerprint(manifest.getOrDefault("version", ""))
                    .equals(manifest.getOrDefault("fingerprint", ""));
            return unchanged ? all(plan, numbers.subList(0, Math.min(limit, numbers.size())), progress) : List.of();
        } catch (RefusedException | InputException e) {
            return List.of();
        }
    }

    /** The command that shows a run of a folder, with RUN for its number. */
    public static String command(Path folder) {
        Map<String, String> manifest = Manifest.read(folder);
        StringBuilder text =
                new StringBuilder("sheaf lab show " + manifest.getOrDefault("experiment", "FILE") + " RUN");
        if (manifest.getOrDefault("quick", "").equals("true")) {
            text.append(" --quick");
        }
        data(manifest).forEach(each -> text.append(" --data ").append(each));
        return text.append(" -o run-RUN.html").toString();
    }

    private static List<String> data(Map<String, String> manifest) {
        String all = manifest.getOrDefault("data", "");
        return all.isEmpty() ? List.of() : Arrays.asList(all.split(File.pathSeparator));
    }
}
