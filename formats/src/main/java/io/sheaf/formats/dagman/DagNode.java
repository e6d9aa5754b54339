package io.sheaf.formats.dagman;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A node of a DAG file with the values of its commands. */
final class DagNode {
    final String name;
    final long place;
    /** The submit file or the named description; null where the description is inline. */
    final @Nullable String submit;

    final @Nullable SubmitDescription inline;

    String folder = "";
    boolean runsNothing;
    boolean done;

    @Nullable
    Integer retries;

    @Nullable
    Integer priority;

    @Nullable
    String category;

    List<String> pre = List.of();
    List<String> post = List.of();
    /** Variables that the submit description may redefine, and those that redefine its. */
    final Map<String, String> prepended = new HashMap<>(4);

    final Map<String, String> appended = new HashMap<>(4);

    DagNode(String name, long place, @Nullable String submit, @Nullable SubmitDescription inline) {
        this.name = name;
        this.place = place;
        this.submit = submit;
        this.inline = inline;
    }
}
