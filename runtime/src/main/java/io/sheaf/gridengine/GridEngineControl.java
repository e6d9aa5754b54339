package io.sheaf.gridengine;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.JobState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the driver asks of Grid Engine about single jobs, as words of commands and what their answers mean. */
final class GridEngineControl implements BatchControl {
    static final String TITLE = "Grid Engine";

    /** So long after it has left the queue a job that ran may be missing from accounting, which is written now and then. */
    private static final long ACCOUNTING_NANOS = 20_000_000_000L;

    private static final Pattern NUMBER = Pattern.compile("(?m)^(\\d+)$");

    private final CommandRunner commands;
    private final GridEngineQueue queue;
    private final GridEngineScript script;
    private final Map<Long, Long> missedSince = new HashMap<>();

    GridEngineControl(CommandRunner commands, String user, GridEngineScript script) {
        this.commands = commands;
        this.script = script;
        queue = new GridEngineQueue(commands, user);
    }

    @Override
    public String title() {
        return TITLE;
    }

    @Override
    public long granted(long walltime) {
        return GridEngineScript.seconds(walltime) * 1000;
    }

    @Override
    public String script(long token, Request request) {
        return script.text(token, request);
    }

    @Override
    public Submitted submit(Path file, long token, Request request, long delaySeconds, long afterJob)
            throws IOException, InterruptedException {
        long notBefore = delaySeconds > 0 ? System.currentTimeMillis() + delaySeconds * 1000 : 0;
        return submit(commands, file, script.submission(token, request, notBefore, afterJob));
    }

    /** Submits a script with these words. */
    static Submitted submit(CommandRunner commands, Path file, List<String> words)
            throws IOException, InterruptedException {
        CommandRunner.Answer answer = commands.order(file, words.toArray(String[]::new));
        if (!answer.isGood()) {
            String why = answer.why().replaceAll("(Unable to run job: |; Exiting\\.)", "");
            return Submitted.refused(why, isForLimits(why));
        }
        Matcher matcher = NUMBER.matcher(answer.out());
        return Submitted.as(matcher.find() ? Long.parseLong(matcher.group(1)) : UNKNOWN);
    }

    /** Whether there are too many jobs already: {@code max_u_jobs}, {@code max_jobs}, or a quota. */
    static boolean isForLimits(String refusal) {
        return refusal.contains("jobs are allowed") || refusal.contains("job limit") || refusal.contains("quota");
    }

    @Override
    public List<Found> find(long token) throws IOException, InterruptedException {
        String name = script.common().name(token);
        List<Found> found = new ArrayList<>();
        for (Map<String, String> job : GridEngineQueue.jobs(queue.ask())) {
            if (GridEngineQueue.name(job).equals(name)) {
                found.add(new Found(GridEngineQueue.number(job), GridEngineState.of(GridEngineQueue.state(job))));
            }
        }
        return found;
    }

    /** Qmaster forgets a job when it has ended; what accounting says of it comes later, and nothing of one that was deleted before it started. */
    @Override
    public JobState state(long job) throws IOException, InterruptedException {
        JobState state = GridEngineQueue.find(queue.ask(), job);
        if (state != null) {
            return state;
        }
        CommandRunner.Answer kept = commands.order(null, "qacct", "-j", Long.toString(job));
        if (kept.isGood() && kept.out().contains("exit_status")) {
            missedSince.remove(job);
            return GridEngineState.ended(kept.lines());
        }
        if (!hasStarted(job)) {
            return JobState.CANCELLED;
        }
        long since = missedSince.computeIfAbsent(job, first -> System.nanoTime());
        return System.nanoTime() - since < ACCOUNTING_NANOS ? JobState.ENDING : JobState.GONE;
    }

    /** Whether a pilot job says that this job runs it. */
    private boolean hasStarted(long job) {
        Path all = script.common().all();
        if (!Files.isDirectory(all)) {
            return false;
        }
        try (Stream<Path> each = Files.list(all)) {
            return each.map(folder -> new JobFolder(folder).by()).anyMatch(by -> by != null && by.job() == job);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void cancel(List<Long> jobs) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("qdel"));
        jobs.forEach(job -> words.add(Long.toString(job)));
        commands.order(null, words.toArray(String[]::new));
    }

    @Override
    public boolean limit(long job, long walltime) throws IOException, InterruptedException {
        String limits = script.options().limits(GridEngineScript.seconds(walltime));
        return commands.order(null, "qalter", "-l", limits, Long.toString(job)).isGood();
    }

    @Override
    public String letGo(long job) {
        return "qrls " + job;
    }

    /** What a command printed that must succeed. */
    static String ask(CommandRunner commands, String... words) throws AwayException, InterruptedException {
        CommandRunner.Answer said = commands.ask(words);
        if (!said.isGood()) {
            throw new AwayException(words[0] + ": " + said.why());
        }
        return said.out();
    }
}
