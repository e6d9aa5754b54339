package io.sheaf.lab.study;

import io.sheaf.formats.yaml.Node;
import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.lab.experiment.ComparisonSpec;
import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.Experiment;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.experiment.Inputs;
import io.sheaf.lab.experiment.Problems;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.experiment.RunBlock;
import io.sheaf.lab.experiment.Section;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An experiment with the key {@code study}: each piece of the {@link Study} of that name is one run. */
final class StudyExperiment extends Experiment {
    private final Section section;
    private final String name;
    private final Study.StudyColumns columns;
    private final BiFunction<Section, Inputs, Study> reader;

    private StudyExperiment(
            Section section, String name, Study.StudyColumns columns, BiFunction<Section, Inputs, Study> reader) {
        super(comparison(section), RowColumns.table(columns.keys(), columns.measures(), List.of("failure")));
        this.section = section;
        this.name = name;
        this.columns = columns;
        this.reader = reader;
        section.text("about");
    }

    /**
     * A kind of study.
     *
     * @param reader reads a study and reports its problems to the section
     * @param keys the keys of its file besides those of all studies
     */
    static ExperimentKind kind(
            String name, Study.StudyColumns columns, BiFunction<Section, Inputs, Study> reader, String... keys) {
        return new ExperimentKind(
                ExperimentKind.STUDY,
                name,
                Stream.concat(Stream.of("title", "about", ExperimentKind.STUDY, "quick"), Stream.of(keys))
                        .toList(),
                section -> new StudyExperiment(section, name, columns, reader));
    }

    /** One strategy without a name. */
    private static ComparisonSpec comparison(Section section) {
        List<Text> strategies = List.of(new Text("", Node.Style.QUOTED, section.place()));
        return new ComparisonSpec(section.text("title", "Study"), strategies, "", ComparisonSpec.Reported.NOTHING);
    }

    @Override
    public Map<String, String> manifestEntries() {
        return new TreeMap<>(Map.of(ExperimentKind.STUDY, name, "keys", String.join(",", columns.keys())));
    }

    @Override
    public List<RunBlock> blocks(Inputs inputs, Problems problems) {
        Study study = reader.apply(section, inputs);
        return problems.isEmpty()
                ? List.of(new StudyBlock(study, columns, section.contents(List.of("title", "about", "quick"))))
                : List.of();
    }

    /**
     * All pieces of a study.
     *
     * @param identity the contents of the file
     */
    record StudyBlock(Study study, Study.StudyColumns columns, String identity) implements RunBlock {
        /** The same name for all settings, so that a fraction selects the same repetitions of each. */
        @Override
        public List<String> names() {
            return Collections.nCopies(study.settings(), "setting");
        }

        @Override
        public int repeats() {
            return study.repetitions();
        }

        @Override
        public Supplier<ItemRunner> prepare(int[] items) {
            return () -> this::rows;
        }

        private List<String> rows(int item) {
            try {
                return study.rows(item / study.repetitions(), item % study.repetitions()).stream()
                        .map(row -> row.stream().map(Csv::quoted).collect(Collectors.joining(",")) + ",")
                        .toList();
            } catch (RuntimeException e) {
                // A failed piece does not stop the others.
                int empty = columns.keys().size() + columns.measures().size();
                return List.of(",".repeat(empty) + Csv.quoted(String.valueOf(e)));
            }
        }
    }
}
