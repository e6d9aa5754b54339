package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.platform.Objective;
import io.sheaf.platform.PortfolioSettings;
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
import org.jspecify.annotations.Nullable;

/**
 * Results of a published study, by workflow, platform and what ran: CSV with the columns {@code workflow platform makespan algorithm_sequence}, and either
 * {@code algorithm} or {@code alpha beta noise_e noise_seed}. Of repeated rows the first counts.
 */
final class Published {
    static final Published NOTHING = new Published(Map.of());

    /**
     * What came of a run.
     *
     * @param sequence the numbers of the algorithms used, round by round; empty where one ran
     */
    record Run(double makespan, String sequence) {}

    private final Map<String, Run> runs;

    private Published(Map<String, Run> runs) {
        this.runs = runs;
    }

    static Published read(List<Source> tables) {
        Map<String, Run> runs = new HashMap<>();
        for (Source table : tables) {
            table.read(in -> {
                read(in, runs);
                return runs;
            });
        }
        return new Published(runs);
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
                throw new InputException("holds a text where a number belongs: " + e.getMessage(), Place.of(number, 0));
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

    /** Without an error the seed makes no difference. */
    private static String portfolio(double alpha, double beta, double error, long seed) {
        return "portfolio " + alpha + " " + beta + " " + error + (error > 0 ? " " + seed : "");
    }

    /** The run of a workflow, by the name of its group; null if it was not published. */
    @Nullable
    Run find(String workflow, String platform, Arm arm, long seed) {
        PortfolioSettings settings = arm.settings();
        if (settings != null && !isOfTheStudy(settings)) {
            return null;
        }
        String what =
                settings == null ? arm.name() : portfolio(settings.alpha(), settings.beta(), settings.error(), seed);
        return runs.get(workflow + "/" + platform + "/" + what);
    }

    /** Whether no more is set than the study has varied. */
    private static boolean isOfTheStudy(PortfolioSettings settings) {
        return !settings.atLevels()
                && settings.budget() == Integer.MAX_VALUE
                && settings.objective() == Objective.MAKESPAN
                && settings.misjudged() == 0;
    }
}
