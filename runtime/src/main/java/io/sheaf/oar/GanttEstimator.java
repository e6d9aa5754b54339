package io.sheaf.oar;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.NewestAnswer;
import io.sheaf.runtime.batch.SharedAnswer;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Start-time estimates from the first free slot of OAR's {@link Gantt} schedule. One query every 30 s serves all
 * processes of a user.
 *
 * <p>Queries run in the background; only the first answer is awaited, for a short time. Until then, estimates are
 * unknown.
 */
final class GanttEstimator implements StartEstimator {
    /** The minimum interval between two queries, in milliseconds. */
    static final int APART = NewestAnswer.APART;

    private static final long AHEAD_DAYS = 60;
    private static final DateTimeFormatter INSTANT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final CommandRunner commands;
    private final SharedAnswer answer;
    private final int cores;
    private final LongFunction<String> names;
    private final NewestAnswer<Gantt> plan = new NewestAnswer<>(this::read, GanttEstimator::beside);
    private volatile Basis basis = Basis.NONE;

    /**
     * Creates an estimator for jobs that use {@code cores} cores of each node.
     *
     * @param names the job's name for a token
     */
    GanttEstimator(CommandRunner commands, SharedAnswer answer, int cores, LongFunction<String> names) {
        this.commands = commands;
        this.answer = answer;
        this.cores = cores;
        this.names = names;
    }

    /** The schedule stays fixed: each job is estimated independently, at the end of the queue. */
    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        Gantt gantt = plan.newest(query.now());
        basis = gantt == null ? Basis.NONE : Basis.SIMULATED;
        answer.begin(query, basis);
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
    public Basis basis() {
        return basis;
    }

    private static void beside(Runnable work) {
        Thread thread = new Thread(work, "oar plan");
        thread.setDaemon(true);
        thread.start();
    }

    private @Nullable Gantt read(long now) throws IOException, InterruptedException {
        SharedAnswer.Told told = answer.look(() -> ask(now));
        try {
            return told == null ? null : Gantt.parse(told.text(), cores, now);
        } catch (InputException e) {
            // The next query follows in 30 s.
            return null;
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
}
