package io.sheaf.app.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** Arguments after the first one, which are options of the batch system's submit command. */
public final class PassedOptions {
    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "-- OPTION",
            description = "Further options for sbatch, qsub or oarsub, after --.")
    public List<String> words = new ArrayList<>();
}
