package io.sheaf.app.predict;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.simulate.Background;
import io.sheaf.sim.ForecastEvaluation;
import io.sheaf.sim.ForecastEvaluation.Sample;
import io.sheaf.sim.ForecastFigures;
import io.sheaf.sim.SizeClasses;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The accuracy of wait estimates on a log.
 *
 * @param replayed figures by nodes, with replayed waits; {@code all} first
 * @param logged the same with recorded waits; empty if there are none
 */
record PredictionReport(String name, Map<String, ForecastFigures> replayed, Map<String, ForecastFigures> logged) {
    private static final String ALL = "all";

    static PredictionReport of(
            Background background, Map<Integer, Long> logged, ForecastEvaluation.EvaluationSettings settings) {
        List<Sample> samples =
                ForecastEvaluation.run(background.jobs(), background.policy(), background.nodes(), settings);
        List<Sample> onRecord = samples.stream()
                .filter(each -> logged.containsKey(background.jobs().id(each.job())))
                .toList();
        ToLongFunction<Sample> recorded =
                each -> logged.getOrDefault(background.jobs().id(each.job()), 0L);
        return new PredictionReport(
                background.text(),
                figures(samples, background.nodes(), Sample::real),
                figures(onRecord, background.nodes(), recorded));
    }

    private static Map<String, ForecastFigures> figures(List<Sample> samples, int nodes, ToLongFunction<Sample> waits) {
        Map<String, ForecastFigures> figures = new LinkedHashMap<>();
        figures.put(ALL, ForecastFigures.of(samples, waits));
        SizeClasses classes = new SizeClasses(nodes);
        for (int i = 0; i < classes.count(); i++) {
            int sizeClass = i;
            List<Sample> selected = samples.stream()
                    .filter(each -> classes.of(each.nodes()) == sizeClass)
                    .toList();
            if (!selected.isEmpty()) {
                figures.put(classes.name(i), ForecastFigures.of(selected, waits));
            }
        }
        return figures;
    }

    private static final DoubleFunction<String> PERCENT = Rounded::percent;
    private static final DoubleFunction<String> HOURS = PredictionReport::hours;

    private static final Fields<ForecastFigures> FIGURES = new Fields<ForecastFigures>()
            .count("jobs", "samples", ForecastFigures::samples)
            .decimal("in 90 % interval", "coverage90", 3, ForecastFigures::coverage90, PERCENT)
            .decimal("in 50 % interval", "coverage50", 3, ForecastFigures::coverage50, PERCENT)
            .decimal("90 % width", "meanWidth90Seconds", 0, ForecastFigures::meanWidth90, HOURS)
            .decimal("median error", "medianErrorSeconds", 0, ForecastFigures::medianError, HOURS)
            .decimal("of scheduler", "rawMedianErrorSeconds", 0, ForecastFigures::rawMedianError, HOURS)
            .decimal("of rank bound", "rankBoundMedianErrorSeconds", 0, ForecastFigures::boundMedianError, HOURS)
            .decimal("medianErrorRatio", 3, ForecastFigures::medianErrorRatio)
            .decimal("pinball loss", "pinballLoss", 1, ForecastFigures::pinball, HOURS)
            .decimal("of scheduler", "rawPinballLoss", 1, ForecastFigures::rawPinball, HOURS)
            .decimal("of rank bound", "rankBoundPinballLoss", 1, ForecastFigures::boundPinball, HOURS);

    private static String hours(double seconds) {
        return DecimalText.fixed(seconds / 3600, 2) + " h";
    }

    void fields(JsonOut out) {
        fields(out, replayed);
        out.object("logged");
        fields(out, logged);
        out.end();
    }

    private static void fields(JsonOut out, Map<String, ForecastFigures> figures) {
        ForecastFigures all = figures.get(ALL);
        if (all != null) {
            FIGURES.fields(out, all);
        }
        out.array("bySize");
        figures.forEach((nodes, each) -> {
            if (!nodes.equals(ALL)) {
                out.object().field("nodes", nodes);
                FIGURES.fields(out, each);
                out.end();
            }
        });
        out.end();
    }

    void print(PrintWriter out) {
        out.println(name);
        print(out, "against the waits of the replay", replayed);
        ForecastFigures recorded = logged.get(ALL);
        if (recorded != null && recorded.samples() > 0) {
            print(out, "against the waits in the log", logged);
        }
    }

    private static void print(PrintWriter out, String title, Map<String, ForecastFigures> figures) {
        out.println();
        out.println(title);
        new Fields<Map.Entry<String, ForecastFigures>>()
                .left("nodes", Map.Entry::getKey)
                .of(FIGURES, Map.Entry::getValue)
                .table(out, figures.entrySet());
    }
}
