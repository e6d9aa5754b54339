package io.sheaf.slurm.whatif;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.text.TimeText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Estimates from {@code sbatch --test-only}.
 *
 * <p>Slurm's answer considers running jobs and the queue's size but no backfilling, and uses up a job id. The class
 * therefore queries at most {@value #MOST} jobs per minute, and {@value #AT_ONCE} at a time, as a busy controller takes minutes to answer. Estimates
 * start queries in the background.
 */
final class TestOnly implements StartEstimator {
    static final String NAME = "test-only";
    private static final long UNKNOWN = StartTimes.UNKNOWN;
    private static final int MOST = 4;
    private static final int AT_ONCE = 2;
    private static final long FRESH = 60_000;
    private static final Pattern START = Pattern.compile("to start at ([0-9]+)");

    private final CommandRunner commands;
    private final Submissions submissions;
    private final Executor beside;
    private final Map<String, Answer> known = new HashMap<>();
    /** The instants of the queries of the last minute. */
    private final List<Long> queried = new ArrayList<>();

    private int running;

    /**
     * An answer.
     *
     * @param start the estimated start; {@link StartTimes#UNKNOWN} if there was no answer
     * @param why the reason for a missing answer
     */
    record Answer(long at, long start, String why) {}

    private static final long MIB = 1 << 20;

    /** Creates an estimator for jobs with these options, besides nodes and time. */
    TestOnly(CommandRunner commands, Submissions submissions, Executor beside) {
        this.commands = commands;
        this.beside = beside;
        this.submissions = submissions;
    }

    Submissions submissions() {
        return submissions;
    }

    @Override
    public Basis basis() {
        return Basis.SIMULATED;
    }

    @Override
    public synchronized void estimate(StartQuery query, StartTimes answer) {
        long now = query.now();
        known.values().removeIf(each -> now - each.at() > FRESH);
        answer.begin(query, basis());
        answer.fill(UNKNOWN);
        for (int i = 0; i < query.jobs() && !query.isWithQueued(); i++) {
            answer.job(
                    i,
                    start(StartQuery.of(now, query.pool(i), query.units(i), query.walltime(i))
                            .needing(query.memory())));
        }
    }

    /** The cached estimate; otherwise starts a query for a later call. */
    private long start(StartQuery job) {
        long now = job.now();
        String request =
                job.pool(0) + ":" + job.units(0) + "x" + TimeText.wholeMinutes(job.walltime(0)) + "x" + job.memory();
        Answer answer = known.get(request);
        if (answer == null && known.size() < MOST) {
            answer = new Answer(now, UNKNOWN, "not answered yet");
            known.put(request, answer);
            beside.execute(() -> learn(request, job));
        }
        return answer == null || answer.start() == UNKNOWN ? UNKNOWN : Math.max(now, answer.start());
    }

    private void learn(String request, StartQuery job) {
        try {
            Answer answer = query(job);
            synchronized (this) {
                known.put(request, answer);
            }
        } catch (UnreachableException e) {
            // Unknown; a query may be repeated after a minute.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Queries for a single job now and waits for the answer; without a query, the answer is unknown where the limits allow no further one. */
    Answer query(StartQuery job) throws UnreachableException, InterruptedException {
        if (!begin(job.now())) {
            return new Answer(job.now(), UNKNOWN, "too many queries in the last minute");
        }
        try {
            return unlimitedQuery(job);
        } finally {
            end();
        }
    }

    /** Counts a query; returns whether the limits allow it. */
    private synchronized boolean begin(long now) {
        queried.removeIf(at -> now - at > FRESH);
        if (queried.size() >= MOST || running >= AT_ONCE) {
            return false;
        }
        queried.add(now);
        running++;
        return true;
    }

    private synchronized void end() {
        running--;
    }

    private Answer unlimitedQuery(StartQuery job) throws UnreachableException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--test-only",
                "-N",
                String.valueOf(job.units(0)),
                "-t",
                String.valueOf(TimeText.wholeMinutes(job.walltime(0)))));
        if (job.memory() > 0) {
            words.add("--mem=" + (job.memory() + MIB - 1) / MIB + "M");
        }
        words.addAll(submissions.options(job.pool(0)));
        words.addAll(List.of("--wrap", "true"));
        return answer(job.now(), commands.query(words.toArray(String[]::new)));
    }

    static Answer answer(long now, CommandRunner.Answer printed) {
        Matcher start = START.matcher(printed.err() + printed.out());
        if (!start.find() || start.group(1).length() > 15) {
            return new Answer(now, UNKNOWN, printed.why());
        }
        return new Answer(now, Long.parseLong(start.group(1)) * 1000, "");
    }
}
