package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;
import java.util.List;

/** A family of workflows: the shape of one application, for workflows of any size. */
public abstract class Family {
    private final String name;
    private final String about;
    private final List<Parameter> parameters;

    Family(String name, String about, List<Parameter> parameters) {
        this.name = name;
        this.about = about;
        this.parameters = parameters;
    }

    /** Its name on the command line. */
    public final String name() {
        return name;
    }

    /** A description for users: the application and its publication. */
    public final String about() {
        return about;
    }

    /** The parameters that it takes besides the number of tasks and the work. */
    public final List<Parameter> parameters() {
        return parameters;
    }

    /** Whether all its workflows have the same number of tasks, independent of the request. */
    public boolean hasFixedSize() {
        return false;
    }

    /** Generates the workflow; the same recipe gives the same workflow on every machine. */
    public abstract Workflow generate(Recipe recipe);

    /** A parameter of a family: its name, its default and its meaning. */
    public record Parameter(String name, String defaultValue, String about) {}
}
