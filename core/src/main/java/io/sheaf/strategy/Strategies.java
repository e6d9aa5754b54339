package io.sheaf.strategy;

import io.sheaf.manager.Strategy;
import io.sheaf.predict.WaitMemory;
import io.sheaf.text.InputException;
import io.sheaf.text.Nearest;
import io.sheaf.text.TimeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All strategies by name, with their parameters: {@code zhang:global=false}. */
public final class Strategies {
    /** The names that {@code all} stands for. */
    public static final List<String> NAMES = List.of(
            "auto",
            "portfolio",
            "onejob",
            "onejobpertask",
            "levelbylevel",
            "giant",
            "individual",
            "zhang",
            "hybrid",
            "glume",
            "bigjob",
            "perstage",
            "asa",
            "asa-naive");

    /** The names of strategies that do not combine others. */
    public static final List<String> SINGLE =
            NAMES.stream().filter(name -> !name.equals("portfolio")).toList();

    private Strategies() {}

    /** The strategy with this name and parameters, for a workflow with these run times, without learning. */
    public static Strategy named(String spec, RunTimes times, Profile profile) {
        return named(spec, times, profile, null);
    }

    /** The same with learning of waits from the lessons of its decisions. */
    public static Strategy named(String spec, RunTimes times, Profile profile, @Nullable WaitMemory memory) {
        int colon = spec.indexOf(':');
        String name = (colon < 0 ? spec : spec.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
        Parameters parameters = new Parameters(name, colon < 0 ? "" : spec.substring(colon + 1));
        boolean naive = name.equals("asa-naive");
        Strategy strategy =
                switch (name) {
                    case "auto" -> new Auto(times, profile, parameters.auto());
                    case "portfolio" -> portfolio(spec.strip(), parameters, times, profile, memory);
                    case "onejob" -> new OneJob(times, profile);
                    case "giant" -> BigJob.giant(times, profile);
                    case "onejobpertask", "individual" -> new OneJobPerTask(name, profile);
                    case "levelbylevel" -> new LevelByLevel(times, profile);
                    case "zhang" ->
                        parameters.choice("form", "thesis", "paper").equals("paper")
                                ? new Hybrid(times, profile)
                                : new Zhang(
                                        times,
                                        profile,
                                        parameters.flag("global", true),
                                        parameters.flag("sizing", true),
                                        parameters.flag("bsearch", true),
                                        parameters.dependency());
                    case "hybrid" -> new Hybrid(times, profile);
                    case "bigjob" -> BigJob.of(parameters.cores(), times, profile);
                    case "perstage" -> new PerStage(times, profile, parameters.cores());
                    case "asa", "asa-naive" ->
                        new Asa(
                                spec.strip(),
                                times,
                                profile,
                                new Stages(times, parameters.cores()),
                                parameters.stageWaits(memory),
                                naive,
                                naive && parameters.flag("hold", false),
                                !naive && parameters.isQueuedAhead());
                    case "glume" ->
                        new Glume(
                                times,
                                profile,
                                new Glume.Options(
                                        parameters.fraction("beat", 0),
                                        parameters.flag("fallback", false),
                                        parameters
                                                .choice("split", "levels", "vertical")
                                                .equals("vertical"),
                                        parameters.dependency()));
                    default -> throw InputException.unknown("strategy", name, NAMES);
                };
        parameters.refuseOthers();
        return strategy;
    }

    /** Parameters as they follow a strategy's name; empty ones are left out. */
    static String parameters(String... all) {
        String text = Stream.of(all).filter(each -> !each.isEmpty()).collect(Collectors.joining(","));
        return text.isEmpty() ? "" : ":" + text;
    }

    private static Strategy portfolio(
            String spec, Parameters parameters, RunTimes times, Profile profile, @Nullable WaitMemory memory) {
        List<Strategy> strategies = new ArrayList<>();
        List<Strategy> played = new ArrayList<>();
        boolean hasty = parameters.choice("effort", "low", "full").equals("low");
        for (String each : parameters.names("of", Portfolio.ALL)) {
            if (each.startsWith("portfolio")) {
                throw new InputException("a portfolio cannot contain a portfolio; remove it from of=");
            }
            Strategy strategy = named(each, times, profile, memory);
            strategies.add(strategy);
            played.add(hasty && each.equals("auto") ? named("auto:effort=low", times, profile) : strategy);
        }
        return new Portfolio(spec, strategies, played, parameters.portfolio());
    }

    /** The parameters {@code a=1,b=2} after a strategy's name. */
    private static final class Parameters {
        private final String strategy;
        private final Map<String, String> values = new LinkedHashMap<>();
        private final Map<String, String> known = new LinkedHashMap<>();

        Parameters(String strategy, String text) {
            this.strategy = strategy;
            for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
                int equals = pair.indexOf('=');
                if (equals < 1) {
                    throw new InputException("'" + pair + "' after strategy '" + strategy + "' is not NAME=VALUE");
                }
                values.put(
                        pair.substring(0, equals).strip(),
                        pair.substring(equals + 1).strip());
            }
        }

        /** The text of a parameter; null if it is not set. Registers its name. */
        private @Nullable String value(String name) {
            known.put(name, "");
            return values.get(name);
        }

        boolean flag(String name, boolean defaultValue) {
            String value = value(name);
            if (value == null) {
                return defaultValue;
            }
            if (!value.equals("true") && !value.equals("false")) {
                throw new InputException(name + "=" + value + ": write true or false");
            }
            return value.equals("true");
        }

        /** One of some words; the first by default. */
        String choice(String name, String... words) {
            known.put(name, "");
            String value = values.getOrDefault(name, words[0]);
            if (!List.of(words).contains(value)) {
                throw new InputException(name + "=" + value + ": write " + String.join(" or ", words));
            }
            return value;
        }

        /** Whether a job depends on its predecessor instead of requesting leeway. */
        boolean dependency() {
            return choice("leeway", "time", "dependency").equals("dependency");
        }

        /** Whether ASA submits a stage ahead even while the previous one is queued. */
        boolean isQueuedAhead() {
            return choice("ahead", "running", "queued").equals("queued");
        }

        /** A number of cores; unlimited by default. */
        int cores() {
            return count("cores", "a number of cores", Stages.ANY_CORES);
        }

        private int count(String name, String noun, int defaultValue) {
            String value = value(name);
            if (value == null) {
                return defaultValue;
            }
            try {
                int count = Integer.parseInt(value);
                if (count >= 1) {
                    return count;
                }
            } catch (NumberFormatException e) {
                // Reported below.
            }
            throw new InputException(name + "=" + value + ": write " + noun + " from 1 on");
        }

        /** A constant wait, the estimator's answer, or a learnt wait; by default the first available of the latter two. */
        StageWaits stageWaits(@Nullable WaitMemory memory) {
            known.put("estimate", "");
            String value = values.getOrDefault("estimate", "");
            StageWaits learnt = memory == null ? null : StageWaits.learnt(memory, 0);
            try {
                return switch (value) {
                    case "" -> learnt == null ? StageWaits.ESTIMATED : StageWaits.estimatedOr(learnt);
                    case "asked" -> StageWaits.ESTIMATED;
                    case "learned" -> learnt == null ? nothingLearnt() : learnt;
                    default -> StageWaits.fixed(TimeText.millis(value));
                };
            } catch (InputException e) {
                throw new InputException("estimate=" + value + ": " + e.getMessage());
            }
        }

        private static StageWaits nothingLearnt() {
            throw new InputException("waits are learned only in 'run', 'simulate' and studies of the lab; use asked");
        }

        Portfolio.Options portfolio() {
            Portfolio.Options defaults = Portfolio.Options.DEFAULT;
            Contest.Terms terms = defaults.terms();
            return new Portfolio.Options(
                    new Contest.Terms(
                            count("futures", "a number of futures", terms.futures()),
                            count("budget", "a number of rollouts", terms.simulations()),
                            fraction("margin", terms.margin()),
                            count("seed", "a number", 1) - 1),
                    time("every", defaults.every()));
        }

        private long time(String name, long defaultValue) {
            String value = value(name);
            try {
                return value == null ? defaultValue : Math.max(1, TimeText.millis(value));
            } catch (InputException e) {
                throw new InputException(name + "=" + value + ": " + e.getMessage());
            }
        }

        /** Names of strategies, joined by {@code +}. */
        List<String> names(String name, List<String> defaultValue) {
            String value = value(name);
            return value == null ? defaultValue : List.of(value.split("\\+", -1));
        }

        Auto.Options auto() {
            Auto.Options defaults = Auto.Options.DEFAULT;
            return new Auto.Options(
                    number("lambda", 0, 1_000, defaults.lambda()),
                    count("queued", "a number of jobs", defaults.queued()),
                    number("waste", 1, 1_000, defaults.waste()),
                    number("most", 1, 1_000, defaults.most()),
                    choice("effort", "full", "low").equals("low"),
                    choice("starts", "planned", "likely").equals("likely"));
        }

        double fraction(String name, double defaultValue) {
            return number(name, 0, 1, defaultValue);
        }

        private double number(String name, int from, int below, double defaultValue) {
            String value = value(name);
            try {
                double number = value == null ? defaultValue : Double.parseDouble(value);
                if (number >= from && number < below) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Reported below.
            }
            throw new InputException(
                    name + "=" + value + ": write a number of at least " + from + " and less than " + below);
        }

        void refuseOthers() {
            for (String name : values.keySet()) {
                if (!known.containsKey(name)) {
                    throw new InputException("strategy '" + strategy + "' has no parameter '" + name + "'."
                            + Nearest.hint(name, known.keySet())
                            + (known.isEmpty()
                                    ? " It has none."
                                    : " It has: " + String.join(", ", known.keySet()) + "."));
                }
            }
        }
    }
}
