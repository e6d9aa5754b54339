package io.sheaf.app.run;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.StrategyList;
import io.sheaf.batch.Policy;
import io.sheaf.formats.Deferred;
import io.sheaf.formats.ShellWords;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.rerun.Rerun;
import io.sheaf.runtime.run.SpecifiedManager;
import io.sheaf.runtime.run.TimeKeeper;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.PlanForecast;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tasks that a run would start, with commands and reasons, and the jobs that its strategy would submit; nothing is created. */
record DryRun(Workflow workflow, Rerun rerun, RunSpec spec, Session session) {
    /**
     * Prints it.
     *
     * @param tasks those that would run
     * @param deferred groups that would be added during the run
     */
    void print(Workflow tasks, List<Deferred> deferred, boolean json) throws IOException, InterruptedException {
        Workflow part = TimeKeeper.planned(session.state(), spec, tasks, session::note);
        PlanTable plan = new PlanTable(part, forecasts(part), spec.pools());
        if (json) {
            plan.printJson(session.out(), out -> tasks(out, deferred), null);
            return;
        }
        PrintWriter out = session.out();
        new RerunText(workflow, rerun).printHead(out);
        for (int i = 0; i < workflow.size(); i++) {
            int task = workflow.inOrder(i);
            if (rerun.runs(task)) {
                String reasons = String.join("; ", rerun.reasons(task));
                out.println();
                out.println(workflow.id(task) + (reasons.isEmpty() ? "" : " (" + reasons + ")"));
                command(task).lines().forEach(line -> out.println("    " + line));
            }
        }
        for (Deferred group : deferred) {
            out.println();
            out.println("later: " + group.text());
        }
        out.println();
        out.println("estimated plan for "
                + (isLocal()
                        ? "the embedded cluster without background jobs"
                        : spec.where().system() + " now") + ":");
        plan.print(out);
        out.println();
        out.println("dry run: nothing was submitted");
    }

    private void tasks(JsonOut out, List<Deferred> deferred) {
        out.field("dryRun", true);
        new RerunText(workflow, rerun).print(out, task -> out.field("command", command(task)));
        RerunText.later(out, deferred);
    }

    private String command(int task) {
        Command command = workflow.command(task);
        if (command == null) {
            return "(no command)";
        }
        return command.isScript() ? command.script().stripTrailing() : ShellWords.join(command.argv());
    }

    private boolean isLocal() {
        return spec.where().equals(Placement.LOCAL);
    }

    private Map<String, PlanForecast> forecasts(Workflow part) throws IOException, InterruptedException {
        List<String> names = spec.isWhole() ? StrategyList.of("all") : List.of(spec.strategy());
        Profile profile = SpecifiedManager.profile(spec);
        if (spec.where().isSeveral()) {
            session.note("no plan for several sites at once; 'sheaf plan --on' shows one for each");
            return Map.of();
        }
        if (!isLocal()) {
            BatchCommands commands = Clusters.commands(spec.where(), session);
            if (!commands.canEstimate()) {
                session.note("the queue of " + commands.title() + " cannot be read; no plan");
                return Map.of();
            }
            return new BatchPlan(commands, part, spec, profile, spec.cap(), session).forecasts(names);
        }
        SimulationSetup setup =
                SimulationSetup.of(profile, spec.node(), spec.cap()).nodes(spec.nodes());
        RunTimes times = new RunTimes(part, profile.planOrder(), spec.node());
        Map<String, PlanForecast> forecasts = new LinkedHashMap<>();
        for (String name : names) {
            SimulatedQueue empty = new SimulatedQueue(JobLog.builder().build(), Policy.conservative(), spec.nodes());
            forecasts.put(name, PlanForecast.of(empty, 0, times, name, setup));
        }
        return forecasts;
    }
}
