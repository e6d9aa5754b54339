package io.sheaf.slurm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a job that depends on another one keeps its place in a cluster's queue, as the cluster is configured.
 *
 * <p>With priorities by number it does. With others it gains age while it cannot start only where {@code ACCRUE_ALWAYS} is set; elsewhere a job that waits for another one is as new, when that one is over, as if
 * it had been submitted then. So {@code asa} submits ahead with dependencies only where they are worth something, and otherwise as {@code asa-naive} does.
 */
public final class DependentJobs {
    private static final Pattern TYPE = Pattern.compile("(?m)^PriorityType\\s*=\\s*(\\S+)");
    private static final Pattern FLAGS = Pattern.compile("(?m)^PriorityFlags\\s*=\\s*(\\S*)");

    private DependentJobs() {}

    /** What {@code scontrol show config} says of it; what it does not tell is taken to be as Slurm has it unless told. */
    static boolean keepTheirPlace(String config) {
        Matcher type = TYPE.matcher(config);
        Matcher flags = FLAGS.matcher(config);
        return (type.find() && type.group(1).equals("priority/basic"))
                || (flags.find() && flags.group(1).contains("ACCRUE_ALWAYS"));
    }

    /**
     * The strategy to take on a cluster for one that was asked for, with the parameters that it has, too.
     *
     * @param keepTheirPlace whether dependents do so there
     */
    public static String strategy(String asked, boolean keepTheirPlace) {
        int colon = asked.indexOf(':');
        String name = colon < 0 ? asked : asked.substring(0, colon);
        if (keepTheirPlace || !name.strip().equals("asa")) {
            return asked;
        }
        String parameters = colon < 0 ? "" : asked.substring(colon + 1);
        StringBuilder kept = new StringBuilder();
        for (String each : parameters.split(",", -1)) {
            if (!each.isBlank() && !each.strip().startsWith("ahead=")) {
                kept.append(kept.isEmpty() ? ":" : ",").append(each.strip());
            }
        }
        return "asa-naive" + kept;
    }
}
