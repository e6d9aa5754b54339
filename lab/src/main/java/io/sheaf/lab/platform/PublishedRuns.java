package io.sheaf.lab.platform;

import io.sheaf.formats.Source;
import io.sheaf.lab.experiment.WorkflowInstance;
import io.sheaf.platform.Model;
import io.sheaf.platform.Objective;
import io.sheaf.platform.Platform;
import io.sheaf.platform.PortfolioSettings;
import io.sheaf.platform.Scenario;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Results of a published study, by workflow, platform and algorithm: CSV with the columns {@code workflow platform makespan algorithm_sequence}, and either
 * {@code algorithm} or {@code alpha beta noise_e noise_seed}. Of repeated rows the first counts.
 */
record PublishedRuns(Map<String, Run> runs) {
    static final PublishedRuns NOTHING = new PublishedRuns(Map.of());

    /**
     * A published run.
     *
     * @param sequence the numbers of the algorithms used, round by round; empty for a single algorithm
     */
    private record Run(double makespan, String sequence) {}

    static PublishedRuns read(List<Source> tables) {
        Map<String, Run> runs = new HashMap<>();
        for (Source table : tables) {
            table.read(in -> {
                read(in, runs);
                return runs;
            });
        }
        return new PublishedRuns(runs);
    }

    private static void read(InputStream in, Map<String, Run> runs) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        List<String> columns = List.of(String.valueOf(lines.readLine()).split(",", -1));
        int number = 1;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            Map<String, String> row = new HashMap<>();
            String[] fields = line.split(",", -1);
            for (int i = 0; i < Math.min(fields.length, columns.size()); i++) {
                row.put(columns.get(i), fields[i].strip());
            }
            try {
                Run run = new Run(
                        Double.parseDouble(row.getOrDefault("makespan", "")),
                        row.getOrDefault("algorithm_sequence", ""));
                runs.putIfAbsent(key(row), run);
            } catch (NumberFormatException e) {
                throw new InputException("contains text instead of a number: " + e.getMessage(), Place.of(number, 0));
            }
        }
    }

    private static String key(Map<String, String> row) {
        String where = row.get("workflow") + "/" + row.get("platform") + "/";
        String algorithm = row.get("algorithm");
        if (algorithm != null) {
            return where + (algorithm.equals("portfolio") ? portfolio(0.1, 1, 0, 0) : algorithm);
        }
        return where
                + portfolio(
                        number(row, "alpha"),
                        number(row, "beta"),
                        number(row, "noise_e"),
                        Math.round(number(row, "noise_seed")));
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(row.getOrDefault(column, ""));
    }

    /** Without an error the seed has no effect. */
    private static String portfolio(double alpha, double beta, double error, long seed) {
        return "portfolio " + alpha + " " + beta + " " + error + (error > 0 ? " " + seed : "");
    }

    /** The outcomes on a platform; a generated workflow is not one of the study, even if it replaces one. */
    PlatformExperiment.PlatformBlock.Outcomes outcomes(Platform platform, List<WorkflowInstance> workflows) {
        Map<Integer, Double> bounds = new ConcurrentHashMap<>();
        return (number, strategy, seed) -> {
            WorkflowInstance instance = workflows.get(number);
            Run run = instance.isGenerated() ? null : find(instance.group(), platform.name(), strategy, seed);
            if (run == null) {
                return PlatformOutcome.NOT_PUBLISHED;
            }
            double bound = bounds.computeIfAbsent(
                    number, any -> PlatformOutcome.bound(new Scenario(instance.workflow(), platform, Model.PUBLISHED)));
            return new PlatformOutcome("1", run.makespan(), bound, null, run.sequence(), "");
        };
    }

    private @Nullable Run find(String workflow, String platform, PlatformStrategy strategy, long seed) {
        PortfolioSettings settings = strategy.settings();
        if (settings != null && !isOfTheStudy(settings)) {
            return null;
        }
        String label = settings == null
                ? strategy.name()
                : portfolio(settings.alpha(), settings.beta(), settings.error(), seed);
        return runs.get(workflow + "/" + platform + "/" + label);
    }

    /** Whether only parameters that the study varied are set. */
    private static boolean isOfTheStudy(PortfolioSettings settings) {
        return !settings.atLevels()
                && settings.budget() == Integer.MAX_VALUE
                && settings.objective() == Objective.MAKESPAN
                && settings.misjudged() == 0;
    }
}
