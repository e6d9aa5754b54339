package io.sheaf.formats;

import java.util.List;

/** A way to write a workflow down; a {@link WorkflowReader}, a {@link WorkflowWriter}, or both. */
public interface WorkflowFormat {
    /** The word that names it on the command line: {@code wfformat}. */
    String name();

    /** A description for users: {@code WfCommons WfFormat 1.0 to 1.5 (JSON)}. */
    String title();

    /** Suffixes of its file names, most usual first: {@code .json}. */
    List<String> suffixes();
}
