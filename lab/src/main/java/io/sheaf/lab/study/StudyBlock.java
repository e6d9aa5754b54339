package io.sheaf.lab.study;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RunBlock;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * All pieces of a study.
 *
 * @param identity the contents of the file
 */
record StudyBlock(Study study, Study.Columns columns, String identity) implements RunBlock {
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
    public long seed() {
        return 0;
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
