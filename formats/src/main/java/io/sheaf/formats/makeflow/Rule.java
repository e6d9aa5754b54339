package io.sheaf.formats.makeflow;

import java.util.HashMap;
import java.util.Map;

/** A rule before its command is read. */
final class Rule {
    final FileList files;
    final Map<String, Variables.Value> variables = new HashMap<>();
    final long place;
    String category;

    Rule(FileList files, String category, long place) {
        this.files = files;
        this.category = category;
        this.place = place;
    }
}
