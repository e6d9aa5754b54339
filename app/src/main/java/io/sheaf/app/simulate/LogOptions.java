package io.sheaf.app.simulate;

import io.sheaf.app.cli.Choice;
import io.sheaf.app.cli.HelpHeading;
import io.sheaf.formats.slurm.SacctReader;
import io.sheaf.text.InputException;
import java.time.DateTimeException;
import java.time.ZoneId;
import picocli.CommandLine.Option;

/** Options for reading a job log, shared by all commands that read one. */
@HelpHeading(HelpHeading.LOG)
public final class LogOptions {
    @Option(names = "--strict", description = "Fail on lines that cannot be parsed, instead of skipping them.")
    boolean strict;

    @Option(
            names = "--procs-per-node",
            paramLabel = "P",
            description = "Processors per node in the log (default: ${DEFAULT-VALUE}).")
    int procsPerNode = 1;

    @Option(
            names = "--sacct-unit",
            paramLabel = "UNIT",
            description = "Unit of job sizes in Slurm accounting: cpus or nodes (default: ${DEFAULT-VALUE}).")
    String sacctUnit = "cpus";

    @Option(
            names = "--sacct-zone",
            paramLabel = "ZONE",
            description = "Time zone of Slurm accounting, e.g. Europe/Stockholm (default: ${DEFAULT-VALUE}).")
    String sacctZone = "UTC";

    public int procsPerNode() {
        if (procsPerNode < 1) {
            throw new InputException("--procs-per-node: must be at least 1");
        }
        return procsPerNode;
    }

    SacctReader.Unit unit() {
        return Choice.of("--sacct-unit", sacctUnit, SacctReader.Unit.class);
    }

    public ZoneId zone() {
        try {
            return ZoneId.of(sacctZone);
        } catch (DateTimeException e) {
            throw new InputException(
                    "--sacct-zone: '" + sacctZone + "' is not a time zone; use e.g. Europe/Stockholm, UTC or +01:00");
        }
    }
}
