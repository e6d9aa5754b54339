package io.sheaf.lab;

import io.sheaf.sim.campaign.Workers;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** The pieces of a study, which are run, kept and put together like any others. */
final class StudyPieces implements Block {
    private final Study study;
    private final Study.Columns columns;
    private final String identity;

    /**
     * All pieces of a study.
     *
     * @param identity all that the file says of it
     */
    StudyPieces(Study study, Study.Columns columns, String identity) {
        this.study = study;
        this.columns = columns;
        this.identity = identity;
    }

    /** All have the same one, so that a fraction takes the same repetitions of each. */
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
    public String identity() {
        return identity;
    }

    @Override
    public void run(int threads, int[] items, Sink sink) {
        Workers.run(threads, items.length, () -> number -> sink.ran(items[number], rows(items[number])), () -> {});
    }

    private List<String> rows(int item) {
        try {
            return study.rows(item / study.repetitions(), item % study.repetitions()).stream()
                    .map(row -> row.stream().map(RunTable::quoted).collect(Collectors.joining(",")) + ",")
                    .toList();
        } catch (RuntimeException e) {
            // The others go on.
            int empty = columns.keys().size() + columns.measures().size();
            return List.of(",".repeat(empty) + RunTable.quoted(String.valueOf(e)));
        }
    }
}
