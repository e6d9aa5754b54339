package io.sheaf.lab.platform;

import io.sheaf.platform.Algorithms;
import io.sheaf.platform.Model;
import io.sheaf.platform.Objective;
import io.sheaf.platform.PortfolioSettings;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A strategy on a platform: one list-scheduling algorithm, or a portfolio of all of them with its parameters.
 *
 * @param name as the table has it: {@code A8}, {@code portfolio:beta=0.5}
 * @param settings of the portfolio, without the seed of its error; null for one algorithm
 */
record PlatformStrategy(String name, @Nullable PortfolioSettings settings) {
    private static final String PORTFOLIO = "portfolio";
    private static final List<String> PARAMETERS =
            List.of("alpha", "beta", "error", "levels", "budget", "prune", "objective", "misjudged", "forensics");

    /** The name in the table: algorithms in upper case, portfolios in lower case. */
    static String normal(String text) {
        String plain = text.replace(" ", "").toLowerCase(Locale.ROOT);
        return plain.startsWith(PORTFOLIO)
                ? plain
                : plain.toUpperCase(Locale.ROOT).replace("_", "");
    }

    static PlatformStrategy of(String name) {
        int colon = name.indexOf(':');
        if (!(colon < 0 ? name : name.substring(0, colon)).equals(PORTFOLIO)) {
            return new PlatformStrategy(Algorithms.named(name, Model.PAPER).name(), null);
        }
        PortfolioSettings settings = PortfolioSettings.PUBLISHED.withThreads(1);
        for (String part : colon < 0 ? new String[0] : name.substring(colon + 1).split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 0 || !PARAMETERS.contains(part.substring(0, equals))) {
                String key = equals < 0 ? part : part.substring(0, equals);
                throw InputException.unknown("parameter of the portfolio", key, PARAMETERS);
            }
            settings = with(settings, part.substring(0, equals), part.substring(equals + 1));
        }
        return new PlatformStrategy(name, settings);
    }

    private static PortfolioSettings with(PortfolioSettings settings, String parameter, String value) {
        try {
            return switch (parameter) {
                case "alpha" -> settings.withAlpha(Double.parseDouble(value), settings.atLevels());
                case "levels" -> settings.withAlpha(settings.alpha(), Boolean.parseBoolean(value));
                case "beta" -> settings.withBeta(Double.parseDouble(value));
                case "error" -> settings.withError(Double.parseDouble(value), 0);
                case "objective" -> settings.withObjective(Objective.valueOf(value.toUpperCase(Locale.ROOT)));
                case "misjudged" -> settings.withBelief(Double.parseDouble(value), settings.forensics());
                case "forensics" -> settings.withBelief(settings.misjudged(), Boolean.parseBoolean(value));
                case "budget" -> settings.withBudget(Integer.parseInt(value));
                default -> settings.withPruning(Boolean.parseBoolean(value));
            };
        } catch (IllegalArgumentException e) {
            throw new InputException("'" + value + "' is not a value for " + parameter
                    + "; fractions and budgets are numbers above 0, an error one from 0 on");
        }
    }

    /** Whether runs with different seeds may differ. */
    boolean dependsOnSeed() {
        return settings != null && (settings.error() > 0 || settings.misjudged() > 0);
    }
}
