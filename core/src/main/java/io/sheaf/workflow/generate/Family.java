package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;
import java.util.List;

/** A family of workflows: one application's shape, from which workflows of any size are made. */
public interface Family {
    /** The word that names it on the command line. */
    String name();

    /** A line for people: what the application is, and which publication describes it. */
    String about();

    /** The parameters that it takes besides the number of tasks and the work. */
    List<Parameter> parameters();

    /** Whether all its workflows have the same number of tasks, whatever number is asked for. */
    default boolean hasFixedSize() {
        return false;
    }

    /** Makes the workflow; the same recipe gives the same workflow on every machine. */
    Workflow generate(Recipe recipe);

    /** A parameter of a family: its name, its default, and what it means. */
    record Parameter(String name, String defaultValue, String about) {}
}
