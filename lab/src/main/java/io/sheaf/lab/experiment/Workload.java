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
 * Everybody else's jobs before any rule is applied to them: a log, or what a model makes of a seed.
 *
 * @param name what it is called in the table: the file without its folder, or the model
 * @param procs processors of its cluster, where that is on record
 */
public record Workload(String name, SwfLog log, OptionalLong procs) {
    public static Workload model(String name, long seed, int days) {
        return new Workload(
                name,
                Presets.model(name).generateDays(seed, days),
                OptionalLong.of(Presets.figures(name).nodes()));
    }

    /**
     * Reads SWF or Slurm accounting; lines that cannot be read are left out, as 'sheaf replay' tells.
     *
     * @param unit what is counted in accounting; there is no guess, since the wrong one makes the load another one altogether
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
