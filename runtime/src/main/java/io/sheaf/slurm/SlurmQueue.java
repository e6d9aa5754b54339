package io.sheaf.slurm;

import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.SharedQueue;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jobs of a user as {@code squeue} prints them. */
record SlurmQueue(CommandRunner commands, String user) implements SharedQueue.Source {
    /** Number, state, start, reason. Elements of job arrays, which ours never are, have a number behind an underline. */
    private static final String FORMAT = "%i|%T|%S|%r";

    private static final Pattern LINE =
            Pattern.compile("(\\d+)(?:[_+][^|]*)?\\|([A-Z_]+)\\|(\\d+|N/A|Unknown|NONE|)\\|(.*)");

    @Override
    public String ask() throws IOException, InterruptedException {
        CommandRunner.Answer said = commands.ask("squeue", "-h", "-u", user, "-o", FORMAT);
        if (!said.isGood()) {
            throw new AwayException("squeue: " + said.why());
        }
        return said.out();
    }

    @Override
    public List<QueueLine> parse(String text) {
        List<QueueLine> jobs = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (line.isBlank()) {
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new InputException("squeue printed '" + line + "', which is no job");
            }
            String start = matcher.group(3);
            jobs.add(new QueueLine(
                    Long.parseLong(matcher.group(1)),
                    SlurmState.of(matcher.group(2)),
                    start.isEmpty() || !Character.isDigit(start.charAt(0)) ? -1 : Long.parseLong(start) * 1000,
                    SlurmState.outlook(matcher.group(4)),
                    SlurmState.told(matcher.group(4))));
        }
        return jobs;
    }
}
