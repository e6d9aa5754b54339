package io.sheaf.app.run;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Table;
import io.sheaf.app.report.Explanation;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Claim;
import io.sheaf.manager.Request;
import io.sheaf.report.ChosenCores;
import io.sheaf.report.RunRecord;
import io.sheaf.sim.PlanForecast;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that strategies would submit, with estimated waits and makespans, as a table and as JSON.
 *
 * @param pools in which the jobs are
 */
public record PlanTable(Workflow workflow, Map<String, PlanForecast> forecasts, Pools pools) {
    /** The maximum number of jobs shown per strategy. */
    private static final int MAX_SHOWN = 3;

    private static final String NONE = "-";

    public void print(PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        forecasts.forEach((name, forecast) -> {
            for (int i = 0; i < Math.min(MAX_SHOWN, forecast.jobs().size()); i++) {
                PlanForecast.ForecastJob job = forecast.jobs().get(i);
                rows.add(row(
                        pools.name(job.request().pool()),
                        i == 0 ? name : "",
                        Rounded.count(job.request().units()),
                        Rounded.time(job.request().walltime()),
                        work(job),
                        time(job.expectedWait() == Long.MAX_VALUE ? -1 : job.expectedWait()),
                        i == 0 ? time(forecast.makespanMillis()) : "",
                        i == 0 ? time(forecast.estimateMillis()) : ""));
            }
            int more = forecast.jobs().size() - MAX_SHOWN;
            if (forecast.jobs().isEmpty() || more > 0) {
                String text = more > 0 ? "and " + more + " more jobs" : "no job";
                rows.add(row("", more > 0 ? "" : name, "", "", text, "", "", ""));
            }
        });
        Table.print(
                out,
                row("pool", "strategy", "nodes", "walltime", "tasks", "estimated wait", "makespan", "own estimate"),
                rows,
                pools.count() == 0 ? "<>><>>>" : "<<>><>>>");
        forecasts.forEach((name, forecast) -> {
            if (!forecast.cores().isEmpty()) {
                out.println("cores of moldable tasks with " + name + ": "
                        + forecast.cores().stream().map(PlanTable::cores).collect(Collectors.joining(", ")));
            }
        });
        int unknown = workflow.tasksWithoutTime();
        if (unknown > 0) {
            out.println();
            out.println(
                    "makespan unknown: " + unknown + " of " + workflow.size()
                            + " tasks have no run time. Give them 'time:', or run the workflow once; the first jobs measure run times");
        }
    }

    private static String cores(ChosenCores each) {
        String cores = each.cores() + (each.cores() == 1 ? " core" : " cores");
        return Rounded.count(each.attempts()) + " × " + each.category() + " on " + cores;
    }

    /** The cells of a row; that of the pool is the second, if there are pools. */
    private List<String> row(String pool, String... cells) {
        List<String> row = new ArrayList<>(List.of(cells));
        if (pools.count() > 0) {
            row.add(1, pool);
        }
        return row;
    }

    private String work(PlanForecast.ForecastJob job) {
        Claim claim = job.claim();
        String words = RunRecord.words(claim, workflow);
        return claim.tasks().isAll()
                ? words + ", " + Rounded.count(job.tasks()) + (job.tasks() == 1 ? " task" : " tasks")
                : words;
    }

    private static String time(long millis) {
        return millis < 0 ? NONE : Rounded.time(millis);
    }

    /**
     * Prints JSON with scripts.
     *
     * @param more prints further top-level fields
     * @param script the script of a job by its index within its strategy; null for none
     */
    public void printJson(
            PrintWriter writer, Consumer<JsonOut> more, @Nullable BiFunction<Integer, Request, String> script) {
        JsonOut.print(writer, out -> {
            out.field("workflow", workflow.name()).field("tasks", workflow.size());
            more.accept(out);
            out.field("tasksWithoutTime", workflow.tasksWithoutTime());
            out.objects("strategies", forecasts.entrySet(), each -> {
                PlanForecast forecast = each.getValue();
                out.field("strategy", each.getKey());
                if (forecast.makespanMillis() >= 0) {
                    out.seconds("expectedMakespanSeconds", forecast.makespanMillis() * 1000);
                }
                if (forecast.estimateMillis() >= 0) {
                    out.seconds("estimatedMakespanSeconds", forecast.estimateMillis() * 1000);
                }
                if (!forecast.cores().isEmpty()) {
                    Explanation.CORES.array(out, "chosenCores", forecast.cores());
                }
                out.objects("jobs", forecast.jobs().size(), i -> {
                    PlanForecast.ForecastJob job = forecast.jobs().get(i);
                    printJson(job, out);
                    if (script != null) {
                        out.field("script", script.apply(i, job.request()));
                    }
                });
            });
        });
    }

    private void printJson(PlanForecast.ForecastJob job, JsonOut out) {
        out.field("nodes", job.request().units())
                .seconds("walltimeSeconds", job.request().walltime() * 1000)
                .field("firstLevel", job.claim().firstLevel())
                .field("lastLevel", job.claim().lastLevel())
                .field("tasks", job.tasks());
        if (job.claim().tasks().size() == 1) {
            out.field("task", workflow.id(job.claim().tasks().task(0)));
        }
        if (job.request().pool() != Pools.ANY) {
            out.field("pool", pools.name(job.request().pool()));
        }
        if (job.expectedWait() != Long.MAX_VALUE) {
            out.seconds("expectedWaitSeconds", job.expectedWait() * 1000);
        }
    }
}
