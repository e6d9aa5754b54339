package io.sheaf.spool;

import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@link Spool} as a batch system. A real one would be queried by commands. */
public record SpoolCommands(Spool spool, int nodes) implements BatchCommands {
    private static final Pattern LINE = Pattern.compile("(\\d+) ([A-Z_]+) (-?\\d+)");

    /** Its submissions have no options. */
    @Override
    public BatchSystem system() {
        return new BatchSystem("spool", "the spool", terms -> terms.words("the spool", Map.of()), environment -> this);
    }

    @Override
    public Nodes nodes(List<String> options) {
        return new Nodes(nodes, 1, 0);
    }

    @Override
    public void check(RunSpec spec) {}

    @Override
    public List<Finding> findings(List<String> options, Path folder, long patience) {
        return List.of(Finding.good("spool", nodes + " nodes"));
    }

    @Override
    public String queueFile() {
        return "spool";
    }

    /** It counts in milliseconds. */
    @Override
    public long granted(long walltime) {
        return walltime;
    }

    @Override
    public String script(PilotJobScript run, long token, Request request) {
        return run.begin(token, List.of("spool", run.name(token)), "$SPOOL_JOB", "0")
                + "cat > agent <<'AGENT'\n" + run.agent(token, "$2", granted(request.walltime())) + "AGENT\n"
                + "for ((node = 0; node < " + request.units() + "; node++)); do\n"
                + "  /bin/bash agent \"$began\" $node < /dev/null &\n"
                + "done\n"
                + "until wait; do :; done\n"
                + PilotJobScript.END;
    }

    @Override
    public Submitted submit(
            PilotJobScript run, Path script, long token, Request request, long delaySeconds, long afterJob) {
        if (request.walltime() > 86_400_000) {
            return Submitted.refused("jobs have a day at most", false);
        }
        long notBefore = System.currentTimeMillis() + delaySeconds * 1000;
        return Submitted.as(spool.submit(new Spool.Job(
                run.name(token), script, request.units(), granted(request.walltime()), notBefore, afterJob)));
    }

    @Override
    public List<NamedJob> find(String name) {
        List<NamedJob> found = new ArrayList<>();
        spool.jobs().forEach((number, job) -> {
            if (job.name.equals(name)) {
                found.add(new NamedJob(number, state(job.stage)));
            }
        });
        return found;
    }

    @Override
    public JobState state(long number, BooleanSupplier began) {
        Spool.Job job = spool.jobs().get(number);
        return job == null ? JobState.UNLISTED : state(job.stage);
    }

    private static JobState state(Spool.Stage stage) {
        return switch (stage) {
            case WAITS -> JobState.PENDING;
            case RUNS -> JobState.RUNNING;
            case ENDED -> JobState.ENDED;
            case TIME_OVER -> JobState.EXPIRED;
            case DELETED -> JobState.CANCELLED;
        };
    }

    @Override
    public void cancel(List<Long> jobs) {
        jobs.forEach(spool::delete);
    }

    @Override
    public boolean limit(PilotJobScript run, long job, long walltime) {
        return spool.shorten(job, granted(walltime));
    }

    @Override
    public String releaseCommand(long job) {
        return "nothing: the spool holds no jobs, " + job + " included";
    }

    /** The queue as lines, which all processes of a user share. */
    @Override
    public String query() {
        StringBuilder lines = new StringBuilder();
        spool.jobs().forEach((number, job) -> {
            if (Spool.isActive(job)) {
                lines.append(number + " " + job.stage + " " + job.startedAt + "\n");
            }
        });
        return lines.toString();
    }

    @Override
    public List<QueueLine> parse(String text) {
        List<QueueLine> jobs = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new InputException("the spool printed '" + line + "', which is not a job");
            }
            jobs.add(new QueueLine(
                    Long.parseLong(matcher.group(1)),
                    state(Spool.Stage.valueOf(matcher.group(2))),
                    Long.parseLong(matcher.group(3)),
                    QueueLine.Outlook.STARTS,
                    ""));
        }
        return jobs;
    }
}
