package io.sheaf.app.predict;

import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.run.RunChoice;
import io.sheaf.batch.Pools;
import io.sheaf.predict.StartQuery;
import io.sheaf.runtime.cluster.ClusterForecast;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.sim.WaitForecast;
import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import java.io.IOException;
import picocli.CommandLine.Option;

/** Estimates the start of a job on the embedded cluster of an active run or service, with intervals. */
final class PredictionOnRun {
    @Option(
            names = "--run",
            paramLabel = "RUN",
            description = "Use the embedded cluster of this run or service: its folder, or its name in ./"
                    + RunChoice.RUNS + " (default: the newest).")
    String run = "";

    boolean isGiven() {
        return !run.isEmpty();
    }

    void print(SheafCommand command, int nodes, long walltime, int draws) throws IOException {
        RecordedRun recorded = RecordedRun.open(RunChoice.folder(command.session(), run));
        String name = recorded.folder().toString();
        Placement where = recorded.spec().where();
        if (!where.equals(Placement.LOCAL)) {
            throw new InputException(
                            "runs on " + where.system() + ", not on an embedded cluster; use --on " + where.system())
                    .in(name);
        }
        if (recorded.leaseHolder() == null) {
            throw new InputException(
                            "no manager is running, so no job can start. Use --run with an active run, or --on, --trace or --model")
                    .in(name);
        }
        ClusterForecast forecast = recorded.forecast(StartQuery.of(recorded.now(), Pools.ANY, nodes, walltime), draws);
        WaitForecast waits = forecast.waits();
        if (waits == null) {
            throw new InputException("--nodes: " + nodes + " requested, the cluster has " + forecast.nodes()).in(name);
        }
        command.print(
                out -> {
                    out.field("nodes", nodes).seconds("requestedSeconds", walltime * 1000);
                    PredictionOnLog.WAITS.fields(out, waits);
                    out.field("basis", forecast.sampled() ? "sampled" : "limits")
                            .field("draws", draws)
                            .field("clusterNodes", forecast.nodes())
                            .field("takenNodes", forecast.allocated())
                            .field("requestsBefore", forecast.before());
                },
                out -> {
                    out.println(nodes + " nodes × " + TimeText.text(walltime * 1000) + " on the cluster of " + name
                            + ", from now:");
                    PredictionOnLog.WAITS.lines(out, waits);
                    out.println();
                    out.println(
                            forecast.nodes() + " nodes, " + forecast.allocated() + " in use; " + forecast.before()
                                    + " jobs queued before this one; "
                                    + (forecast.sampled()
                                            ? "intervals from " + draws + " sampled futures of the background jobs"
                                            : "too few background jobs have ended to sample from; the estimate uses walltimes only"));
                });
    }
}
