package io.sheaf.slurm;

import java.nio.file.Path;

/**
 * The file that a job's output goes to, as {@code sbatch} wants to be told: in its name Slurm puts the job's number for {@code %j}, and takes backslashes away. A name
 * with a backslash in it is taken as it is otherwise; in any other a doubled per cent sign stands for one.
 */
public final class OutputFile {
    private OutputFile() {}

    /** The option that names it. */
    public static String option(Path file) {
        String name = file.toString();
        return "--output=" + (name.contains("\\") ? name.replace("\\", "\\\\") : name.replace("%", "%%"));
    }
}
