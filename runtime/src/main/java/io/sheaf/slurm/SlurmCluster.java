package io.sheaf.slurm;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Estimator;
import io.sheaf.runtime.Agents;
import io.sheaf.runtime.Backend;
import io.sheaf.runtime.RunClock;
import io.sheaf.slurm.SlurmJob.Phase;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Slurm as a batch system: placeholders are its jobs, and agents run in them.
 *
 * <h2>What is heard</h2>
 * That a job started is learnt from its agents' calls, and that it ended from their farewells. The queue is looked at now and then for what agents
 * cannot tell. A job that is not in it any more is asked for by itself.
 *
 * <h2>Submissions that are not answered</h2>
 * The job may be there or not. It is looked for by its name, by its comment and by the mark that it leaves when it starts; only when it is found
 * nowhere, twice, is it submitted again. Should both turn up, the script lets one of them run.
 *
 * <h2>When a placeholder is over</h2>
 * Nothing may run in it any more. Its agents have said so, or left a mark; or Slurm says that the job has ended, and no agent of it is reached. Slurm does
 * not know what runs on a node that fails: there the agents are told to end, and if none is reached, some time is given to those that see the run's folder only.
 *
 * <h2>Identity</h2>
 * A job that was requeued is another one: its script finds that it has run, and ends.
 */
public final class SlurmCluster implements Backend {
    /** Agents end by themselves so long before the time limit at most. */
    private static final long EARLY = 20_000;

    private static final int STOP_GRACE_MILLIS = 2_000;
    /** A released job whose agents do not end is cancelled after this. */
    private static final long RELEASE_PATIENCE = 20_000;
    /** Agents on a node that failed, and that nobody reaches, have ended by then: they look for the mark that they are over. */
    private static final long LOST_PATIENCE = 60_000;
    /** Between two looks for a submission that was not answered: it may still be on its way. */
    private static final long LOST_PAUSE = 3_000;

    /** Agents of an earlier process find this one within that time. */
    private static final long CALL_PATIENCE = 5_000;

    private static final long ASK_PAUSE = 1_000;
    private static final long AWAY_PAUSE = 3_000;
    private static final long CANCEL_AGAIN = 60_000;
    private static final long LIMIT_PAUSE = 30_000;
    private static final long SOON = 200;

    private final RunFolder run;
    private final JobScript script;
    private final Capacity capacity;
    private final SlurmControl control;
    private final SharedQueue queue;
    private final SlurmLog log;
    private final Agents link;
    private final RunClock clock;
    private final Consumer<String> messages;
    private final Estimator estimator;
    private final Errands errands;
    private final Map<Long, SlurmJob> jobs;
    private final long openedAt;
    private final Queue<Event> told = new ArrayDeque<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private boolean dirty;
    private boolean away;
    private boolean looking;
    private long nextLook;
    private long seen;
    private int others;

    /**
     * What a run may take.
     *
     * @param cap the most jobs of the user at once, those included that are not of this run
     */
    record Capacity(int nodes, int coresPerNode, int cap) {}

    /** The placeholders of a run, as the log has them. */
    SlurmCluster(
            RunFolder run,
            JobScript script,
            Capacity capacity,
            SlurmControl control,
            SharedQueue queue,
            SlurmLog log,
            Agents link,
            RunClock clock,
            Runnable wake,
            Consumer<String> messages,
            Estimator estimator)
            throws IOException {
        this.run = run;
        this.script = script;
        this.capacity = capacity;
        this.control = control;
        this.queue = queue;
        this.log = log;
        this.link = link;
        this.clock = clock;
        this.messages = messages;
        this.estimator = estimator;
        errands = new Errands(wake);
        jobs = log.replay();
        openedAt = clock.millis();
        for (SlurmJob job : jobs.values()) {
            if (job.wanted != null && !job.isOver()) {
                job.cancelAt = openedAt;
            }
        }
    }

    // --- commands ---

    @Override
    public void submit(long token, Request request) {
        SlurmJob known = jobs.get(token);
        if (known != null) {
            tell(known);
            return;
        }
        ask(token, request);
    }

    private SlurmJob ask(long token, Request request) {
        SlurmJob job = new SlurmJob(token, request, clock.millis());
        jobs.put(token, job);
        log.asked(clock.millis(), token, request);
        dirty = true;
        return job;
    }

    @Override
    public void withdraw(long token) {
        SlurmJob job = jobs.get(token);
        if (job == null) {
            job = ask(token, Request.of(1, 1));
        }
        if (job.isOver()) {
            tell(job);
        } else {
            want(job, Event.End.WITHDRAWN, clock.millis());
        }
    }

    @Override
    public void release(long token) {
        SlurmJob job = jobs.get(token);
        if (job == null || job.isOver()) {
            withdraw(token);
        } else {
            boolean runs = job.phase == Phase.RUNNING;
            want(job, Event.End.RELEASED, clock.millis() + (runs ? RELEASE_PATIENCE : 0));
        }
    }

    private void want(SlurmJob job, Event.End how, long cancelAt) {
        if (job.wanted == null) {
            job.wanted = how;
            log.wanted(clock.millis(), job, how);
            dirty = true;
        }
        job.cancelAt = Math.min(job.cancelAt, cancelAt);
        stopAgents(job);
    }

    private void stopAgents(SlurmJob job) {
        for (int node = job.heard.nextSetBit(0); node >= 0; node = job.heard.nextSetBit(node + 1)) {
            if (!job.gone.get(node)) {
                link.send(new AgentId(job.token, node), new Message.Stop(STOP_GRACE_MILLIS, "its placeholder is over"));
            }
        }
    }

    @Override
    public void shorten(long token, long walltime) {
        SlurmJob job = jobs.get(token);
        boolean queued = job != null && (job.phase == Phase.ASKED || job.phase == Phase.QUEUED);
        if (job != null && queued && walltime < job.request.walltime()) {
            job.request = SlurmLog.shortened(job.request, walltime);
            log.shortened(clock.millis(), job);
            dirty = true;
        }
    }

    @Override
    public void reconcile(Collection<Long> tokens) {
        for (long token : tokens) {
            SlurmJob job = jobs.get(token);
            if (job == null) {
                told.add(new Event.Ended(clock.millis(), token, Event.End.LOST));
            } else {
                tell(job);
            }
        }
    }

    /** Tells how far a placeholder is, once more. */
    private void tell(SlurmJob job) {
        switch (job.phase) {
            case REFUSED -> told.add(new Event.Refused(job.endedAt, job.token, job.why));
            case QUEUED -> told.add(new Event.Accepted(job.submittedAt, job.token));
            case RUNNING -> told.add(new Event.Started(job.startedAt, job.token, false));
            case OVER -> told.add(new Event.Ended(job.endedAt, job.token, job.how));
            case ASKED -> {
                // Its answer is on its way.
            }
        }
    }

    // --- agents ---

    @Override
    public void heard(AgentId agent, Message message) {
        SlurmJob job = jobs.get(agent.token());
        if (job == null || job.isOver()) {
            return;
        }
        if (message instanceof Message.Hello) {
            called(job, agent);
        } else if (message instanceof Message.Bye) {
            leaves(job, agent.node());
        }
    }

    private void called(SlurmJob job, AgentId agent) {
        job.heard.set(agent.node());
        if (job.startedAt < 0) {
            Marks.By by = Marks.of(run, job.token).by();
            if (job.phase == Phase.ASKED && by != null) {
                accepted(job, by.job());
            }
            if (job.phase != Phase.ASKED) {
                started(job, by == null ? clock.millis() : by.at());
            }
        }
        if (job.wanted != null) {
            stopAgents(job);
        } else if (job.startedAt >= 0) {
            // It does not know of a limit that was changed while it was queued.
            link.send(agent, new Message.Remaining(Math.max(1, job.limit() - clock.millis())));
        }
    }

    /** The agent of a node is gone, and all that it ran. */
    private void leaves(SlurmJob job, int node) {
        if (!job.gone.get(node)) {
            job.gone.set(node);
            if (job.wanted == null && job.finalState.isEmpty() && !isNearLimit(job)) {
                told.add(new Event.NodeLost(clock.millis(), job.token, node));
            }
        }
    }

    // --- turns ---

    @Override
    public long turn(long at, Consumer<Event> to) throws IOException {
        errands.drain();
        for (SlurmJob job : new ArrayList<>(jobs.values())) {
            step(job);
        }
        look();
        if (dirty || !told.isEmpty()) {
            log.commit();
            dirty = false;
        }
        boolean busy = !afterCommit.isEmpty();
        afterCommit.forEach(Runnable::run);
        afterCommit.clear();
        while (!told.isEmpty()) {
            to.accept(told.remove());
        }
        link.flush();
        return busy ? clock.millis() + SOON : NEVER;
    }

    private void step(SlurmJob job) {
        long now = clock.millis();
        if (job.phase == Phase.ASKED && !job.busy && now >= job.holdUntil) {
            if (job.lost) {
                find(job);
            } else if (job.wanted != null) {
                end(job, job.wanted);
            } else if (mayGo(job)) {
                send(job);
            }
        } else if (job.isThere()) {
            watch(job, now);
        } else if (job.phase == Phase.OVER && !job.busy && job.cancelAt <= now) {
            job.cancelAt = Long.MAX_VALUE;
            if (!Marks.of(run, job.token).isEnded()) {
                cancel(job);
            }
        }
    }

    private void watch(SlurmJob job, long now) {
        if (job.phase == Phase.RUNNING && now >= job.lookAt) {
            job.lookAt = now + 2 * ASK_PAUSE;
            Marks marks = Marks.of(run, job.token);
            for (int node = 0; node < job.request.units(); node++) {
                if (!job.gone.get(node) && marks.isGone(node)) {
                    leaves(job, node);
                }
            }
        }
        if (isOver(job, now)) {
            end(job, how(job));
        } else if (!job.busy && job.cancelAt <= now) {
            job.cancelAt = now + CANCEL_AGAIN;
            cancel(job);
        } else if (!job.busy && job.phase == Phase.QUEUED && job.minutes > JobScript.minutes(job.request.walltime())) {
            limit(job);
        } else if (!job.busy && job.askAt <= now) {
            job.askAt = Long.MAX_VALUE;
            askState(job);
        }
    }

    /** Whether nothing of it runs any more, and it is known how it ended. */
    private boolean isOver(SlurmJob job, long now) {
        if (job.gone.cardinality() == job.request.units()) {
            job.gonePatience = Math.min(job.gonePatience, now + RELEASE_PATIENCE);
            boolean told = job.wanted != null || isNearLimit(job) || !job.finalState.isEmpty();
            if (!told && job.askAt == Long.MAX_VALUE) {
                job.askAt = now + ASK_PAUSE;
            }
            return told || now >= job.gonePatience;
        }
        if (job.finalState.isEmpty()) {
            return false;
        }
        boolean sure = JobState.isSure(job.finalState);
        boolean waited = now - job.finalAt >= LOST_PATIENCE;
        // Agents that were left by an earlier process call within seconds.
        boolean runs = job.startedAt >= 0 && now - openedAt < CALL_PATIENCE;
        for (int node = 0; node < job.request.units(); node++) {
            if (!job.gone.get(node)) {
                boolean reached = link.isReached(new AgentId(job.token, node));
                runs |= reached || (!sure && !waited && job.startedAt >= 0);
            }
        }
        if (runs && now >= job.stopAt) {
            job.stopAt = now + ASK_PAUSE;
            stopAgents(job);
        }
        return !runs;
    }

    private boolean isNearLimit(SlurmJob job) {
        return job.startedAt >= 0 && clock.millis() >= job.limit() - EARLY;
    }

    private Event.End how(SlurmJob job) {
        if (job.wanted != null) {
            return job.wanted;
        }
        Event.End said = JobState.end(job.finalState);
        boolean unclear = job.finalState.isEmpty() || job.finalState.equals(SlurmControl.GONE);
        if (isNearLimit(job) && (unclear || said == Event.End.BROKEN)) {
            return Event.End.EXPIRED;
        }
        return unclear && Marks.of(run, job.token).isEnded() ? Event.End.BROKEN : said;
    }

    // --- what is told ---

    private void accepted(SlurmJob job, long number) {
        job.job = number;
        job.phase = Phase.QUEUED;
        job.lost = false;
        log.accepted(clock.millis(), job);
        told.add(new Event.Accepted(clock.millis(), job.token));
        if (job.wanted != null) {
            job.cancelAt = clock.millis();
        }
    }

    private void started(SlurmJob job, long at) {
        job.startedAt = Math.max(job.submittedAt, Math.min(at, clock.millis()));
        job.phase = Phase.RUNNING;
        log.started(clock.millis(), job);
        told.add(new Event.Started(job.startedAt, job.token, false));
    }

    private void refused(SlurmJob job, String why) {
        job.phase = Phase.REFUSED;
        job.why = why;
        job.endedAt = clock.millis();
        log.refused(clock.millis(), job);
        tell(job);
    }

    private void end(SlurmJob job, Event.End how) {
        boolean known = !job.finalState.isEmpty() || job.job == SlurmJob.UNKNOWN;
        job.phase = Phase.OVER;
        job.how = how;
        job.endedAt = clock.millis();
        job.cancelAt = known ? Long.MAX_VALUE : clock.millis() + RELEASE_PATIENCE;
        log.ended(clock.millis(), job);
        tell(job);
    }

    // --- errands ---

    /** Whether a placeholder may be submitted now: not too many at once, and not before the one that it follows. */
    private boolean mayGo(SlurmJob job) {
        SlurmJob before = jobs.get(job.request.afterToken());
        if (before != null && before.phase == Phase.ASKED) {
            return false;
        }
        long ours = jobs.values().stream()
                .filter(each -> each.isThere() || each.busy)
                .count();
        return ours == 0 || ours + others < capacity.cap();
    }

    private void send(SlurmJob job) {
        SlurmJob before = jobs.get(job.request.afterToken());
        long after = before != null && before.isThere() ? before.job : SlurmJob.UNKNOWN;
        long delay = job.request.notBefore() == Request.AT_ONCE
                ? 0
                : Math.max(0, (job.request.notBefore() - clock.millis() + 999) / 1000);
        Request request = job.request;
        List<String> words = script.submission(job.token, request, delay, after);
        job.busy = true;
        job.minutes = JobScript.minutes(request.walltime());
        afterCommit.add(() -> errands.order(
                () -> control.submit(Marks.of(run, job.token), script.text(job.token, request), words),
                answer -> answered(job, answer),
                trouble -> {
                    job.busy = false;
                    job.lost = true;
                    job.holdUntil = clock.millis() + ASK_PAUSE;
                    isAway(trouble);
                }));
    }

    private void answered(SlurmJob job, SlurmControl.Submitted answer) {
        job.busy = false;
        if (!answer.isRefused()) {
            isBack();
            // The job may have told of itself before its number was.
            if (job.phase == Phase.ASKED && answer.job() != SlurmJob.UNKNOWN) {
                accepted(job, answer.job());
            } else if (job.phase == Phase.ASKED) {
                job.lost = true;
            }
        } else if (job.phase == Phase.ASKED && SlurmControl.isForLimits(answer.refusal())) {
            if (job.why.isEmpty()) {
                messages.accept("Slurm takes no more jobs now (" + answer.refusal() + "); placeholder " + job.token
                        + " is held back and submitted again later");
            }
            job.why = answer.refusal();
            job.holdUntil = clock.millis() + Math.min(LIMIT_PAUSE, queue.interval());
        } else if (job.phase == Phase.ASKED) {
            refused(job, answer.refusal());
        }
    }

    /** Looks for a job whose submission may have been made. */
    private void find(SlurmJob job) {
        job.busy = true;
        afterCommit.add(() -> errands.order(
                () -> control.find(script.name(job.token)),
                found -> {
                    job.busy = false;
                    isBack();
                    if (job.phase == Phase.ASKED) {
                        found(job, found);
                    }
                },
                trouble -> {
                    job.busy = false;
                    job.holdUntil = clock.millis() + AWAY_PAUSE;
                    isAway(trouble);
                }));
    }

    private void found(SlurmJob job, List<SlurmControl.Found> found) {
        Marks marks = Marks.of(run, job.token);
        Marks.By by = marks.by();
        SlurmControl.Found one = chosen(found, by);
        if (one != null || by != null) {
            accepted(job, by != null ? by.job() : one == null ? SlurmJob.UNKNOWN : one.job());
            messages.accept("job " + job.job + " was found again as placeholder " + job.token);
            List<Long> more = found.stream()
                    .filter(each -> each.job() != job.job && !JobState.isFinal(each.state()))
                    .map(SlurmControl.Found::job)
                    .toList();
            if (!more.isEmpty()) {
                afterCommit.add(() -> errands.order(() -> cancelled(more), unused -> {}, this::isAway));
            }
            if (by != null) {
                started(job, by.at());
            }
            job.askAt = clock.millis();
            return;
        }
        job.looks++;
        job.holdUntil = clock.millis() + LOST_PAUSE;
        if (job.looks < 2 || marks.isStarted() && job.looks < 2 * LOST_PATIENCE / LOST_PAUSE) {
            return;
        }
        job.looks = 0;
        job.lost = false;
        if (marks.isStarted()) {
            end(job, Event.End.LOST);
        }
    }

    private static SlurmControl.@Nullable Found chosen(List<SlurmControl.Found> found, Marks.@Nullable By by) {
        SlurmControl.Found one = null;
        for (SlurmControl.Found each : found) {
            boolean better = one == null
                    || JobState.isFinal(one.state()) && !JobState.isFinal(each.state())
                    || by != null && each.job() == by.job();
            one = better ? each : one;
        }
        return one;
    }

    private boolean cancelled(List<Long> numbers) throws IOException, InterruptedException {
        control.cancel(numbers);
        return true;
    }

    private void cancel(SlurmJob job) {
        job.busy = true;
        afterCommit.add(() -> errands.order(
                () -> {
                    // Whatever Slurm does: if it has not started, it will not.
                    Marks.of(run, job.token).over();
                    return cancelled(List.of(job.job));
                },
                unused -> {
                    job.busy = false;
                    isBack();
                    job.askAt = clock.millis() + SOON;
                },
                trouble -> {
                    job.busy = false;
                    job.cancelAt = clock.millis() + AWAY_PAUSE;
                    isAway(trouble);
                }));
    }

    private void limit(SlurmJob job) {
        job.busy = true;
        long minutes = JobScript.minutes(job.request.walltime());
        afterCommit.add(() -> errands.order(
                () -> control.limit(job.job, minutes),
                taken -> {
                    job.busy = false;
                    isBack();
                    job.minutes = minutes;
                    if (!taken) {
                        messages.accept("job " + job.job + " could not be shortened to " + minutes + " minutes");
                    }
                },
                trouble -> {
                    job.busy = false;
                    isAway(trouble);
                }));
    }

    private void askState(SlurmJob job) {
        job.busy = true;
        boolean hadStarted = job.startedAt >= 0;
        afterCommit.add(() -> errands.order(
                () -> control.state(job.job),
                state -> {
                    job.busy = false;
                    isBack();
                    if (job.isThere()) {
                        said(job, state, hadStarted);
                    }
                },
                trouble -> {
                    job.busy = false;
                    job.askAt = clock.millis() + AWAY_PAUSE;
                    isAway(trouble);
                }));
    }

    private void said(SlurmJob job, String state, boolean hadStarted) {
        boolean requeued = hadStarted && JobState.isPending(state);
        if (requeued) {
            messages.accept("job " + job.job + " was requeued by somebody; it counts as ended");
            job.cancelAt = clock.millis();
        }
        if (requeued || JobState.isFinal(state) || state.equals(SlurmControl.GONE)) {
            if (job.finalState.isEmpty()) {
                job.finalState = state;
                job.finalAt = clock.millis();
            }
        } else {
            if (state.equals("RUNNING") && job.startedAt < 0) {
                Marks.By by = Marks.of(run, job.token).by();
                started(job, by == null ? clock.millis() : by.at());
            }
            // Soon if its end is awaited, and otherwise when it is missing from the queue again.
            boolean awaited = job.wanted != null || state.equals("COMPLETING") || !job.gone.isEmpty();
            job.askAt = awaited ? clock.millis() + 2 * ASK_PAUSE : Long.MAX_VALUE;
        }
    }

    // --- the queue ---

    private void look() {
        long now = clock.millis();
        boolean wanted = jobs.values().stream().anyMatch(SlurmJob::isThere);
        if (!wanted || looking || now < nextLook) {
            return;
        }
        looking = true;
        errands.look(
                queue::look,
                snapshot -> {
                    looking = false;
                    nextLook = clock.millis() + (snapshot == null ? ASK_PAUSE : queue.interval());
                    if (snapshot != null && snapshot.at() > seen) {
                        seen = snapshot.at();
                        isBack();
                        compare(snapshot);
                    }
                },
                trouble -> {
                    looking = false;
                    nextLook = clock.millis() + Math.max(AWAY_PAUSE, queue.interval());
                    isAway(trouble);
                });
    }

    private void compare(SharedQueue.Snapshot snapshot) {
        Map<Long, QueueLine> lines = new HashMap<>();
        snapshot.jobs().forEach(line -> lines.put(line.job(), line));
        for (SlurmJob job : jobs.values()) {
            QueueLine line = lines.remove(job.job);
            if (!job.isThere()) {
                continue;
            }
            boolean doubtful = line == null || line.isPending() && job.startedAt >= 0;
            if (doubtful) {
                job.askAt = Math.min(job.askAt, clock.millis());
            } else if (!line.isPending() && job.startedAt < 0 && !line.state().equals("CONFIGURING")) {
                started(job, line.start());
            } else if (line.reason().startsWith("JobHeld") && !job.heldTold) {
                job.heldTold = true;
                messages.accept("job " + job.job + " is held by somebody (" + line.reason()
                        + "); it starts when it is let go: scontrol release " + job.job);
            }
        }
        others = lines.size();
    }

    private void isAway(IOException trouble) {
        if (!away) {
            away = true;
            messages.accept("Slurm does not answer (" + trouble.getMessage()
                    + "); what runs goes on, and it is asked again until it does");
        }
    }

    private void isBack() {
        if (away) {
            away = false;
            messages.accept("Slurm answers again");
        }
    }

    @Override
    public Estimator estimator() {
        return estimator;
    }

    @Override
    public int nodes() {
        return capacity.nodes();
    }

    @Override
    public int coresPerNode() {
        return capacity.coresPerNode();
    }

    /** What runs goes on; a job that is over as far as the run is concerned, and that Slurm may still have, is cancelled. */
    @Override
    public void close() {
        List<Long> left = new ArrayList<>();
        for (SlurmJob job : jobs.values()) {
            if (job.phase == Phase.OVER
                    && job.cancelAt != Long.MAX_VALUE
                    && !Marks.of(run, job.token).isEnded()) {
                left.add(job.job);
            }
        }
        if (!left.isEmpty()) {
            errands.order(() -> cancelled(left), unused -> {}, trouble -> {});
        }
        errands.close();
    }
}
