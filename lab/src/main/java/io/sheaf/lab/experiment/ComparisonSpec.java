package io.sheaf.lab.experiment;

import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Mapping;
import io.sheaf.formats.yaml.Node.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The title of an experiment, its strategies, the baseline, and how it is reported.
 *
 * @param strategies as named in the table, each once
 */
public record ComparisonSpec(String title, List<Text> strategies, String baseline, Reported reported) {
    private static final List<String> KEYS = List.of("title", "about", "strategies", "baseline", "report", "quick");

    public static List<String> keysWith(String... more) {
        return Stream.concat(KEYS.stream(), Stream.of(more)).toList();
    }

    /**
     * The default options of 'sheaf lab report' for this experiment.
     *
     * @param byName the options by their names in the manifest, in order
     */
    public record Reported(Map<String, String> byName) {
        /** The keys below {@code report}. */
        public static final List<String> KEYS = List.of("by", "best-of", "run-of", "paired", "spread", "means", "over");

        private static final List<String> LISTS = List.of("by", "means", "over");

        public static final Reported NOTHING = new Reported(Map.of());

        public Reported {
            Map<String, String> all = new LinkedHashMap<>();
            for (String key : KEYS) {
                all.put(name(key), byName.getOrDefault(name(key), ""));
            }
            byName = Collections.unmodifiableMap(all);
        }

        /** The name in the manifest: {@code reportBestOf} for {@code best-of}. */
        private static String name(String key) {
            StringBuilder name = new StringBuilder("report");
            for (String word : key.split("-", -1)) {
                name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
            }
            return name.toString();
        }

        private static Reported read(Section whole) {
            Node node = whole.node("report");
            if (!(node instanceof Mapping fields)) {
                if (node != null) {
                    whole.problems().add("'report' must be a map: {by: [cluster, group]}", node.place());
                }
                return NOTHING;
            }
            Section section = new Section(fields, "'report'", KEYS, whole.problems());
            Map<String, String> values = new LinkedHashMap<>();
            for (String key : KEYS) {
                values.put(
                        name(key),
                        LISTS.contains(key)
                                ? section.texts(key).stream().map(Text::text).collect(Collectors.joining(","))
                                : section.text(key, ""));
            }
            return new Reported(values);
        }
    }

    /**
     * Reads the comparison of a file.
     *
     * @param normal converts a strategy as written to its name in the table
     */
    public static ComparisonSpec read(Section section, UnaryOperator<String> normal) {
        section.text("about");
        List<Text> strategies = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        for (Text text : section.texts("strategies")) {
            String name = normal.apply(text.text());
            if (seen.add(name)) {
                strategies.add(new Text(name, text.style(), text.place()));
            }
        }
        String baseline = strategies.isEmpty()
                ? ""
                : normal.apply(section.text("baseline", strategies.get(0).text()));
        if (!strategies.isEmpty() && !seen.contains(baseline)) {
            section.problem("the baseline '" + baseline + "' is not one of the strategies");
        }
        return new ComparisonSpec(
                section.text("title", "Experiment"), List.copyOf(strategies), baseline, Reported.read(section));
    }

    public List<String> names() {
        return strategies.stream().map(Text::text).toList();
    }

    /** Reports each of these keys that is missing. */
    public static void need(Section section, String... keys) {
        for (String needed : keys) {
            if (!section.has(needed)) {
                section.problem("there are no " + needed + "; an experiment needs '" + needed + ":'");
            }
        }
    }

    /** The seeds of the file, or 0, 1, … for its number of repetitions. */
    public static List<Long> seeds(Section section) {
        if (section.has("seeds")) {
            if (section.has("repetitions")) {
                section.problem("'seeds' sets the number of repetitions; remove 'repetitions'");
            }
            return section.each("seeds", List.of(0L), Section::seed);
        }
        int repetitions = section.one("repetitions", 1, Section.whole(1));
        return LongStream.range(0, repetitions).boxed().toList();
    }
}
