package io.sheaf.manager;

/** How far a task is. Done, failed and skipped are final. */
public enum TaskState {
    /** A parent of it is not done. */
    WAITING,
    /** It can be started. */
    READY,
    /** An attempt of it runs, as far as is known. */
    RUNNING,
    /** An attempt of it has succeeded and is committed. */
    DONE,
    /** It may not be tried again. */
    FAILED,
    /** It comes after one that has failed and can never run, or is not wanted any more. */
    SKIPPED
}
