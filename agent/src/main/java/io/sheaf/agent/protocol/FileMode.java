package io.sheaf.agent.protocol;

/** The working folder of a task. */
public enum FileMode {
    /** In the workflow's folder. */
    SHARED(0),
    /** In a folder of the attempt's own; outputs are moved into the workflow's folder when it has succeeded. */
    ISOLATED(1);

    private final int code;

    FileMode(int code) {
        this.code = code;
    }

    /** The number by which it is written; never changed. */
    int code() {
        return code;
    }

    static FileMode of(int code) throws MalformedFrameException {
        for (FileMode mode : values()) {
            if (mode.code == code) {
                return mode;
            }
        }
        throw new MalformedFrameException("a file mode of kind " + code);
    }
}
