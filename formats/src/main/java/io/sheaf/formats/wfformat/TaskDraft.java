package io.sheaf.formats.wfformat;

import org.jspecify.annotations.Nullable;

/** A task as its file describes it, before it is known what it will be called. */
final class TaskDraft {
    final int number;
    final long place;

    /** The file's id and name; either may be absent. */
    @Nullable
    String id;

    @Nullable
    String name;

    @Nullable
    String category;

    /** The task's id before it was rewritten to suit the schema. */
    @Nullable
    String trueId;

    @Nullable
    Performance performance;

    TaskDraft(int number, long place) {
        this.number = number;
        this.place = place;
    }

    /** Its run time, resources and command, created on first use. */
    Performance performance() {
        if (performance == null) {
            performance = new Performance();
        }
        return performance;
    }
}
