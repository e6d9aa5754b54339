package io.sheaf.oar;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.SharedAnswer;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * When would a job start on this cluster? In the first hole of OAR's own plan, {@link Gantt}, which is asked for every half minute, once for all processes of a user.
 *
 * <p>OAR is asked beside the thread that wants to know; only the first answer is waited for, and not for long. While there is none, nothing is known.
 */
final class GanttEstimator implements StartEstimator {
    /** The least time between two questions, in milliseconds. */
    static final int APART = 30_000;

    private static final long TOO_OLD = 600_000;
    private static final long FIRST_SECONDS = 10;
    private static final long AHEAD_DAYS = 60;
    private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final CommandRunner commands;
    private final SharedAnswer answer;
    private final int cores;
    private final LongFunction<String> names;
    private final CountDownLatch first = new CountDownLatch(1);
    private @Nullable Plan newest;
    private boolean busy;
    private long triedAt = Long.MIN_VALUE;

    /** A plan, and when it was asked for. */
    private record Plan(long at, Gantt gantt) {}

    /**
     * An estimator for jobs that take so many cores of each node.
     *
     * @param names the job's name for a token
     */
    GanttEstimator(CommandRunner commands, SharedAnswer answer, int cores, LongFunction<String> names) {
        this.commands = commands;
        this.answer = answer;
        this.cores = cores;
        this.names = names;
    }

    /** What is planned stays as it is: other jobs come last, and each is estimated as if it were alone. */
    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        Gantt gantt = gantt(query.now());
        answer.begin(query, gantt == null ? Basis.NONE : Basis.SIMULATED);
        if (gantt == null) {
            answer.fill(query.isWithQueued() ? StartTimes.NEVER : query.now());
            return;
        }
        for (int i = 0; i < query.queued(); i++) {
            long planned = gantt.planned(names.apply(query.token(i)));
            answer.queued(i, planned == StartTimes.NEVER ? planned : Math.max(query.now(), planned));
        }
        for (int i = 0; i < query.jobs(); i++) {
            answer.job(i, gantt.hole(query.now(), query.units(i), OarScript.limit(query.walltime(i))));
        }
    }

    @Override
    public synchronized Basis basis() {
        return newest == null ? Basis.NONE : Basis.SIMULATED;
    }

    private @Nullable Gantt gantt(long now) {
        want(now);
        try {
            first.await(FIRST_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            newest = newest == null || now - newest.at() > TOO_OLD ? null : newest;
            return newest == null ? null : newest.gantt();
        }
    }

    private synchronized void want(long now) {
        if (!busy && (triedAt == Long.MIN_VALUE || now - triedAt >= APART)) {
            busy = true;
            triedAt = now;
            Thread thread = new Thread(() -> take(now), "oar plan");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void take(long now) {
        Plan seen = null;
        try {
            SharedAnswer.Told told = answer.look(() -> ask(now));
            seen = told == null ? null : new Plan(now, Gantt.parse(told.text(), cores, now));
        } catch (IOException | InputException e) {
            // The last one does for a while; half a minute from now it is tried again.
            seen = null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            taken(seen);
            first.countDown();
        }
    }

    private String ask(long now) throws IOException, InterruptedException {
        Instant from = Instant.ofEpochMilli(now);
        CommandRunner.Answer said = commands.ask(
                "oarstat", "--gantt", text(from) + ", " + text(from.plusSeconds(AHEAD_DAYS * 86_400)), "-J");
        if (!said.isGood()) {
            throw new AwayException("oarstat: " + said.why());
        }
        return said.out();
    }

    private static String text(Instant instant) {
        return INSTANT.format(instant.atZone(ZoneId.systemDefault()));
    }

    private synchronized void taken(@Nullable Plan seen) {
        newest = seen == null ? newest : seen;
        busy = false;
    }
}
