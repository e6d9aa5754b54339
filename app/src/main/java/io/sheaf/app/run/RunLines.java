package io.sheaf.app.run;

import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Outcome;
import io.sheaf.app.cli.Fields;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.TaskState;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.Result;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Shows a run as plain lines, each with the time since the run's start. */
public final class RunLines implements RunListener {
    /** Up to this size, a line is printed for every task; for larger workflows only counts. */
    private static final int EACH_TOLD = 100;

    private static final long SELDOM_MILLIS = 5_000;

    private Workflow workflow;
    private final LongSupplier begun;
    private final LongSupplier now;
    private final PrintWriter err;
    private final Map<Long, Long> submitted = new HashMap<>();
    private final Map<Long, Long> started = new HashMap<>();
    /** Pilot jobs whose walltime stopped a task. */
    private final Set<Long> cutOff = new HashSet<>();
    /** Idle pilot jobs that were reported as kept. */
    private final Set<Long> kept = new HashSet<>();

    private long lastToken;
    /** The result of an attempt; its time is in the following event. */
    private @Nullable Result over;

    private long lastTold;
    private int done;
    private String opening = "resumed";

    /**
     * Creates the lines of a run.
     *
     * @param begun when the run began, 0 while unknown
     * @param now the run's clock
     */
    public RunLines(Workflow workflow, LongSupplier begun, LongSupplier now, PrintWriter err) {
        this.workflow = workflow;
        this.begun = begun;
        this.now = now;
        this.err = err;
    }

    /** Lines for a reader that does not manage the run. */
    RunLines watching() {
        opening = "so far";
        return this;
    }

    @Override
    public void begins(Manager manager) {
        workflow = manager.workflow();
        for (int task = 0; task < workflow.size(); task++) {
            done += manager.state(task) == TaskState.DONE ? 1 : 0;
        }
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            lastToken = Math.max(lastToken, p.token());
            if (p.isQueued()) {
                submitted.put(p.token(), p.submittedAt());
            } else {
                started.put(p.token(), p.startedAt());
            }
        }
        if (manager.pilotJobs() + done > 0) {
            say(
                    now.getAsLong(),
                    opening + ": " + done + " of " + workflow.size() + " tasks done, " + started.size()
                            + (started.size() == 1 ? " pilot job running, " : " pilot jobs running, ")
                            + submitted.size() + " queued");
        }
    }

    @Override
    public void happened(Event event, Manager manager) {
        workflow = manager.workflow();
        if (event instanceof Event.Grown grown) {
            Workflow added = grown.added().tasks();
            String category = added.size() == 1 ? added.category(0).name() : "";
            say(
                    grown.at(),
                    grown.added().origin().id() + " added: " + Rounded.count(added.size())
                            + (added.size() == 1 ? " task" : " tasks")
                            + (category.isEmpty() ? "" : " (" + category + ")"));
        } else if (event instanceof Event.Started start && !started.containsKey(start.token())) {
            Long since = submitted.remove(start.token());
            started.put(start.token(), start.at());
            say(
                    start.at(),
                    "pilot job " + start.token() + " started"
                            + (since == null ? "" : " after a queue wait of " + Rounded.time(start.at() - since)));
        } else if (event instanceof Event.Granted granted) {
            say(
                    granted.at(),
                    "pilot job " + granted.token() + " was granted " + nodes(granted.units()) + " × "
                            + Rounded.time(granted.walltime()));
        } else if (event instanceof Event.Ended over) {
            tellOver(over);
        } else if (event instanceof Event.Refused refused) {
            submitted.remove(refused.token());
            say(refused.at(), "pilot job " + refused.token() + " rejected: " + refused.reason());
        } else if (event instanceof Event.NodeLost lost) {
            say(lost.at(), "node " + lost.node() + " of pilot job " + lost.token() + " lost");
        } else if (event instanceof Event.TaskEnded ended) {
            if (ended.outcome() == Event.Outcome.SUCCEEDED) {
                done++;
                taskDone(ended);
            }
            Result result = over;
            over = null;
            if (result != null) {
                noteCutOff(ended, manager);
                tellEnd(ended.at(), result.said());
            }
        }
    }

    private void noteCutOff(Event.TaskEnded ended, Manager manager) {
        PilotJob p = manager.find(ended.token());
        if (p != null && Job.isCutOff(ended.outcome(), ended.at(), p.limit())) {
            cutOff.add(p.token());
        }
    }

    /** Prints the end of a pilot job once; a batch system may report it again. */
    private void tellOver(Event.Ended over) {
        boolean waited = submitted.remove(over.token()) != null;
        Long since = started.remove(over.token());
        if (waited || since != null) {
            say(
                    over.at(),
                    "pilot job " + over.token() + " ended ("
                            + Job.End.of(over.how(), cutOff.remove(over.token()))
                                    .word() + ")"
                            + (since == null ? "" : " after " + Rounded.time(over.at() - since)));
        }
    }

    private void taskDone(Event.TaskEnded over) {
        if (workflow.size() <= EACH_TOLD) {
            say(over.at(), "task " + named(over.task()) + " done (" + done + " of " + workflow.size() + ")");
        } else if (over.at() - lastTold >= SELDOM_MILLIS || done == workflow.size()) {
            lastTold = over.at();
            say(over.at(), done + " of " + workflow.size() + " tasks done");
        }
    }

    @Override
    public void started(long token, int node, int task, int attempt) {
        if (attempt > 1) {
            say(now.getAsLong(), "task " + named(task) + " retried (attempt " + attempt + ")");
        }
    }

    @Override
    public void ended(Result result) {
        over = result;
    }

    private void tellEnd(long at, Message.Ended said) {
        if (said.outcome() == Outcome.SUCCEEDED || said.outcome() == Outcome.KILLED) {
            return;
        }
        String id = named(said.attempt().task());
        String what =
                said.outcome() == Outcome.CUT_OFF || said.outcome() == Outcome.PREEMPTED ? " stopped: " : " failed: ";
        say(at, "task " + id + what + said.reason());
        said.lastLines().forEach(line -> err.println("    " + Fields.plain(line)));
        err.flush();
    }

    @Override
    public void decided(Decision decision, @Nullable Considerations considered, Manager manager) {
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            if (p.token() > lastToken) {
                lastToken = p.token();
                submitted.put(p.token(), p.submittedAt());
                say(
                        p.submittedAt(),
                        "pilot job " + p.token() + ": " + nodes(p.request().units()) + " × "
                                + Rounded.time(p.request().walltime())
                                + (p.request().pool() == Pools.ANY
                                        ? ""
                                        : " in "
                                                + manager.pools()
                                                        .name(p.request().pool()))
                                + " submitted for "
                                + RunRecord.words(p.claim(), workflow)
                                + (considered == null || considered.chosen().isEmpty()
                                        ? ""
                                        : " (" + considered.chosen() + ")"));
            }
        }
    }

    @Override
    public void turned(Manager manager) {
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            if (!p.isKept() || !p.isRunning()) {
                kept.remove(p.token());
            } else if (kept.add(p.token())) {
                say(manager.now(), "pilot job " + p.token() + " is idle; kept because more tasks are expected");
            }
        }
    }

    /** A task by its id and, where the id does not tell it, its category: a rule of Snakemake, for example. */
    private String named(int task) {
        String id = workflow.id(task);
        String category = workflow.category(task).name();
        return category.isEmpty() || id.startsWith(category) ? id : id + " (" + category + ")";
    }

    private static String nodes(int count) {
        return count + (count == 1 ? " node" : " nodes");
    }

    @Override
    public void message(String text) {
        say(now.getAsLong(), text);
    }

    private void say(long at, String text) {
        long from = begun.getAsLong();
        String seconds = DecimalText.fixed(from == 0 ? 0 : Math.max(0, at - from) / 1000.0, 1);
        synchronized (err) {
            err.println(String.format(Locale.ROOT, "%8s s  ", seconds) + Fields.plain(text));
            err.flush();
        }
    }
}
