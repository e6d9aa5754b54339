package io.sheaf.app.predict;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Table;
import io.sheaf.app.simulate.Background;
import io.sheaf.sim.ForecastEvaluation;
import io.sheaf.sim.ForecastEvaluation.Sample;
import io.sheaf.sim.ForecastFigures;
import io.sheaf.sim.SizeClasses;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How good estimates of waits were on a log.
 *
 * @param replayed figures by nodes, with waits as in the replay; {@code all} first
 * @param logged the same with waits as on record; empty where there are none
 */
record PredictionReport(String name, Map<String, ForecastFigures> replayed, Map<String, ForecastFigures> logged) {
    private static final String ALL = "all";

    static PredictionReport of(Background others, Map<Integer, Long> logged, ForecastEvaluation.Settings settings) {
        List<Sample> samples = ForecastEvaluation.run(others.jobs(), others.policy(), others.nodes(), settings);
        List<Sample> onRecord = samples.stream()
                .filter(each -> logged.containsKey(others.jobs().id(each.job())))
                .toList();
        ToLongFunction<Sample> recorded =
                each -> logged.getOrDefault(others.jobs().id(each.job()), 0L);
        return new PredictionReport(
                others.text(),
                figures(samples, others.nodes(), Sample::real),
                figures(onRecord, others.nodes(), recorded));
    }

    private static Map<String, ForecastFigures> figures(List<Sample> samples, int nodes, ToLongFunction<Sample> waits) {
        Map<String, ForecastFigures> figures = new LinkedHashMap<>();
        figures.put(ALL, ForecastFigures.of(samples, waits));
        SizeClasses classes = new SizeClasses(nodes);
        for (int i = 0; i < classes.count(); i++) {
            int wanted = i;
            List<Sample> some = samples.stream()
                    .filter(each -> classes.of(each.nodes()) == wanted)
                    .toList();
            if (!some.isEmpty()) {
                figures.put(classes.name(i), ForecastFigures.of(some, waits));
            }
        }
        return figures;
    }

    void printJson(PrintWriter to) {
        try (JsonOut out = new JsonOut(to)) {
            out.object();
            fields(out, replayed.get(ALL));
            bySize(out, replayed);
            out.object("logged");
            fields(out, logged.get(ALL));
            bySize(out, logged);
            out.end().end();
        }
    }

    private static void bySize(JsonOut out, Map<String, ForecastFigures> figures) {
        out.array("bySize");
        figures.forEach((nodes, each) -> {
            if (!nodes.equals(ALL)) {
                out.object().field("nodes", nodes);
                fields(out, each);
                out.end();
            }
        });
        out.end();
    }

    private static void fields(JsonOut out, @Nullable ForecastFigures f) {
        if (f != null) {
            out.field("samples", f.samples())
                    .decimal("coverage90", f.coverage90(), 3)
                    .decimal("coverage50", f.coverage50(), 3)
                    .decimal("meanWidth90Seconds", f.meanWidth90(), 0)
                    .decimal("medianErrorSeconds", f.medianError(), 0)
                    .decimal("rawMedianErrorSeconds", f.rawMedianError(), 0)
                    .decimal("rankBoundMedianErrorSeconds", f.boundMedianError(), 0)
                    .decimal("medianErrorRatio", f.medianErrorRatio(), 3)
                    .decimal("pinballLoss", f.pinball(), 1)
                    .decimal("rawPinballLoss", f.rawPinball(), 1)
                    .decimal("rankBoundPinballLoss", f.boundPinball(), 1);
        }
    }

    void print(PrintWriter out) {
        out.println(name);
        print(out, "waits of the replay", replayed);
        ForecastFigures recorded = logged.get(ALL);
        if (recorded != null && recorded.samples() > 0) {
            print(out, "waits on record", logged);
        }
    }

    private static void print(PrintWriter out, String title, Map<String, ForecastFigures> figures) {
        out.println();
        out.println(title);
        List<List<String>> rows = new ArrayList<>();
        figures.forEach((nodes, f) -> rows.add(List.of(
                nodes,
                Rounded.count(f.samples()),
                percent(f.coverage90()),
                percent(f.coverage50()),
                hours(f.meanWidth90()),
                hours(f.medianError()),
                hours(f.rawMedianError()),
                hours(f.boundMedianError()),
                hours(f.pinball()),
                hours(f.rawPinball()),
                hours(f.boundPinball()))));
        Table.print(
                out,
                List.of(
                        "nodes",
                        "jobs",
                        "in 90 %",
                        "in 50 %",
                        "width 90 %",
                        "error",
                        "scheduler's",
                        "rank's",
                        "pinball",
                        "scheduler's",
                        "rank's"),
                rows,
                "<>>>>>>>>>>");
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "" : DecimalText.fixed(100 * share, 1) + " %";
    }

    private static String hours(double seconds) {
        return Double.isNaN(seconds) ? "" : DecimalText.fixed(seconds / 3600, 2) + " h";
    }
}
