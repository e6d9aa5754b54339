package io.sheaf.lab.study;

import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Section;
import io.sheaf.predict.Quantiles;
import io.sheaf.sim.ForecastEvaluation;
import io.sheaf.sim.ForecastEvaluation.Sample;
import io.sheaf.sim.ForecastFigures;
import io.sheaf.sim.SizeClasses;
import io.sheaf.text.DecimalText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * The accuracy of start-time estimates by log and job width: those of the scheduler, rank bounds, and forecasts.
 *
 * <p>{@code below05} to {@code below95} are the shares of waits below the quantile of that level.
 */
public final class PredictionStudy implements Study {
    private static final StudyColumns COLUMNS = new StudyColumns(
            List.of("cluster", "nodes", "estimate"),
            List.of(
                    "repetition",
                    "samples",
                    "median_error_hours",
                    "pinball_hours",
                    "coverage90_percent",
                    "coverage50_percent",
                    "width90_hours",
                    "below05",
                    "below25",
                    "below50",
                    "below75",
                    "below95"));

    public static final ExperimentKind KIND = StudyExperiment.kind(
            "prediction", COLUMNS, PredictionStudy::new, "clusters", "weeks", "jobs-a-week", "draws", "repetitions");

    private static final String ALL = "all";
    private static final int MIN_DRAWS = 20;

    /** The evaluated estimates. */
    private enum Estimate {
        SCHEDULER,
        RANK_BOUND,
        FORECAST;

        Quantiles of(Sample sample) {
            return switch (this) {
                case SCHEDULER -> Quantiles.always(sample.raw());
                case RANK_BOUND -> sample.bound();
                case FORECAST -> sample.forecast();
            };
        }
    }

    private static final String JOBS = "jobs-a-week";
    private static final String DRAWS = "draws";

    /** A cluster with the size of its sample; logs with deep queues take long. */
    private record Judged(StudyCluster cluster, int jobsAWeek, int draws) {}

    private final List<Judged> clusters = new ArrayList<>();
    private final int weeks;
    private final int repetitions;

    PredictionStudy(Section section, Inputs inputs) {
        weeks = section.one("weeks", 4, Section.whole(1));
        int jobsAWeek = section.one(JOBS, 150, Section.whole(1));
        int draws = section.one(DRAWS, 100, Section.whole(MIN_DRAWS));
        StudyCluster.read(section, inputs, JOBS, DRAWS)
                .forEach(each -> clusters.add(new Judged(
                        each,
                        each.section().one(JOBS, jobsAWeek, Section.whole(1)),
                        each.section().one(DRAWS, draws, Section.whole(MIN_DRAWS)))));
        repetitions = section.one("repetitions", 1, Section.whole(1));
    }

    @Override
    public int settings() {
        return clusters.size();
    }

    @Override
    public int repetitions() {
        return repetitions;
    }

    @Override
    public List<List<String>> rows(int setting, int repetition) {
        Judged judged = clusters.get(setting);
        StudyCluster cluster = judged.cluster;
        List<Sample> samples = ForecastEvaluation.run(
                cluster.jobs(0),
                cluster.policy(),
                cluster.nodes(),
                new ForecastEvaluation.EvaluationSettings(weeks, judged.jobsAWeek, judged.draws, repetition));
        SizeClasses classes = new SizeClasses(cluster.nodes());
        List<List<String>> rows = new ArrayList<>();
        for (int i = -1; i < classes.count(); i++) {
            int sizeClass = i;
            List<Sample> selected = samples.stream()
                    .filter(each -> sizeClass < 0 || classes.of(each.nodes()) == sizeClass)
                    .toList();
            // A log without waiting jobs has only the rows of all sizes.
            for (Estimate estimate : selected.isEmpty() && sizeClass >= 0 ? new Estimate[0] : Estimate.values()) {
                List<String> row = new ArrayList<>(
                        List.of(cluster.name(), sizeClass < 0 ? ALL : classes.name(sizeClass), Section.name(estimate)));
                row.add(Integer.toString(repetition));
                row.addAll(figures(selected, estimate));
                rows.add(row);
            }
        }
        return rows;
    }

    private static List<String> figures(List<Sample> samples, Estimate estimate) {
        if (samples.isEmpty()) {
            List<String> nothing =
                    new ArrayList<>(Collections.nCopies(COLUMNS.measures().size() - 1, ""));
            nothing.set(0, "0");
            return nothing;
        }
        Function<Sample, Sample> judged =
                s -> new Sample(s.job(), s.nodes(), s.raw(), estimate.of(s), s.bound(), s.real());
        List<Sample> all = samples.stream().map(judged).toList();
        ForecastFigures f = ForecastFigures.of(all, Sample::real);
        List<String> figures = new ArrayList<>(List.of(
                Integer.toString(f.samples()),
                DecimalText.fixed(f.medianError() / 3600, 3),
                DecimalText.fixed(f.pinball() / 3600, 3),
                DecimalText.fixed(100 * f.coverage90(), 1),
                DecimalText.fixed(100 * f.coverage50(), 1),
                DecimalText.fixed(f.meanWidth90() / 3600, 3)));
        for (int i = 0; i < Quantiles.levels().length; i++) {
            int level = i;
            long below = all.stream()
                    .filter(s -> s.real() <= s.forecast().values()[level])
                    .count();
            figures.add(DecimalText.fixed(100.0 * below / all.size(), 1));
        }
        return figures;
    }
}
