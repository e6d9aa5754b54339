package io.sheaf.gridengine;

import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.QueueLine.Outlook;
import io.sheaf.runtime.batch.SharedQueue;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The jobs of a user as {@code qstat -xml} prints them. */
record GridEngineQueue(CommandRunner commands, String user) implements SharedQueue.Source {
    /** Behind the queue: the jobs that somebody holds. One that waits for another, which is no hold by somebody, has the same letters. */
    private static final String HELD = "\n<!-- held -->\n";

    @Override
    public String ask() throws IOException, InterruptedException {
        String all = qstat("qstat", "-xml", "-u", user);
        if (!all.contains("<state>h")) {
            return all;
        }
        return all
                + HELD
                + qstat("qstat", "-xml", "-u", user, "-s", "hu")
                + HELD
                + qstat("qstat", "-xml", "-u", user, "-s", "ho");
    }

    private String qstat(String... words) throws IOException, InterruptedException {
        CommandRunner.Answer said = commands.ask(words);
        if (!said.isGood()) {
            throw new AwayException("qstat: " + said.why());
        }
        return said.out();
    }

    @Override
    public List<QueueLine> parse(String text) {
        String[] parts = text.split(HELD);
        List<Long> held = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            jobs(parts[i]).forEach(job -> held.add(number(job)));
        }
        List<QueueLine> lines = new ArrayList<>();
        for (Map<String, String> job : jobs(parts[0])) {
            String letters = state(job);
            Outlook outlook = GridEngineState.isError(letters)
                    ? Outlook.NEVER
                    : held.contains(number(job)) ? Outlook.HELD : Outlook.STARTS;
            lines.add(new QueueLine(
                    number(job),
                    GridEngineState.of(letters),
                    started(job.getOrDefault("JAT_start_time", "")),
                    outlook,
                    outlook == Outlook.NEVER
                            ? "its start failed (" + letters + "), see qstat -j " + number(job)
                            : letters));
        }
        return lines;
    }

    static List<Map<String, String>> jobs(String text) {
        return QstatXml.elements("job_list", text);
    }

    static long number(Map<String, String> job) {
        try {
            return Long.parseLong(job.getOrDefault("JB_job_number", ""));
        } catch (NumberFormatException e) {
            throw new InputException("qstat printed a job without a number: " + job);
        }
    }

    static String name(Map<String, String> job) {
        return job.getOrDefault("JB_name", "");
    }

    static String state(Map<String, String> job) {
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

    /** How far a job of the user is; null if it is not in the queue. */
    static @org.jspecify.annotations.Nullable JobState find(String text, long number) {
        for (Map<String, String> job : jobs(text)) {
            if (number(job) == number) {
                return GridEngineState.of(state(job));
            }
        }
        return null;
    }
}
