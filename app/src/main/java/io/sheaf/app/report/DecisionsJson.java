package io.sheaf.app.report;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.manager.Order;
import io.sheaf.report.Decided;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import java.util.HashMap;
import java.util.Map;

/** Writes {@code decisions[]} of a run, with what became of the jobs that were ordered; instants are counted from the run's start. */
public final class DecisionsJson {
    private final JsonOut out;
    private final long start;
    private final Map<Long, Job> jobs = new HashMap<>();

    private DecisionsJson(JsonOut out, RunRecord run) {
        this.out = out;
        start = run.start();
        run.jobs().forEach(job -> jobs.put(job.token(), job));
    }

    public static void print(JsonOut out, RunRecord run) {
        DecisionsJson writer = new DecisionsJson(out, run);
        out.array("decisions");
        run.decisions().forEach(writer::decision);
        out.end();
    }

    private void decision(Decided decision) {
        out.object().seconds("atSeconds", (decision.at() - start) * 1000).field("chosen", decision.chosen());
        if (decision.taken() != Decided.NONE) {
            out.field("taken", decision.taken());
        }
        instant("expectedEndSeconds", decision.expectedEnd());
        out.array("options");
        decision.options().forEach(this::option);
        out.end().array("orders");
        decision.orders().forEach(this::order);
        out.end().end();
    }

    private void option(Decided.Option option) {
        out.object()
                .field("what", option.what())
                .field("nodes", option.nodes())
                .seconds("walltimeSeconds", option.walltime() * 1000)
                .seconds("waitSeconds", option.queueWait() * 1000);
        if (option.hasMakespan()) {
            out.seconds("makespanSeconds", option.makespan() * 1000);
        }
        out.end();
    }

    private void order(Decided.Ordered ordered) {
        out.object();
        if (ordered.order() instanceof Order.Submit submit) {
            out.field("order", "submit")
                    .field("job", ordered.token())
                    .field("nodes", submit.request().units())
                    .seconds("walltimeSeconds", submit.request().walltime() * 1000);
            instant("expectedStartSeconds", ordered.expectedStart());
            Job job = jobs.get(ordered.token());
            if (job != null) {
                out.field("tasks", job.claim());
                instant("startSeconds", job.started());
                instant("endSeconds", job.ended());
                out.field("ended", job.how().word());
            }
        } else if (ordered.order() instanceof Order.Shorten shorten) {
            out.field("order", "shorten")
                    .field("job", ordered.token())
                    .seconds("walltimeSeconds", shorten.walltime() * 1000);
        } else if (ordered.order() instanceof Order.Drain) {
            out.field("order", "drain").field("job", ordered.token());
        } else {
            out.field("order", "cancel").field("job", ordered.token());
        }
        out.end();
    }

    /** An instant of the record; nothing where there was none. */
    private void instant(String name, long at) {
        if (at != Job.NEVER) {
            out.seconds(name, (at - start) * 1000);
        }
    }
}
