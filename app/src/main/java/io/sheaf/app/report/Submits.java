package io.sheaf.app.report;

/** What a strategy submits, in a few words for people who have never heard of it. */
public final class Submits {
    private Submits() {}

    /**
     * The words; empty where there are none.
     *
     * @param strategy its name, with or without parameters
     */
    public static String by(String strategy) {
        return switch (strategy.split(":", 2)[0]) {
            case "onejobpertask", "individual" -> "each ready task as a job";
            case "onejob" -> "everything as one job, of the node count that ends earliest";
            case "giant" -> "everything as one job, as wide as the workflow";
            case "levelbylevel" -> "each level as a job when the level before is done";
            case "zhang", "hybrid" -> "groups of levels with the least wait for their run time";
            case "glume" -> "groups of levels by estimated makespan";
            case "auto" -> "jobs that are tied to no tasks, several for the same work where that helps";
            default -> "";
        };
    }
}
