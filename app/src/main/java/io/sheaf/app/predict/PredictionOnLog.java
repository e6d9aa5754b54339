package io.sheaf.app.predict;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Session;
import io.sheaf.app.cli.Table;
import io.sheaf.app.simulate.Background;
import io.sheaf.predict.Quantiles;
import io.sheaf.sim.ForecastEvaluation.Settings;
import io.sheaf.sim.WaitForecast;
import io.sheaf.text.InputException;
import io.sheaf.text.Rounded;
import io.sheaf.text.TimeText;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says when a job would start in the queue of a log, with intervals; or judges such estimates. */
final class PredictionOnLog {
    static final int LEAST_DRAWS = 20;

    @Mixin
    PredictedQueue queue = new PredictedQueue();

    @Option(
            names = "--start",
            paramLabel = "TIME",
            defaultValue = "20d",
            description = "When it is submitted, after the first job of the log (${DEFAULT-VALUE}).")
    String start = "20d";

    @Option(
            names = "--draws",
            paramLabel = "K",
            defaultValue = "100",
            description = "How many futures of the queue are drawn for an estimate (${DEFAULT-VALUE}).")
    int draws = 100;

    @Option(names = "--evaluate", description = "Judge the estimates on jobs of the log.")
    boolean evaluate;

    @Option(
            names = "--weeks",
            paramLabel = "W",
            defaultValue = "4",
            description = "Weeks that jobs are taken from, spread over the second half of the log (${DEFAULT-VALUE}).")
    int weeks = 4;

    @Option(
            names = "--jobs-a-week",
            paramLabel = "J",
            defaultValue = "150",
            description = "How many jobs are drawn from each week (${DEFAULT-VALUE}).")
    int jobsAWeek = 150;

    boolean isGiven() {
        return queue.trace != null || queue.model != null || evaluate;
    }

    /** What is used in a wrong way, in a few words; null if nothing is. */
    @Nullable
    String misuse(int nodes, String time) {
        if (queue.misuse() != null) {
            return queue.misuse();
        }
        if (draws < LEAST_DRAWS || weeks < 1 || jobsAWeek < 1) {
            return "--draws, --weeks and --jobs-a-week: give at least 20, 1 and 1";
        }
        boolean named = nodes != 0 || !time.isEmpty();
        if (evaluate) {
            return named ? "--evaluate takes the jobs of the log, not --nodes and --time" : null;
        }
        return nodes == 0 || time.isEmpty() ? "name the job: --nodes N --time T; or --evaluate" : null;
    }

    void tell(Session session, boolean json, int nodes, String time) {
        Background others = queue.background(session.err());
        if (others.jobs().size() == 0) {
            throw new InputException("no job is left to replay").in(others.name());
        }
        if (!evaluate) {
            tell(session, json, others, nodes, time);
            return;
        }
        Settings settings = new Settings(weeks, jobsAWeek, draws, queue.seed);
        PredictionReport report = PredictionReport.of(others, queue.logged(), settings);
        if (json) {
            report.printJson(session.out());
        } else {
            report.print(session.out());
        }
    }

    private void tell(Session session, boolean json, Background others, int wanted, String time) {
        if (wanted < 1 || wanted > others.nodes()) {
            throw new InputException("--nodes: " + wanted + " nodes; the cluster has " + others.nodes());
        }
        long asked = TimeText.millis(time);
        WaitForecast forecast = WaitForecast.at(
                others.jobs(),
                others.policy(),
                others.nodes(),
                TimeText.millis(start),
                wanted,
                Math.max(1, asked),
                draws,
                queue.seed);
        if (json) {
            try (JsonOut out = new JsonOut(session.out())) {
                out.object().field("nodes", wanted).seconds("requestedSeconds", asked * 1000);
                fields(out, forecast);
                out.field("basis", "sampled").field("draws", draws).end();
            }
            return;
        }
        session.out().println(others.text() + ", " + start + " after its first job");
        session.out().println();
        print(session.out(), forecast);
    }

    static void fields(JsonOut out, WaitForecast forecast) {
        Quantiles waits = forecast.waits();
        out.seconds("schedulerSeconds", forecast.scheduler() * 1000)
                .seconds("medianSeconds", waits.median() * 1000)
                .seconds("low50Seconds", waits.low50() * 1000)
                .seconds("high50Seconds", waits.high50() * 1000)
                .seconds("low90Seconds", waits.low90() * 1000)
                .seconds("high90Seconds", waits.high90() * 1000);
    }

    static void print(PrintWriter out, WaitForecast forecast) {
        Quantiles waits = forecast.waits();
        Table.print(
                out,
                List.of("wait", ""),
                List.of(
                        List.of("scheduler", Rounded.time(forecast.scheduler())),
                        List.of("median", Rounded.time(waits.median())),
                        List.of("50 %", Rounded.time(waits.low50()) + " to " + Rounded.time(waits.high50())),
                        List.of("90 %", Rounded.time(waits.low90()) + " to " + Rounded.time(waits.high90()))),
                "<<");
    }
}
