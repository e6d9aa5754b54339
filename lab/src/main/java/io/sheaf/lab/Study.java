package io.sheaf.lab;

import java.util.List;

/**
 * An experiment that is no comparison of strategies: it makes a table of its own, item by item. Every item depends only on the file.
 */
interface Study {
    /** Columns that say what a row is about; rows that agree in all of them are averaged in the report. */
    List<String> keys();

    /** Columns with numbers. */
    List<String> measures();

    /** How many pieces there are, each of which can be made by itself. */
    int items();

    /** The rows of a piece: keys, then measures. */
    List<List<String>> rows(int item);
}
