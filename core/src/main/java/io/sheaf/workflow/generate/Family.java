package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;
import java.util.List;

/** A family of workflows: the shape of one application, for workflows of any size. */
public interface Family {
    /** Its name on the command line. */
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

    /** A parameter of a family: its name, its default and its meaning. */
    record Parameter(String name, String defaultValue, String about) {}
}
