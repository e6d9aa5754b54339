package io.sheaf.app.report;

/** Short descriptions of what strategies submit. */
public final class Submits {
    private Submits() {}

    /**
     * The description of a strategy; empty if there is none.
     *
     * @param strategy its name, with or without parameters
     */
    public static String by(String strategy) {
        return switch (strategy.split(":", 2)[0]) {
            case "onejobpertask", "individual" -> "one job per ready task";
            case "onejob" -> "the whole workflow as one job, sized for the earliest end";
            case "giant" -> "the whole workflow as one job, as wide as its widest level";
            case "levelbylevel" -> "one job per level, after the previous level";
            case "zhang", "hybrid" -> "groups of levels with the lowest ratio of wait to run time";
            case "glume" -> "groups of levels with the lowest estimated makespan";
            case "auto" -> "pilot jobs without fixed tasks, several for the same work if that shortens the makespan";
            default -> "";
        };
    }
}
