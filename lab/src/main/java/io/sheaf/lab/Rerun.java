package io.sheaf.lab;

import io.sheaf.text.InputException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Runs of a folder of results, run again from the experiment that they came from, if it is still what it was. */
public final class Rerun {
    private Rerun() {}

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

    /**
     * The first of these runs, not more than so many.
     *
     * @param numbers the most wanted first
     * @return none where the experiment or its inputs are gone or others, or it has no runs in a queue
     */
    public static List<SingleRun> of(Path folder, List<Long> numbers, int most) {
        Map<String, String> manifest = Manifest.read(folder);
        String file = manifest.getOrDefault("experiment", "");
        List<Path> data = new ArrayList<>();
        data(manifest).forEach(each -> data.add(Path.of(each)));
        try {
            Plan.Selection selection = new Plan.Selection(
                    Boolean.parseBoolean(manifest.getOrDefault("quick", "")),
                    Double.parseDouble(manifest.getOrDefault("fraction", "1")),
                    1,
                    1);
            Plan plan = Plan.read(Path.of(file), data, selection);
            boolean same = plan.fingerprint(manifest.getOrDefault("version", ""))
                    .equals(manifest.getOrDefault("fingerprint", ""));
            return same ? SingleRun.all(plan, numbers.subList(0, Math.min(most, numbers.size()))) : List.of();
        } catch (RefusedException | InputException e) {
            return List.of();
        }
    }

    private static List<String> data(Map<String, String> manifest) {
        String all = manifest.getOrDefault("data", "");
        return all.isEmpty() ? List.of() : Arrays.asList(all.split(File.pathSeparator));
    }
}
