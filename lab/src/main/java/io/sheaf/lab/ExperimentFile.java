package io.sheaf.lab;

import io.sheaf.formats.Source;
import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Fields;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.formats.yaml.YamlTree;
import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** Reads experiment files, in full or in their quick form, where the keys below {@code quick} replace those of the file. */
final class ExperimentFile {
    /**
     * A kind of experiment.
     *
     * @param key one that only files of this kind have; the first kind is that of files that have none of them
     * @param keys all that its files may have
     */
    private record Kind(String key, List<String> keys, BiFunction<Section, Fields, Experiment> made) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("clusters", QueueExperiment.KEYS, (section, fields) -> new QueueExperiment(section)),
            new Kind("platforms", PlatformExperiment.KEYS, (section, fields) -> new PlatformExperiment(section)),
            new Kind("elements", PoolExperiment.KEYS, (section, fields) -> new PoolExperiment(section)));

    private ExperimentFile() {}

    static Experiment read(Source source, boolean quick, Problems problems) {
        Fields fields;
        try {
            fields = YamlTree.read(source);
        } catch (InputException e) {
            problems.add(e);
            problems.check();
            throw e;
        }
        Kind kind = problems.get(fields.place(), () -> kind(fields));
        if (kind == null) {
            problems.check();
            throw new IllegalStateException("a kind that is not there was not refused");
        }
        Section whole = new Section(fields, "the file", kind.keys(), problems);
        if (whole.node("quick") instanceof Fields less) {
            // Looked at in any case: a slip in there must not wait for the first --quick.
            Fields replaced = replaced(fields, less);
            Section section = new Section(replaced, "'quick'", kind.keys(), problems);
            Experiment small = kind.made().apply(section, replaced);
            return quick ? small : kind.made().apply(whole, fields);
        }
        return kind.made().apply(whole, fields);
    }

    private static Kind kind(Fields fields) {
        Set<String> given = keys(fields);
        if (given.contains(StudyExperiment.KEY)) {
            return new Kind(StudyExperiment.KEY, StudyExperiment.kind(fields).keys(), StudyExperiment::new);
        }
        return KINDS.stream()
                .filter(kind -> given.contains(kind.key()))
                .findFirst()
                .orElse(KINDS.get(0));
    }

    private static Set<String> keys(Fields fields) {
        Set<String> given = new LinkedHashSet<>();
        fields.keys().forEach(key -> given.add(key.text()));
        return given;
    }

    private static Fields replaced(Fields all, Fields less) {
        Set<String> given = keys(less);
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
}
