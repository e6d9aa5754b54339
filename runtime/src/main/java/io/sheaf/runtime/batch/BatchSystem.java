package io.sheaf.runtime.batch;

import java.util.List;
import java.util.Map;

/** A kind of batch system that runs can be on: what {@code --on} names. Each is a package beside this one. */
public interface BatchSystem {
    /** As it is named on the command line and in records of runs. */
    String name();

    /** What people call it. */
    String title();

    /** The words that jobs are submitted with on these terms. */
    List<String> words(Terms terms);

    /**
     * The cluster that the commands of an environment lead to.
     *
     * @param interval how old the picture of the queue may be, in milliseconds
     */
    BatchSite site(Map<String, String> environment, int interval);
}
