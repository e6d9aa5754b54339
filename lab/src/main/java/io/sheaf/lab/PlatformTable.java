package io.sheaf.lab;

import io.sheaf.platform.Platform;
import io.sheaf.platform.PlatformCluster;
import io.sheaf.platform.PlatformExecution;
import io.sheaf.platform.PortfolioRound;
import io.sheaf.platform.Scenario;
import io.sheaf.text.DecimalText;
import io.sheaf.workflow.Workflow;
import java.util.List;
import java.util.stream.Collectors;

/** The table of runs on platforms: a row for each, every parameter a column; a run of a published study that was not published has no outcome at all. */
final class PlatformTable {
    static final List<String> COLUMNS = List.of(
            "run",
            "platform",
            "model",
            "workflow",
            "group",
            "source",
            "tasks",
            "levels",
            "width",
            "work_seconds",
            "strategy",
            "seed",
            "completed",
            "makespan_seconds",
            "lower_bound_seconds",
            "energy_joules",
            "bytes_moved",
            "idle_core_seconds",
            "rounds",
            "algorithms_used",
            "algorithm_sequence",
            "failure");

    /** A task uses no more. */
    private static final int MOST_CORES = 32;

    private PlatformTable() {}

    /** The parameters of a run, as the row begins. */
    static String parameters(Platform platform, String model, Subject subject, Arm arm, long seed) {
        return String.join(
                ",",
                RunTable.quoted(platform.name()),
                model,
                RunTable.subject(subject),
                RunTable.quoted(arm.name()),
                Long.toString(seed));
    }

    /** The outcome of a run that came to its end. */
    static String outcome(PlatformExecution execution, double bound, List<PortfolioRound> rounds) {
        String sequence =
                rounds.stream().map(round -> Integer.toString(round.chosen())).collect(Collectors.joining(" "));
        return String.join(
                ",",
                "1",
                DecimalText.fixed(execution.makespan(), 6),
                DecimalText.fixed(bound, 6),
                DecimalText.fixed(execution.joules(), 3),
                DecimalText.fixed(execution.bytes(), 0),
                DecimalText.fixed(execution.idleCoreSeconds(), 3),
                rounds.isEmpty() ? "" : Integer.toString(rounds.size()),
                rounds.isEmpty()
                        ? ""
                        : Long.toString(rounds.stream()
                                .mapToInt(PortfolioRound::chosen)
                                .distinct()
                                .count()),
                sequence,
                "");
    }

    /** The outcome of a run that ended by an exception. */
    static String broken(String why) {
        return "0,0.000000,0.000000,,,,,,," + RunTable.quoted(why.replace('\t', ' '));
    }

    /** What no algorithm can go below: the longest chain of tasks, each on the cluster and the cores that suit it best, files for nothing. */
    static double bound(Scenario scenario) {
        Workflow workflow = scenario.workflow();
        double[] end = new double[workflow.size()];
        double longest = 0;
        for (int i = 0; i < end.length; i++) {
            int task = workflow.inOrder(i);
            for (int p = 0; p < workflow.parents(task); p++) {
                end[task] = Math.max(end[task], end[workflow.parent(task, p)]);
            }
            end[task] += shortest(scenario, task);
            longest = Math.max(longest, end[task]);
        }
        return longest;
    }

    private static double shortest(Scenario scenario, int task) {
        double alpha = scenario.alpha(task);
        double least = Double.POSITIVE_INFINITY;
        for (PlatformCluster cluster : scenario.platform().clusters()) {
            double alone = cluster.seconds(scenario.workflow().timeMicros(task) / 1e6);
            least = Math.min(least, alpha * alone / Math.min(cluster.cores(), MOST_CORES) + (1 - alpha) * alone);
        }
        return least;
    }
}
