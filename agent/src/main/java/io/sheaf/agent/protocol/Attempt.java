package io.sheaf.agent.protocol;

/** One try of a task: the task's number in the workflow, and which try it is. */
public record Attempt(int task, int attempt) {
    @Override
    public String toString() {
        return task + "." + attempt;
    }
}
