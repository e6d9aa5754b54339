package io.sheaf.lab;

import java.util.List;

/** An experiment that is no comparison of strategies: it makes a table of its own, piece by piece. Every piece depends only on the file. */
interface Study {
    /**
     * The columns of a table.
     *
     * @param keys say what a row is about; rows that agree in all of them are averaged in the report
     * @param measures hold numbers
     */
    record Columns(List<String> keys, List<String> measures) {}

    /** How many settings there are. */
    int settings();

    /** How often each of them is tried; a fraction of a study is a fraction of these, the same ones of each setting. */
    int repetitions();

    /** The rows of a piece, keys and then measures; in any order and by several threads at once. */
    List<List<String>> rows(int setting, int repetition);
}
