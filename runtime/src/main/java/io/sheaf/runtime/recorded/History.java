package io.sheaf.runtime.recorded;

import io.sheaf.manager.Checkpoint;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.NoEffects;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.TaskState;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.report.AttemptRecord;
import io.sheaf.report.DecisionRecord;
import io.sheaf.report.RunLog;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.Expectations;
import io.sheaf.runtime.record.RunJournal;
import io.sheaf.runtime.run.Forest;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A run reconstructed from its journal, for reports: manager state, pilot jobs, attempts and decisions.
 *
 * <p>A follower reads the journal repeatedly and receives only records that are new to it.
 */
public final class History implements RunJournal.Listener {
    private record Running(long token, Set<Integer> nodes, int attempt, long since) {}

    /** The maximum time between the decisions of a live manager and what agents do and report, in milliseconds. */
    private static final long LATENCY = 5_000;

    /** The maximum time that a pilot job lasts beyond its walltime: reserve, rounding and grace, in milliseconds. */
    private static final long ROUNDING = 120_000;

    private final Manager manager;
    private final Forest forest;
    private final @Nullable RunListener follower;
    private final long known;
    private final RunLog log;
    private final Map<Integer, Running> running = new TreeMap<>();
    private final List<DecisionRecord> decisions = new ArrayList<>();
    private final List<AttemptResult> results = new ArrayList<>();
    private final Map<List<Long>, String> hosts = new HashMap<>();
    private final Expectations expectations = new Expectations();
    private final Effects book = new Book();
    private long begunAt;
    private @Nullable RunTimeUpdate planned;
    private long records;
    private @Nullable Decision last;
    private boolean lastIsNews;

    /**
     * Creates an empty history.
     *
     * @param manager a manager without state
     * @param follower receives records after the first {@code known} ones
     */
    public History(Manager manager, @Nullable RunListener follower, long known) {
        this.manager = manager;
        log = new RunLog(manager.pools());
        forest = new Forest(manager.workflow());
        this.follower = follower;
        this.known = known;
    }

    @Override
    public void begun(String run, long at) {
        next();
        begunAt = at;
    }

    @Override
    public void event(Event event) {
        boolean isNew = next();
        if (event instanceof Event.Started start) {
            log.started(start.token(), start.at());
        } else if (event instanceof Event.Ended ended) {
            long at = endOf(ended);
            end(
                    attempt -> attempt.token == ended.token(),
                    at,
                    ended.how() == Event.End.PREEMPTED ? Event.Outcome.PREEMPTED : Event.Outcome.CUT_OFF);
            log.ended(ended.token(), at, ended.how());
        } else if (event instanceof Event.Granted granted) {
            log.granted(granted.token(), granted.units(), granted.walltime());
        } else if (event instanceof Event.NodeUp up && !up.host().isEmpty()) {
            hosts.put(List.of(up.token(), (long) up.node()), up.host());
        } else if (event instanceof Event.NodeLost lost) {
            end(
                    attempt -> attempt.token == lost.token() && attempt.nodes.contains(lost.node()),
                    lost.at(),
                    Event.Outcome.NODE_LOST);
        } else if (event instanceof Event.Refused refused) {
            log.refused(refused.token(), refused.at());
        } else if (event instanceof Event.Retimed retimed) {
            planned = planned == null && retimed.at() == begunAt ? retimed.times() : planned;
        } else if (event instanceof Event.TaskEnded ended) {
            Running attempt = running.get(ended.task());
            if (attempt != null && attempt.attempt == ended.attempt()) {
                running.remove(ended.task());
                log.taskEnded(ended.task(), endOf(attempt, ended), ended.outcome());
            }
        }
        manager.on(event, book);
        forest.apply(event, manager);
        if (event instanceof Event.Restored restored) {
            restore(restored.as());
        }
        if (isNew && follower != null) {
            follower.happened(event, manager);
        }
    }

    /** Restores running jobs and attempts from the checkpoint at the start of a journal. */
    private void restore(Checkpoint as) {
        for (Checkpoint.PilotJobState job : as.pilotJobs()) {
            log.submitted(job.token(), job.request(), job.submittedAt());
            if (job.startedAt() >= 0) {
                log.started(job.token(), job.startedAt());
            }
        }
        for (Checkpoint.Host host : as.hosts()) {
            for (int i = 0; i < host.nodes().size(); i += 2) {
                hosts.put(host.nodes().subList(i, i + 2), host.name());
            }
        }
        for (Checkpoint.Running each : as.attempts()) {
            int[] nodes = each.nodes().stream().mapToInt(Integer::intValue).toArray();
            running.put(
                    each.task(), new Running(each.token(), Set.copyOf(each.nodes()), each.number(), each.startedAt()));
            log.taskStarted(each.token(), nodes, each.task(), each.startedAt(), manager.needs(each.task()));
        }
    }

    /**
     * When an attempt ended. A manager that did not run learns of an end at its next start; the attempt then lasted as long as
     * its agent measured.
     */
    private static long endOf(Running attempt, Event.TaskEnded ended) {
        long end = attempt.since + ended.took();
        return ended.took() >= 0 && ended.at() - end > LATENCY ? end : ended.at();
    }

    /** When a pilot job ended: long after its walltime only if no manager was running then. */
    private long endOf(Event.Ended ended) {
        PilotJob job = manager.find(ended.token());
        return job != null && job.startedAt() >= 0 && ended.at() - job.limit() > ROUNDING ? job.limit() : ended.at();
    }

    /** Ends the attempts that match. */
    private void end(Predicate<Running> condition, long at, Event.Outcome outcome) {
        running.entrySet().removeIf(each -> {
            boolean ends = condition.test(each.getValue());
            if (ends) {
                log.taskEnded(each.getKey(), at, outcome);
            }
            return ends;
        });
    }

    @Override
    public void settled(long at, @Nullable Decision decision) {
        boolean isNew = next();
        manager.replay(at, decision, book);
        last = decision;
        lastIsNews = isNew;
    }

    @Override
    public void considered(Considerations considerations) {
        records++;
        Decision decision = last;
        if (decision != null) {
            DecisionRecord decided = considerations.decided(decision);
            if (!decided.orders().isEmpty() || !decided.chosen().isEmpty()) {
                decisions.add(decided);
            }
            reportLast(considerations);
        }
    }

    @Override
    public void result(AttemptResult result) {
        boolean isNew = next();
        results.add(result);
        if (isNew && follower != null) {
            follower.ended(result);
        }
    }

    /**
     * Counts one more record, which may show that the previous decision had no considerations. Returns whether it is
     * new to the follower.
     */
    private boolean next() {
        reportLast(null);
        return records++ >= known;
    }

    private void reportLast(@Nullable Considerations considered) {
        Decision decision = last;
        last = null;
        if (decision != null) {
            expectations.decided(decision, considered);
            if (lastIsNews && follower != null) {
                follower.decided(decision, considered, manager);
            }
        }
    }

    public long records() {
        return records;
    }

    public Manager manager() {
        return manager;
    }

    /** The workflows of the run. */
    public Forest forest() {
        return forest;
    }

    /** When the run began; 0 if it has not. */
    public long begunAt() {
        return begunAt;
    }

    /** The run times from earlier runs that the run began with; null if there were none. */
    public @Nullable RunTimeUpdate planned() {
        return planned;
    }

    /** The results of all finished attempts, in order. */
    public List<AttemptResult> results() {
        return List.copyOf(results);
    }

    /** The name of a node of a pilot job in the batch system; empty if unknown. */
    public String host(long token, int node) {
        return hosts.getOrDefault(List.of(token, (long) node), "");
    }

    public Expectations expectations() {
        return expectations;
    }

    /**
     * Returns the whole run for reports.
     *
     * @param before decisions from before the manager began
     * @param at the current instant, for a run that is not finished
     */
    public RunRecord record(String strategy, List<DecisionRecord> before, long at) {
        List<DecisionRecord> all = new ArrayList<>(before);
        all.addAll(decisions);
        boolean completed =
                IntStream.range(0, manager.workflow().size()).allMatch(task -> manager.state(task) == TaskState.DONE);
        long latest = Math.max(Math.max(begunAt, manager.now()), at);
        List<AttemptRecord> attempts = completed ? log.attempts() : log.attempts(latest);
        long end = completed
                ? attempts.stream().mapToLong(AttemptRecord::ended).max().orElse(begunAt)
                : latest;
        return new RunRecord(
                manager.workflow(),
                strategy,
                manager.nodes(),
                manager.coresPerNode(),
                completed,
                begunAt,
                end,
                log.jobs(),
                attempts,
                all);
    }

    /** Records effects without carrying them out. */
    private final class Book extends NoEffects {
        @Override
        public void submit(long token, Request request) {
            log.submitted(token, request, manager.now());
        }

        @Override
        public void shorten(long token, long walltime) {
            log.shortened(token, walltime);
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            start(token, nodes, manager.workflow().resources(task), task, attempt);
        }

        @Override
        public void start(long token, int[] nodes, Resources needs, int task, int attempt) {
            Set<Integer> on = Arrays.stream(nodes).boxed().collect(Collectors.toSet());
            running.put(task, new Running(token, on, attempt, manager.now()));
            log.taskStarted(token, nodes, task, manager.now(), needs);
        }
    }
}
