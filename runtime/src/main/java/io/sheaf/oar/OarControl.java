package io.sheaf.oar;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the driver asks of OAR about single jobs, as words of commands and what their answers mean. */
final class OarControl implements BatchControl {
    static final String TITLE = "OAR";

    private static final Pattern NUMBER = Pattern.compile("(?m)^OAR_JOB_ID=(\\d+)\\s*$");

    /** Sites refuse in words of their own, by admission rules; those about how many jobs one has are recognised by them. */
    private static final Pattern TOO_MANY = Pattern.compile(
            "too many|(more than|limit of|limited to|at most|max(imum)?( of| number of)?:?) ?\\d* ?\\w* ?(jobs?|submissions?)\\b"
                    + "|(jobs?|submissions?) (limit|quota)",
            Pattern.CASE_INSENSITIVE);

    private final CommandRunner commands;
    private final String user;
    private final OarScript script;

    OarControl(CommandRunner commands, String user, OarScript script) {
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
        return OarScript.limit(walltime);
    }

    @Override
    public String script(long token, Request request) {
        return script.text(token, request);
    }

    @Override
    public Submitted submit(Path file, long token, Request request, long delaySeconds, long afterJob)
            throws IOException, InterruptedException {
        Instant notBefore = delaySeconds > 0 ? Instant.now().plusSeconds(delaySeconds) : null;
        return submit(commands, script.submission(token, request, notBefore, afterJob));
    }

    /** Submits with these words. */
    static Submitted submit(CommandRunner commands, List<String> words) throws IOException, InterruptedException {
        CommandRunner.Answer answer = commands.order(null, words.toArray(String[]::new));
        if (!answer.isGood()) {
            return Submitted.refused(answer.why(), isForLimits(answer.why()));
        }
        Matcher matcher = NUMBER.matcher(answer.out());
        return Submitted.as(matcher.find() ? Long.parseLong(matcher.group(1)) : UNKNOWN);
    }

    /** By name, in OAR's database, which forgets nothing for as long as the site keeps it. */
    @Override
    public List<Found> find(long token) throws IOException, InterruptedException {
        String where = "job_user = " + literal(user) + " AND job_name = " + literal(script.name(token));
        List<Found> found = new ArrayList<>();
        jobs(commands, "--sql", where)
                .forEach((number, job) -> found.add(new Found(Long.parseLong(number), OarState.of(job))));
        return found;
    }

    @Override
    public JobState state(long job) throws IOException, InterruptedException {
        OarJson said = jobs(commands, "-f", "-j", Long.toString(job)).get(Long.toString(job));
        return said == null ? JobState.GONE : OarState.of(said);
    }

    /** Jobs by number, as {@code oarstat} tells of those that are asked for. */
    static Map<String, OarJson> jobs(CommandRunner commands, String... which) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("oarstat", "-J"));
        words.addAll(List.of(which));
        CommandRunner.Answer answer = commands.ask(words.toArray(String[]::new));
        if (!answer.isGood()) {
            throw new AwayException("oarstat: " + answer.why());
        }
        try {
            return OarJson.parse("oarstat", answer.out()).objects();
        } catch (InputException e) {
            throw new AwayException(String.valueOf(e.getMessage()));
        }
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    @Override
    public void cancel(List<Long> jobs) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("oardel"));
        jobs.forEach(job -> words.add(Long.toString(job)));
        commands.order(null, words.toArray(String[]::new));
    }

    /** OAR changes no queued job; the agents are told when they call, and keep to it. */
    @Override
    public boolean limit(long job, long walltime) {
        return true;
    }

    @Override
    public String letGo(long job) {
        return "oarresume " + job;
    }

    /** Whether a submission was refused because there are too many already, and may succeed later. */
    static boolean isForLimits(String refusal) {
        return refusal.contains("[ADMISSION RULE]") && TOO_MANY.matcher(refusal).find();
    }
}
