package io.sheaf.lab.savings;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The information in the name of a job: the tool that submitted it and the kind of the job.
 *
 * @param tool the part that all jobs of one run of a workflow tool share; empty if no tool is recognised
 * @param stem the name without its numbers and labels of samples: equal for jobs of one kind
 */
public record JobName(String tool, String stem) {
    static final JobName UNKNOWN = new JobName("", "");

    private static final Pattern NEXTFLOW = Pattern.compile("nf-(.+?)(_?\\(.*\\)?)?");
    private static final Pattern SNAKEMAKE = Pattern.compile("snakejob\\.(.+?)\\.[0-9]+(\\.sh)?");
    /** Snakemake's plug-in for this batch system names all jobs of a run by one identifier. */
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private static final Pattern NUMBERS = Pattern.compile("[0-9]+");

    /** Reads a name; an unknown one has no tool. */
    public static JobName of(String name) {
        Matcher nextflow = NEXTFLOW.matcher(name);
        if (nextflow.matches()) {
            return new JobName("nextflow", NUMBERS.matcher(nextflow.group(1)).replaceAll("#"));
        }
        Matcher snakemake = SNAKEMAKE.matcher(name);
        if (snakemake.matches()) {
            return new JobName("snakemake", snakemake.group(1));
        }
        if (UUID.matcher(name).matches()) {
            return new JobName(name, "");
        }
        return new JobName("", NUMBERS.matcher(name).replaceAll("#"));
    }

    /** Whether the job is one of Sheaf's own pilot jobs. */
    static boolean isPilotJob(String name) {
        return name.startsWith("sheaf-");
    }
}
