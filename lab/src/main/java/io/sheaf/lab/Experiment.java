package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Fields;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.formats.yaml.YamlTree;
import io.sheaf.sim.Conventions;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.LongStream;

/** An experiment as it is written; docs/lab.md describes the file. */
final class Experiment {
    static final List<String> KEYS = List.of(
            "title",
            "about",
            "workflows",
            "clusters",
            "strategies",
            "baseline",
            "starts",
            "caps",
            "estimates",
            "profile",
            "cores-per-node",
            "task-times",
            "repetitions",
            "seeds",
            "quick");

    private static final String SPREAD = "spread:";
    private static final int CAP = 16;

    final String title;
    final List<WorkflowEntry> workflows = new ArrayList<>();
    final List<ClusterEntry> clusters = new ArrayList<>();
    final List<Text> strategies = new ArrayList<>();
    final String baseline;
    final Starts starts;
    final List<Integer> caps;
    final List<Accuracy> estimates;
    final List<Conventions> profiles;
    final List<Integer> coresPerNode;
    final List<String> taskTimes;
    final List<Long> seeds;

    private Experiment(Section section) {
        title = section.text("title", "Experiment");
        Problems problems = section.problems();
        section.text("about");
        section.maps("workflows").forEach(each -> workflows.add(WorkflowEntry.read(each, problems)));
        section.maps("clusters").forEach(each -> clusters.add(ClusterEntry.read(each, problems)));
        starts = Starts.of(section);
        caps = section.each("caps", List.of(CAP), Section.whole(1));
        estimates = section.each("estimates", List.of(Accuracy.of("requested")), Accuracy::of);
        profiles = section.each("profile", List.of(Conventions.OWN), Section.constant(Conventions.class));
        coresPerNode = section.each("cores-per-node", List.of(1), Section.whole(1));
        taskTimes = section.each("task-times", List.of("exact"), Experiment::taskTimes);
        seeds = seeds(section);
        readStrategies(section);
        baseline = strategies.isEmpty()
                ? ""
                : normal(section.text("baseline", strategies.get(0).text()));
        if (!strategies.isEmpty()
                && strategies.stream().noneMatch(each -> each.text().equals(baseline))) {
            problems.add("the baseline '" + baseline + "' is none of the strategies", section.place());
        }
        for (String needed : List.of("workflows", "clusters", "strategies")) {
            if (!section.has(needed)) {
                problems.add("there are no " + needed + "; an experiment needs '" + needed + ":'", section.place());
            }
        }
    }

    /** Reads an experiment; in its quick form if so asked, where the keys below {@code quick} replace those of the file. */
    static Experiment read(Source source, boolean quick, Problems problems) {
        Fields fields;
        try {
            fields = YamlTree.read(source);
        } catch (InputException e) {
            problems.add(e);
            problems.check();
            throw e;
        }
        Section whole = new Section(fields, "the file", KEYS, problems);
        if (whole.node("quick") instanceof Fields less) {
            // Looked at in any case: a slip in there must not wait for the first --quick.
            Section replaced = new Section(replaced(fields, less), "'quick'", KEYS, problems);
            Experiment small = new Experiment(replaced);
            return quick ? small : new Experiment(whole);
        }
        return new Experiment(whole);
    }

    static Fields replaced(Fields all, Fields less) {
        Set<String> given = new LinkedHashSet<>();
        less.keys().forEach(key -> given.add(key.text()));
        List<Text> keys = new ArrayList<>(less.keys());
        List<Node> values = new ArrayList<>(less.values());
        for (int i = 0; i < all.size(); i++) {
            if (!given.contains(all.keys().get(i).text())) {
                keys.add(all.keys().get(i));
                values.add(all.values().get(i));
            }
        }
        return new Fields(keys, values, false, all.place(), all.weight());
    }

    private void readStrategies(Section section) {
        Set<String> seen = new LinkedHashSet<>();
        for (Text text : section.texts("strategies")) {
            String name = normal(text.text());
            if (seen.add(name)) {
                strategies.add(new Text(name, text.style(), text.place()));
            }
        }
    }

    /** A strategy as it is called here: its name in small letters, no blanks. */
    private static String normal(String strategy) {
        return strategy.replace(" ", "").toLowerCase(Locale.ROOT);
    }

    private static List<Long> seeds(Section section) {
        if (section.has("seeds")) {
            if (section.has("repetitions")) {
                section.problems()
                        .add("'seeds' say how many repetitions there are; remove 'repetitions'", section.place());
            }
            return section.each("seeds", List.of(0L), Section::seed);
        }
        int repetitions = section.one("repetitions", 1, Section.whole(1));
        return LongStream.range(0, repetitions).boxed().toList();
    }

    private static String taskTimes(String text) {
        spread(text);
        return text.strip();
    }

    /** The deviation of the logarithm of tasks' times. */
    static double spread(String text) {
        String word = text.strip();
        if (word.equals("exact")) {
            return 0;
        }
        try {
            double sigma = word.startsWith(SPREAD) ? Double.parseDouble(word.substring(SPREAD.length())) : -1;
            if (sigma >= 0 && sigma <= 10) {
                return sigma;
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new InputException("there is no '" + text + "'; write exact, or e.g. spread:0.3");
    }
}
