package io.sheaf.slurm;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the driver asks of Slurm about single jobs, as words of commands and what their answers mean. */
final class SlurmControl implements BatchControl {
    static final String TITLE = "Slurm";

    private static final long MINUTE = 60_000;
    private static final Pattern STATE = Pattern.compile("(?m)\\bJobState=([A-Z_]+)");
    private static final Pattern PARSABLE = Pattern.compile("(?m)^(\\d+)(;\\S+)?$");
    private static final Pattern FOUND = Pattern.compile("(\\d+)\\|([A-Z_]+)\\|([^|]*)\\|(.*)");

    /** A limit of an association or a QOS that is not one on submissions. */
    private static final Pattern OTHER_LIMIT = Pattern.compile("(QOS|Assoc)(Max|Grp|Min)(?!Submit)");

    private final CommandRunner commands;
    private final String user;
    private final JobScript script;

    SlurmControl(CommandRunner commands, String user, JobScript script) {
        this.commands = commands;
        this.user = user;
        this.script = script;
    }

    @Override
    public String title() {
        return TITLE;
    }

    @Override
    public long granted(long walltime) {
        return JobScript.minutes(walltime) * MINUTE;
    }

    @Override
    public String script(long token, Request request) {
        return script.text(token, request);
    }

    @Override
    public Submitted submit(Path file, long token, Request request, long delaySeconds, long afterJob)
            throws IOException, InterruptedException {
        return submit(commands, file, script.submission(token, request, delaySeconds, afterJob));
    }

    /** Submits a script with these words. */
    static Submitted submit(CommandRunner commands, Path file, List<String> words)
            throws IOException, InterruptedException {
        CommandRunner.Answer answer = commands.order(file, words.toArray(String[]::new));
        if (!answer.isGood()) {
            return Submitted.refused(answer.why(), isForLimits(answer.why()));
        }
        Matcher matcher = PARSABLE.matcher(answer.out());
        return Submitted.as(matcher.find() ? Long.parseLong(matcher.group(1)) : UNKNOWN);
    }

    /** By name or comment. */
    @Override
    public List<Found> find(long token) throws IOException, InterruptedException {
        String name = script.name(token);
        CommandRunner.Answer answer = commands.ask("squeue", "-h", "-t", "all", "-u", user, "-o", "%i|%T|%j|%k");
        if (!answer.isGood()) {
            throw new AwayException("squeue: " + answer.why());
        }
        List<Found> found = new ArrayList<>();
        for (String line : answer.lines()) {
            Matcher matcher = FOUND.matcher(line);
            if (matcher.matches()
                    && (matcher.group(3).equals(name) || matcher.group(4).equals(name))) {
                found.add(new Found(Long.parseLong(matcher.group(1)), SlurmState.of(matcher.group(2))));
            }
        }
        return found;
    }

    @Override
    public JobState state(long job) throws IOException, InterruptedException {
        CommandRunner.Answer shown = commands.ask("scontrol", "-o", "show", "job", Long.toString(job));
        Matcher matcher = STATE.matcher(shown.out());
        if (shown.isGood() && matcher.find()) {
            return SlurmState.of(matcher.group(1));
        }
        if (!shown.why().contains("Invalid job id")) {
            throw new AwayException("scontrol: " + shown.why());
        }
        try {
            CommandRunner.Answer kept =
                    commands.order(null, "sacct", "-n", "-P", "-X", "-j", Long.toString(job), "-o", "State");
            JobState state = SlurmState.of(kept.out().strip().split("\\s+")[0]);
            return kept.isGood() && state.isFinal() ? state : JobState.GONE;
        } catch (AwayException e) {
            // slurmdbd is away, or there is none; what slurmctld says is enough to know that it is over.
            return JobState.GONE;
        }
    }

    @Override
    public void cancel(List<Long> jobs) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("scancel"));
        jobs.forEach(job -> words.add(Long.toString(job)));
        commands.order(null, words.toArray(String[]::new));
    }

    @Override
    public boolean limit(long job, long walltime) throws IOException, InterruptedException {
        return commands.order(null, "scontrol", "update", "JobId=" + job, "TimeLimit=" + JobScript.minutes(walltime))
                .isGood();
    }

    @Override
    public String letGo(long job) {
        return "scontrol release " + job;
    }

    /** Whether a submission was refused because there are too many already, and may succeed later. */
    static boolean isForLimits(String refusal) {
        boolean many = refusal.contains("MaxSubmit") || refusal.contains("GrpSubmit");
        boolean unsaid = refusal.contains("job submit limit")
                && !OTHER_LIMIT.matcher(refusal).find();
        return many || unsaid || refusal.contains("Job dependency problem");
    }
}
