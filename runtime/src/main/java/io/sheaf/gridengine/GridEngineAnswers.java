package io.sheaf.gridengine;

import io.sheaf.runtime.batch.BatchCommands.Found;
import io.sheaf.runtime.batch.BatchCommands.Submitted;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.QueueLine.Outlook;
import io.sheaf.text.InputException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the answers of Grid Engine's commands mean; pure functions of what they print. */
final class GridEngineAnswers {
    /** Between the queue and the jobs that a user or an operator holds: a job that waits for another one has the same letters. */
    static final String HELD = "\n<!-- held -->\n";

    /** In accounting: a limit on time, processor time or memory was passed. */
    private static final int LIMIT = 37;

    /** In accounting: the job was ended from outside, such as one that was deleted. */
    private static final int KILLED = 100;

    private static final Pattern FIELD = Pattern.compile("(failed|exit_status)\\s+(\\d+).*");
    private static final Pattern NUMBER = Pattern.compile("(?m)^(\\d+)$");

    private GridEngineAnswers() {}

    /** The user's jobs by {@code qstat -xml}, and behind {@link #HELD} those that are held. */
    static List<QueueLine> queue(String text) {
        String[] parts = text.split(HELD);
        List<Long> held = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            jobs(parts[i]).forEach(job -> held.add(number(job)));
        }
        List<QueueLine> lines = new ArrayList<>();
        for (Map<String, String> job : jobs(parts[0])) {
            String letters = letters(job);
            // A job whose start failed stays in a state of error until a user clears it.
            Outlook outlook =
                    letters.contains("E") ? Outlook.NEVER : held.contains(number(job)) ? Outlook.HELD : Outlook.STARTS;
            lines.add(new QueueLine(
                    number(job),
                    state(letters),
                    started(job.getOrDefault("JAT_start_time", "")),
                    outlook,
                    outlook == Outlook.NEVER
                            ? "its start failed (" + letters + "), see qstat -j " + number(job)
                            : letters));
        }
        return lines;
    }

    private static List<Map<String, String>> jobs(String text) {
        return QstatXml.elements("job_list", text);
    }

    private static long number(Map<String, String> job) {
        try {
            return Long.parseLong(job.getOrDefault("JB_job_number", ""));
        } catch (NumberFormatException e) {
            throw new InputException("qstat printed a job without a number: " + job);
        }
    }

    private static String letters(Map<String, String> job) {
        return job.getOrDefault("state", "");
    }

    /** In milliseconds, −1 if that cannot be read; qstat prints local time. */
    private static long started(String time) {
        try {
            return LocalDateTime.parse(time)
                    .atZone(ZoneId.systemDefault())
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException e) {
            return -1;
        }
    }

    /** The letters for the state of a job in {@code qstat -xml}; null if it is not there. */
    static @Nullable String letters(String text, long number) {
        for (Map<String, String> job : jobs(text)) {
            if (number(job) == number) {
                return letters(job);
            }
        }
        return null;
    }

    /** Jobs of this name in {@code qstat -xml}. */
    static List<Found> found(String text, String name) {
        List<Found> found = new ArrayList<>();
        for (Map<String, String> job : jobs(text)) {
            if (job.getOrDefault("JB_name", "").equals(name)) {
                found.add(new Found(number(job), state(letters(job))));
            }
        }
        return found;
    }

    /** A state by letters such as {@code qw}, {@code hqw}, {@code Eqw}, {@code t}, {@code r}, {@code Rr}, {@code dr}. */
    static JobState state(String letters) {
        if (letters.contains("d")) {
            return JobState.ENDING;
        }
        if (letters.contains("q") || letters.contains("w")) {
            return JobState.PENDING;
        }
        return letters.endsWith("t") ? JobState.STARTING : JobState.RUNNING;
    }

    /** How a job ended by {@code qacct -j}; the last record is that of the job, those before are of its parts. */
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

    /** The answer of {@code qsub -terse}. */
    static Submitted submitted(CommandRunner.Answer answer) {
        if (!answer.isGood()) {
            String why = answer.why().replaceAll("(Unable to run job: |; Exiting\\.)", "");
            return Submitted.refused(why, isForLimits(why));
        }
        Matcher matcher = NUMBER.matcher(answer.out());
        return Submitted.as(matcher.find() ? Long.parseLong(matcher.group(1)) : GridEngineCommands.UNKNOWN);
    }

    /** Whether there are too many jobs: {@code max_u_jobs}, {@code max_jobs}, or a quota. */
    static boolean isForLimits(String refusal) {
        return refusal.contains("jobs are allowed") || refusal.contains("job limit") || refusal.contains("quota");
    }
}
