package io.sheaf.slurm;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job of the user as {@code squeue} prints it.
 *
 * @param start when it started or is planned to, in milliseconds; −1 if neither is known
 * @param name last in the line, since it may hold anything
 */
public record QueueLine(long job, String state, int nodes, long start, String reason, String name) {
    /** Number, state, nodes, start, reason, name. Elements of job arrays, which ours never are, have a number behind an underline. */
    static final String FORMAT = "%i|%T|%D|%S|%r|%j";

    private static final Pattern LINE =
            Pattern.compile("(\\d+)(?:[_+][^|]*)?\\|([A-Z_]+)\\|(\\d+)\\|(\\d+|N/A|Unknown|NONE|)\\|([^|]*)\\|(.*)");

    /** All lines; refused as a whole if one of them is none, since then nobody knows what is missing. */
    static List<QueueLine> parse(List<String> lines) {
        List<QueueLine> jobs = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank()) {
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new InputException("squeue printed '" + line + "', which is no job");
            }
            String start = matcher.group(4);
            jobs.add(new QueueLine(
                    Long.parseLong(matcher.group(1)),
                    matcher.group(2),
                    Integer.parseInt(matcher.group(3)),
                    start.isEmpty() || !Character.isDigit(start.charAt(0)) ? -1 : Long.parseLong(start) * 1000,
                    matcher.group(5),
                    matcher.group(6)));
        }
        return jobs;
    }

    boolean isPending() {
        return JobState.isPending(state);
    }
}
