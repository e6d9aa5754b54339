package io.sheaf.formats;

import java.util.List;

/** A way to write a workflow down; a {@link WorkflowReader}, a {@link WorkflowWriter}, or both. */
public interface WorkflowFormat {
    /**
     * What users call a format.
     *
     * @param name the word that names it on the command line: {@code wfformat}
     * @param title a description: {@code WfCommons WfFormat 1.0 to 1.5 (JSON)}
     * @param suffixes of its file names, most usual first: {@code .json}
     */
    record Label(String name, String title, List<String> suffixes) {
        public Label(String name, String title, String... suffixes) {
            this(name, title, List.of(suffixes));
        }
    }

    Label label();

    default String name() {
        return label().name();
    }

    default String title() {
        return label().title();
    }

    default List<String> suffixes() {
        return label().suffixes();
    }
}
