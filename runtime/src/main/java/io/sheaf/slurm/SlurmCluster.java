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
 * <h2>Identity</h2>
 * A job that was requeued is another one: its script finds that it has run, and ends.
 */
public final class SlurmCluster implements Backend {
    /** A released job whose agents do not end is cancelled after this. */
    private static final long RELEASE_PATIENCE = 20_000;

    /** Between two looks for a submission that was not answered: it may still be on its way. */
    private static final long LOST_PAUSE = 3_000;

    /** So often a job that left a mark, but not its number, is looked for. */
    private static final int MOST_LOOKS = 20;

    private static final long ASK_PAUSE = 1_000;
    private static final long MARKS_PAUSE = 2_000;
    private static final long AWAY_PAUSE = 3_000;
    private static final long CANCEL_AGAIN = 60_000;
    private static final long LIMIT_PAUSE = 30_000;
    private static final long SOON = 200;

    private final RunFolder run;
    private final JobScript script;
    private final Capacity capacity;
    private final SharedQueue queue;
    private final SlurmLog log;
    private final Agents link;
    private final RunClock clock;
    private final Consumer<String> messages;
    private final Estimator estimator;
    private final JobOrders orders;
    private final Ends ends;
    private final Map<Long, SlurmJob> jobs;
    private final Queue<Event> told = new ArrayDeque<>();
    private boolean dirty;
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
        this.queue = queue;
        this.log = log;
        this.link = link;
        this.clock = clock;
        this.messages = messages;
        this.estimator = estimator;
        orders = new JobOrders(run, script, control, clock, wake, messages, new Outcomes());
        ends = new Ends(run, link, clock.millis());
        jobs = log.replay();
        for (SlurmJob job : jobs.values()) {
            if (job.wanted != null && !job.isOver()) {
                job.cancelAt = clock.millis();
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
        SlurmJob job = ask(token, request);
        if (request.units() > capacity.nodes()) {
            refused(job, request.units() + " nodes asked for, there are " + capacity.nodes());
        }
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
        ends.stopAgents(job);
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
            ends.stopAgents(job);
        } else if (job.startedAt >= 0) {
            // It does not know of a limit that was changed while it was queued.
            link.send(agent, new Message.Remaining(Math.max(1, job.limit() - clock.millis())));
        }
    }

    /** The agent of a node is gone, and all that it ran. */
    private void leaves(SlurmJob job, int node) {
        if (!job.gone.get(node)) {
            job.gone.set(node);
            if (job.wanted == null && job.finalState.isEmpty() && !Ends.isNearLimit(job, clock.millis())) {
                told.add(new Event.NodeLost(clock.millis(), job.token, node));
            }
        }
    }

    // --- turns ---

    @Override
    public long turn(long at, Consumer<Event> to) throws IOException {
        orders.drain();
        for (SlurmJob job : new ArrayList<>(jobs.values())) {
            step(job);
        }
        look();
        if (dirty || !told.isEmpty()) {
            log.commit();
            dirty = false;
        }
        boolean busy = orders.go();
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
                orders.find(job);
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
                orders.cancel(job);
            }
        }
    }

    private void watch(SlurmJob job, long now) {
        if (job.phase == Phase.RUNNING && now >= job.lookAt) {
            job.lookAt = now + MARKS_PAUSE;
            Marks marks = Marks.of(run, job.token);
            for (int node = 0; node < job.request.units(); node++) {
                if (!job.gone.get(node) && marks.isGone(node)) {
                    leaves(job, node);
                }
            }
        }
        if (ends.isOver(job, now)) {
            if (job.startedAt < 0 && JobState.isForEver(job.why)) {
                refused(job, "Slurm would never start it: " + job.why);
            } else {
                end(job, ends.how(job, now));
            }
        } else if (!job.busy) {
            attend(job, now);
        }
    }

    private void attend(SlurmJob job, long now) {
        if (job.cancelAt <= now) {
            job.cancelAt = now + CANCEL_AGAIN;
            orders.cancel(job);
        } else if (job.phase == Phase.QUEUED && job.minutes > JobScript.minutes(job.request.walltime())) {
            orders.limit(job);
        } else if (job.askAt <= now) {
            job.askAt = Long.MAX_VALUE;
            orders.state(job);
        }
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
        orders.submit(job, delay, after);
    }

    /** What comes of orders. */
    private final class Outcomes implements JobOrders.Listener {
        @Override
        public void submitted(SlurmJob job, SlurmControl.Submitted answer) {
            // The job may have told of itself before its number was.
            if (job.phase != Phase.ASKED) {
                return;
            }
            if (!answer.isRefused()) {
                job.lost = answer.job() == SlurmJob.UNKNOWN;
                if (!job.lost) {
                    accepted(job, answer.job());
                }
            } else if (SlurmControl.isForLimits(answer.refusal())) {
                if (job.why.isEmpty()) {
                    messages.accept("Slurm takes no more jobs now (" + answer.refusal() + "); placeholder " + job.token
                            + " is held back and submitted again later");
                }
                job.why = answer.refusal();
                job.holdUntil = clock.millis() + Math.min(LIMIT_PAUSE, queue.interval());
            } else {
                refused(job, answer.refusal());
            }
        }

        @Override
        public void found(SlurmJob job, List<SlurmControl.Found> found) {
            if (job.phase != Phase.ASKED) {
                return;
            }
            Marks marks = Marks.of(run, job.token);
            Marks.By by = marks.by();
            if (by == null && found.isEmpty()) {
                notFound(job, marks.isStarted());
                return;
            }
            accepted(job, by != null ? by.job() : SlurmControl.likeliest(found).job());
            messages.accept("job " + job.job + " was found again as placeholder " + job.token);
            orders.cancel(found.stream()
                    .filter(each -> each.job() != job.job && !JobState.isFinal(each.state()))
                    .map(SlurmControl.Found::job)
                    .toList());
            if (by != null) {
                started(job, by.at());
            }
            job.askAt = clock.millis();
        }

        private void notFound(SlurmJob job, boolean started) {
            job.looks++;
            job.holdUntil = clock.millis() + LOST_PAUSE;
            if (job.looks >= (started ? MOST_LOOKS : 2)) {
                job.looks = 0;
                job.lost = false;
                if (started) {
                    end(job, Event.End.LOST);
                }
            }
        }

        @Override
        public void cancelled(SlurmJob job) {
            job.askAt = clock.millis() + SOON;
        }

        @Override
        public void said(SlurmJob job, String state, boolean hadStarted) {
            if (!job.isThere()) {
                return;
            }
            boolean requeued = hadStarted && JobState.isPending(state);
            if (requeued || JobState.isFinal(state) || state.equals(SlurmControl.GONE)) {
                left(job, state, requeued);
                return;
            }
            if (state.equals("RUNNING") && job.startedAt < 0) {
                Marks.By by = Marks.of(run, job.token).by();
                started(job, by == null ? clock.millis() : by.at());
            }
            // Soon if its end is awaited, and otherwise when it is missing from the queue again.
            boolean awaited = job.wanted != null || state.equals("COMPLETING") || !job.gone.isEmpty();
            job.askAt = awaited ? clock.millis() + 2 * ASK_PAUSE : Long.MAX_VALUE;
        }

        private void left(SlurmJob job, String state, boolean requeued) {
            if (requeued) {
                messages.accept("job " + job.job + " was requeued by somebody; it counts as ended");
                orders.cancel(List.of(job.job));
            }
            if (job.finalState.isEmpty()) {
                job.finalState = state;
                job.finalAt = clock.millis();
            }
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
        orders.look(
                queue,
                snapshot -> {
                    looking = false;
                    boolean isNew = snapshot.at() > seen;
                    nextLook = clock.millis() + (isNew ? queue.interval() : ASK_PAUSE);
                    if (isNew) {
                        seen = snapshot.at();
                        compare(snapshot);
                    }
                },
                () -> {
                    looking = false;
                    nextLook = clock.millis() + Math.max(AWAY_PAUSE, queue.interval());
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
            boolean doubtful = line == null || (line.isPending() && job.startedAt >= 0);
            if (doubtful) {
                job.askAt = Math.min(job.askAt, clock.millis());
            } else if (!line.isPending() && job.startedAt < 0 && !line.state().equals("CONFIGURING")) {
                started(job, line.start());
            } else if (line.isPending() && JobState.isForEver(line.reason())) {
                // Slurm keeps what it will never start; it is no use to wait.
                job.why = line.reason();
                job.cancelAt = Math.min(job.cancelAt, clock.millis());
            } else if (line.reason().startsWith("JobHeld") && !job.heldTold) {
                job.heldTold = true;
                messages.accept("job " + job.job + " is held by somebody (" + line.reason()
                        + "); it starts when it is let go: scontrol release " + job.job);
            }
        }
        others = lines.size();
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
        orders.cancel(left);
        orders.close();
    }
}
