package io.sheaf.app.predict;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.predict.Quantiles;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.batch.WhatIf.EvaluatedJob;
import io.sheaf.sim.ForecastEvaluation.Sample;
import io.sheaf.sim.ForecastFigures;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The accuracy of estimates for jobs that other users queued on a cluster.
 *
 * @param checks jobs with their predictions and waits
 */
record EvaluationOnSite(WhatIf.Evaluation checks) {
    /** With fewer jobs no share is meaningful. */
    private static final int MIN_SAMPLES = 20;

    private static final DoubleFunction<String> TIME = EvaluationOnSite::time;

    /** The figures of one estimator. */
    private record Line(String estimator, ForecastFigures figures) {
        /** A figure that only intervals have. */
        double interval(ToDoubleFunction<ForecastFigures> figure) {
            return estimator.equals(WhatIf.CORRECTED) ? figure.applyAsDouble(figures) : Double.NaN;
        }
    }

    private static final Fields<Line> FIELDS = new Fields<Line>()
            .text("estimator", "estimator", Line::estimator)
            .count("jobs", "samples", line -> line.figures.samples())
            .decimal(
                    "in 90 % interval",
                    "coverage90", 3, line -> line.interval(ForecastFigures::coverage90), Rounded::percent)
            .decimal(
                    "in 50 % interval",
                    "coverage50", 3, line -> line.interval(ForecastFigures::coverage50), Rounded::percent)
            .decimal("90 % width", "meanWidth90Seconds", 0, line -> line.interval(ForecastFigures::meanWidth90), TIME)
            .decimal("median error", "medianErrorSeconds", 1, line -> line.figures.medianError(), TIME)
            .decimal("pinball loss", "pinballLoss", 1, line -> line.figures.pinball(), TIME);

    private static String time(double seconds) {
        return Rounded.time(Math.round(seconds * 1000));
    }

    private List<Line> lines() {
        return List.of(
                line(WhatIf.CORRECTED, each -> each.interval() != null, each -> 0),
                line(WhatIf.ENGINE, each -> true, EvaluatedJob::engine),
                line(WhatIf.PLANNED, each -> each.planned() != WhatIf.UNKNOWN, EvaluatedJob::planned));
    }

    /** The figures of the jobs for which an estimator had an estimate. */
    private Line line(String estimator, Predicate<EvaluatedJob> known, ToLongFunction<EvaluatedJob> estimate) {
        List<Sample> samples = checks.started().stream()
                .filter(known)
                .map(each -> {
                    Quantiles drawn = each.interval();
                    Quantiles predicted = estimator.equals(WhatIf.CORRECTED) && drawn != null
                            ? drawn
                            : Quantiles.always(estimate.applyAsLong(each));
                    return new Sample(0, each.nodes(), each.engine(), predicted, predicted, each.waited());
                })
                .toList();
        return new Line(estimator, ForecastFigures.of(samples, Sample::real));
    }

    private long waited() {
        return checks.started().stream().filter(each -> each.waited() > 0).count();
    }

    private double hours() {
        List<EvaluatedJob> started = checks.started();
        long first = started.stream().mapToLong(EvaluatedJob::at).min().orElse(0);
        long last = started.stream()
                .mapToLong(each -> each.at() + each.waited())
                .max()
                .orElse(0);
        return (last - first) / 3.6e6;
    }

    void print(PrintWriter out) {
        out.println(Rounded.count(checks.started().size()) + " jobs started over " + DecimalText.fixed(hours(), 1)
                + " h, " + checks.open() + " still queued");
        if (!checks.started().isEmpty()) {
            out.println();
            FIELDS.table(out, lines());
        }
        if (checks.started().size() < MIN_SAMPLES) {
            out.println();
            out.println("not enough data: at least " + MIN_SAMPLES + " started jobs are needed; observe for longer");
        }
    }

    void fields(JsonOut out) {
        out.field("started", checks.started().size())
                .field("waited", waited())
                .field("queued", checks.open())
                .decimal("hours", hours(), 3)
                .field("enough", checks.started().size() >= MIN_SAMPLES);
        FIELDS.array(out, "estimators", lines());
        out.texts("problems", checks.problems());
    }
}
