package io.sheaf.manager;

/** The state of a task. Done, failed and skipped are final. */
public enum TaskState {
    /** A parent of it is not done. */
    WAITING,
    /** It can be started. */
    READY,
    /** An attempt runs. */
    RUNNING,
    /** An attempt has succeeded and is committed. */
    DONE,
    /** It failed and has no retries left. */
    FAILED,
    /** It depends on a failed task, or was dropped. */
    SKIPPED
}
