package io.sheaf.lab.experiment;

import io.sheaf.formats.Source;
import io.sheaf.formats.slurm.SacctReader;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.formats.swf.SwfReader;
import io.sheaf.sim.model.Presets;
import io.sheaf.text.InputException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Background jobs before any rule is applied: a log, or the jobs that a model generates from a seed.
 *
 * @param name the name in the table: the file without its folder, or the model
 * @param procs the processors of its cluster, if recorded
 */
public record Workload(String name, SwfLog log, OptionalLong procs) {
    public static Workload model(String name, long seed, int days) {
        return new Workload(
                name,
                Presets.model(name).generateDays(seed, days),
                OptionalLong.of(Presets.figures(name).nodes()));
    }

    /**
     * Reads SWF or Slurm accounting; invalid lines are left out ('sheaf replay' lists them).
     *
     * @param unit what the accounting counts; required for accounting, since it cannot be detected
     */
    public static Workload read(Path file, SacctReader.@Nullable Unit unit, ZoneId zone) {
        Source source = Source.of(file);
        String name = String.valueOf(file.getFileName());
        if (SacctReader.isAccounting(source)) {
            if (unit == null) {
                throw new InputException(
                        "'" + name + "' is Slurm accounting; add 'sacct-unit: nodes' if jobs get whole nodes,"
                                + " or 'sacct-unit: cpus' if they share them, then with 'procs-per-node' or with 'nodes' in CPUs");
            }
            return new Workload(
                    name,
                    SacctReader.lenient(unit, zone, problem -> {}).read(source).log(),
                    OptionalLong.empty());
        }
        SwfLog log = SwfReader.lenient(problem -> {}).read(source);
        return new Workload(name, log, log.header().machineSize());
    }

    /** The time from the first to the last submission, in milliseconds. */
    public long span() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < log.size(); i++) {
            first = Math.min(first, log.submit(i));
            last = Math.max(last, log.submit(i));
        }
        return Math.max(0, last - first);
    }
}
