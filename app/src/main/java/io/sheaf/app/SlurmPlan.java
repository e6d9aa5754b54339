package io.sheaf.app;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.Estimator;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.Recovery;
import io.sheaf.slurm.JobScript;
import io.sheaf.slurm.Nodes;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What strategies would submit to Slurm now, and of a single one with the very scripts. */
final class SlurmPlan {
    /** In place of a run's id, which it gets when it is made. */
    private static final String ID = "0000000000000000";

    private final Workflow workflow;
    private final Map<String, Manager> asked = new LinkedHashMap<>();
    private final JobScript scripts;

    /** Asks strategies at an instant. */
    SlurmPlan(
            Workflow workflow,
            List<String> names,
            Profile profile,
            Nodes nodes,
            int cap,
            List<String> options,
            Estimator estimator,
            Session session)
            throws IOException {
        this.workflow = workflow;
        Path folder = session.folder().toAbsolutePath().resolve(RunChoice.RUNS).resolve("RUN");
        scripts = new JobScript(
                Launch.from(PlayedRun.kit(session)),
                new RunFolder(folder),
                ID,
                nodes.cores(),
                RunCommand.mostGpus(workflow),
                options);
        RunTimes times = new RunTimes(workflow, profile.planOrder(), nodes.cores());
        long now = System.currentTimeMillis();
        for (String name : names) {
            Strategy strategy = Strategies.named(name, times, profile);
            Manager manager = new Manager(
                    workflow,
                    profile.runOrder()::ranks,
                    strategy,
                    estimator,
                    Considered.NOTHING,
                    nodes.count(),
                    nodes.cores(),
                    cap);
            manager.settle(now, Recovery.NOWHERE);
            asked.put(name, manager);
        }
    }

    void print(Session session) {
        List<List<String>> rows = new ArrayList<>();
        asked.forEach((name, manager) -> {
            for (int i = 0; i < manager.placeholders(); i++) {
                Placeholder p = manager.placeholder(i);
                rows.add(List.of(
                        i == 0 ? name : "",
                        Rounded.count(p.request().units()),
                        JobScript.minutes(p.request().walltime()) + " min",
                        RunRecord.words(p.claim(), workflow)));
            }
        });
        Table.print(session.out(), List.of("strategy", "nodes", "time limit", "for"), rows, "<>><");
        if (asked.size() == 1) {
            asked.values().forEach(manager -> {
                for (int i = 0; i < manager.placeholders(); i++) {
                    session.out().println();
                    session.out().print(script(manager.placeholder(i)));
                }
            });
        }
    }

    void printJson(Session session, RerunText rerun) {
        try (JsonOut out = new JsonOut(session.out())) {
            out.object().field("workflow", workflow.name()).field("tasks", workflow.size());
            rerun.print(out);
            out.array("strategies");
            asked.forEach((name, manager) -> {
                out.object().field("strategy", name).array("jobs");
                for (int i = 0; i < manager.placeholders(); i++) {
                    Placeholder p = manager.placeholder(i);
                    out.object()
                            .field("nodes", p.request().units())
                            .seconds("walltimeSeconds", p.request().walltime() * 1000)
                            .field("script", script(p))
                            .end();
                }
                out.end().end();
            });
            out.end().end();
        }
    }

    private String script(Placeholder p) {
        return scripts.text(p.token(), p.request());
    }
}
