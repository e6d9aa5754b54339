package io.sheaf.slurm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the driver asks of Slurm about single jobs, as words of commands and what their answers mean. */
final class SlurmControl {
    /** In place of a state: nobody knows the job any more. */
    static final String GONE = "GONE";

    private static final Pattern STATE = Pattern.compile("(?m)\\bJobState=([A-Z_]+)");
    private static final Pattern PARSABLE = Pattern.compile("(?m)^(\\d+)(;\\S+)?$");
    private static final Pattern FOUND = Pattern.compile("(\\d+)\\|([A-Z_]+)\\|([^|]*)\\|(.*)");

    /** A limit of an association or a QOS that is not one on submissions. */
    private static final Pattern OTHER_LIMIT = Pattern.compile("(QOS|Assoc)(Max|Grp|Min)(?!Submit)");

    private final SlurmCommands commands;
    private final String user;

    SlurmControl(SlurmCommands commands, String user) {
        this.commands = commands;
        this.user = user;
    }

    /** A job that carries a placeholder's name. */
    record Found(long job, String state) {}

    /** The number of the job that was submitted; refused, or not understood, if it is none. */
    record Submitted(long job, String refusal) {
        boolean isRefused() {
            return !refusal.isEmpty();
        }
    }

    Submitted submit(Marks marks, String script, List<String> words) throws IOException, InterruptedException {
        SlurmCommands.Answer answer = commands.order(marks.write(script), words.toArray(String[]::new));
        if (!answer.isGood()) {
            return new Submitted(SlurmJob.UNKNOWN, answer.why());
        }
        Matcher matcher = PARSABLE.matcher(answer.out());
        return new Submitted(matcher.find() ? Long.parseLong(matcher.group(1)) : SlurmJob.UNKNOWN, "");
    }

    /** All jobs of the user with this name or comment that Slurm has not forgotten. */
    List<Found> find(String name) throws IOException, InterruptedException {
        SlurmCommands.Answer answer = commands.ask("squeue", "-h", "-t", "all", "-u", user, "-o", "%i|%T|%j|%k");
        if (!answer.isGood()) {
            throw new SlurmAwayException("squeue: " + answer.why());
        }
        List<Found> found = new ArrayList<>();
        for (String line : answer.lines()) {
            Matcher matcher = FOUND.matcher(line);
            if (matcher.matches()
                    && (matcher.group(3).equals(name) || matcher.group(4).equals(name))) {
                found.add(new Found(Long.parseLong(matcher.group(1)), matcher.group(2)));
            }
        }
        return found;
    }

    /** What Slurm says of a job, {@link #GONE} if it knows nothing. */
    String state(long job) throws IOException, InterruptedException {
        SlurmCommands.Answer shown = commands.ask("scontrol", "-o", "show", "job", Long.toString(job));
        Matcher matcher = STATE.matcher(shown.out());
        if (shown.isGood() && matcher.find()) {
            return matcher.group(1);
        }
        if (!shown.why().contains("Invalid job id")) {
            throw new SlurmAwayException("scontrol: " + shown.why());
        }
        try {
            SlurmCommands.Answer kept =
                    commands.order(null, "sacct", "-n", "-P", "-X", "-j", Long.toString(job), "-o", "State");
            String state = kept.out().strip().split("\\s+")[0];
            return kept.isGood() && JobState.isFinal(state) ? state : GONE;
        } catch (SlurmAwayException e) {
            // slurmdbd is away, or there is none; what slurmctld says is enough to know that it is over.
            return GONE;
        }
    }

    /** Cancels jobs; one that is over already is no failure. */
    void cancel(List<Long> jobs) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("scancel"));
        jobs.forEach(job -> words.add(Long.toString(job)));
        commands.order(null, words.toArray(String[]::new));
    }

    /** Sets a job's time limit; whether it was taken. */
    boolean limit(long job, long minutes) throws IOException, InterruptedException {
        return commands.order(null, "scontrol", "update", "JobId=" + job, "TimeLimit=" + minutes)
                .isGood();
    }

    /** Of several jobs of one placeholder, the first that is not over; of those that all are, the first. */
    static Found likeliest(List<Found> found) {
        for (Found each : found) {
            if (!JobState.isFinal(each.state())) {
                return each;
            }
        }
        return found.get(0);
    }

    /** Whether a submission was refused because there are too many already, and may succeed later. */
    static boolean isForLimits(String refusal) {
        boolean many = refusal.contains("MaxSubmit") || refusal.contains("GrpSubmit");
        boolean unsaid = refusal.contains("job submit limit")
                && !OTHER_LIMIT.matcher(refusal).find();
        return many || unsaid || refusal.contains("Job dependency problem");
    }
}
