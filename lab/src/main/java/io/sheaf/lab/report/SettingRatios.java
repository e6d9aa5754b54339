package io.sheaf.lab.report;

import io.sheaf.lab.experiment.Csv;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makespans under one value of a parameter over those under another, such as node pools or the order of the queue: the geometric mean over runs of a strategy that are otherwise equal, with a bootstrap
 * interval over weeks.
 */
final class SettingRatios {
    /** The parameters that are compared, if an experiment has several values of them. */
    private static final List<String> PARAMETERS = List.of("policy", "order");

    private static final int PLACES = 4;

    private final Runs runs;
    private final StringBuilder rows = new StringBuilder();

    SettingRatios(Runs runs) {
        this.runs = runs;
        PARAMETERS.stream().filter(runs::has).forEach(this::compare);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    String csv() {
        return "parameter,cluster,strategy,value,over,runs,ratio,ratio_low,ratio_high\n" + rows;
    }

    private void compare(String parameter) {
        Map<List<String>, Map<String, Map<List<String>, Runs.Run>>> groups = new LinkedHashMap<>();
        for (Runs.Run run : runs.all()) {
            groups.computeIfAbsent(
                            List.of(runs.has("cluster") ? runs.text(run, "cluster") : "", runs.text(run, "strategy")),
                            key -> new LinkedHashMap<>())
                    .computeIfAbsent(runs.text(run, parameter), key -> new LinkedHashMap<>())
                    .put(runs.others(run, runs.column(parameter)), run);
        }
        groups.forEach((group, values) -> {
            Set<String> remaining = new LinkedHashSet<>(values.keySet());
            values.forEach((value, runs) -> {
                remaining.remove(value);
                remaining.forEach(
                        other -> row(parameter, group, other, values.getOrDefault(other, Map.of()), value, runs));
            });
        });
    }

    private void row(
            String parameter,
            List<String> group,
            String value,
            Map<List<String>, Runs.Run> of,
            String over,
            Map<List<String>, Runs.Run> to) {
        List<Double> logs = new ArrayList<>();
        List<String> weeks = new ArrayList<>();
        of.forEach((key, run) -> {
            Runs.Run other = to.get(key);
            if (other != null && run.completed() && other.completed()) {
                logs.add(Math.log(run.makespan() / other.makespan()));
                weeks.add(runs.week(run));
            }
        });
        double[] all = logs.stream().mapToDouble(each -> each).toArray();
        Samples.Interval interval = Samples.bootstrap(all, weeks, parameter + group + value + over);
        List<String> cells = List.of(
                parameter,
                Csv.quoted(group.get(0)),
                Csv.quoted(group.get(1)),
                Csv.quoted(value),
                Csv.quoted(over),
                Integer.toString(all.length),
                Csv.number(Math.exp(Samples.mean(all)), PLACES),
                Csv.number(Math.exp(interval.low()), PLACES),
                Csv.number(Math.exp(interval.high()), PLACES));
        rows.append(String.join(",", cells)).append('\n');
    }
}
