package io.sheaf.gridengine;

import io.sheaf.runtime.batch.JobState;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Grid Engine's letters for states mean, and what its accounting says of jobs that have ended. */
final class GridEngineState {
    /** In accounting: a limit on time, processor time or memory was passed. */
    private static final int LIMIT = 37;

    /** In accounting: what ended was not its own doing, such as a job that was deleted. */
    private static final int KILLED = 100;

    private static final Pattern FIELD = Pattern.compile("(failed|exit_status)\\s+(\\d+).*");

    private GridEngineState() {}

    /** Of letters such as {@code qw}, {@code hqw}, {@code Eqw}, {@code t}, {@code r}, {@code Rr}, {@code dr}. */
    static JobState of(String letters) {
        if (letters.contains("d")) {
            return JobState.ENDING;
        }
        if (letters.contains("q") || letters.contains("w")) {
            return JobState.PENDING;
        }
        return letters.endsWith("t") ? JobState.STARTING : JobState.RUNNING;
    }

    /** A job whose start failed waits in a state of error until somebody clears it. */
    static boolean isError(String letters) {
        return letters.contains("E");
    }

    /** How a job has ended by what {@code qacct -j} prints; the last record is that of the job, those before are of its parts. */
    static JobState ended(List<String> lines) {
        int failed = 0;
        for (String line : lines) {
            Matcher field = FIELD.matcher(line);
            if (field.matches() && field.group(1).equals("failed")) {
                failed = Integer.parseInt(field.group(2));
            }
        }
        return switch (failed) {
            case LIMIT -> JobState.EXPIRED;
            case KILLED -> JobState.CANCELLED;
            default -> JobState.ENDED;
        };
    }
}
