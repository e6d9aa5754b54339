package io.sheaf.lab.study;

import java.util.List;

/** A table of measures that is computed in pieces. A piece depends only on the file. */
interface Study {
    /**
     * The columns of a study.
     *
     * @param keys what a row is about; the report averages rows with equal keys
     * @param measures numbers
     */
    record StudyColumns(List<String> keys, List<String> measures) {}

    int settings();

    /** The number of repetitions of each setting; a fraction of a study selects the same repetitions of each. */
    int repetitions();

    /** The rows of a piece, keys and then measures; pieces are computed in any order and by several threads. */
    List<List<String>> rows(int setting, int repetition);
}
