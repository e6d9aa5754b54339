package io.sheaf.app.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The heading under which the help lists an option, or all options of a class. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface HelpHeading {
    String WORKFLOW = "Workflow";
    String LOG = "Log or model";
    String BATCH = "Batch system";
    String NODES = "Nodes and resources";
    String PLANNING = "Planning";
    String PLATFORM = "Many workflows on a platform";
    String MANAGER = "Manager";
    String PROGRESS = "Progress";

    String value();
}
