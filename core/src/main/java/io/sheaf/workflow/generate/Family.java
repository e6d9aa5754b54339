package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;
import java.util.List;

/** A family of workflows: one application's shape, from which workflows of any size are made. */
public interface Family {
    /** The word that names it on the command line. */
    String name();

    /** A description for users: the application and its publication. */
    String about();

    /** The parameters that it takes besides the number of tasks and the work. */
    List<Parameter> parameters();

    /** Whether all its workflows have the same number of tasks, independent of the request. */
    default boolean hasFixedSize() {
        return false;
    }

    /** Generates the workflow; the same recipe gives the same workflow on every machine. */
    Workflow generate(Recipe recipe);

    /** A parameter of a family: its name, its default, and what it means. */
    record Parameter(String name, String defaultValue, String about) {}
}
