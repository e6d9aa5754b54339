package io.sheaf.formats.swf;

/** The 18 fields of an SWF line, in their order in the line. */
public enum SwfField {
    JOB(1, "job number", Kind.COUNT),
    SUBMIT(2, "submit time", Kind.TIME),
    WAIT(3, "wait time", Kind.TIME),
    RUN(4, "run time", Kind.TIME),
    ALLOCATED_PROCS(5, "allocated processors", Kind.COUNT),
    CPU_TIME(6, "average CPU time", Kind.TIME),
    USED_MEMORY(7, "used memory", Kind.MEMORY),
    REQUESTED_PROCS(8, "requested processors", Kind.COUNT),
    REQUESTED_TIME(9, "requested time", Kind.TIME),
    REQUESTED_MEMORY(10, "requested memory", Kind.MEMORY),
    STATUS(11, "status", Kind.COUNT),
    USER(12, "user", Kind.COUNT),
    GROUP(13, "group", Kind.COUNT),
    EXECUTABLE(14, "executable", Kind.COUNT),
    QUEUE(15, "queue", Kind.COUNT),
    PARTITION(16, "partition", Kind.COUNT),
    PRECEDING_JOB(17, "preceding job", Kind.COUNT),
    THINK_TIME(18, "think time", Kind.TIME);

    /** How the text of a field becomes a number. */
    enum Kind {
        /** A whole number that fits an int. */
        COUNT,
        /** Seconds in the text, milliseconds in the column. */
        TIME,
        /** Kilobytes; a fraction is rounded, since averages over processors have one. */
        MEMORY
    }

    /** Fields of a line; more are ignored, fewer are an error. */
    public static final int COUNT = 18;

    private final int number;
    private final String title;
    private final Kind kind;

    SwfField(int number, String title, Kind kind) {
        this.number = number;
        this.title = title;
        this.kind = kind;
    }

    /** The field's number in the format's definition, from 1. */
    public int number() {
        return number;
    }

    /** The field's name in messages. */
    public String title() {
        return title;
    }

    Kind kind() {
        return kind;
    }
}
