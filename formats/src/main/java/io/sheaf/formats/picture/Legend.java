package io.sheaf.formats.picture;

import io.sheaf.text.TimeText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/** The texts of a picture: title, categories with their numbers of tasks, tooltips of tasks. */
final class Legend {
    /** A category that has tasks, by its index among those. */
    record LegendEntry(int colour, String name, int tasks) {
        String text() {
            return name + " (" + tasks + ")";
        }
    }

    final List<LegendEntry> entries = new ArrayList<>();
    private final Workflow workflow;
    private final int[] colourOf;

    Legend(Workflow workflow) {
        this.workflow = workflow;
        int[] counts = new int[workflow.categories().size()];
        for (int task = 0; task < workflow.size(); task++) {
            counts[workflow.categoryNumber(task)]++;
        }
        colourOf = new int[counts.length];
        for (int category = 0; category < counts.length; category++) {
            if (counts[category] > 0) {
                colourOf[category] = entries.size();
                entries.add(new LegendEntry(entries.size(), name(category), counts[category]));
            }
        }
    }

    /** The colour of a task: an index for {@link Palette}. */
    int colour(int task) {
        return colourOf[workflow.categoryNumber(task)];
    }

    private String name(int category) {
        String name = workflow.categories().get(category).name();
        return name.isEmpty() ? "no category" : name;
    }

    String summary() {
        String text = count(workflow.size(), "task") + ", " + count(workflow.edges(), "edge") + ", "
                + count(workflow.levels(), "level");
        long seconds = workflow.totalMicros() / TimeText.SECOND;
        return seconds == 0 ? text : text + ", " + TimeText.text(seconds * TimeText.SECOND) + " of work";
    }

    String tip(int task) {
        StringBuilder tip = new StringBuilder(workflow.id(task));
        tip.append("\n").append(name(workflow.categoryNumber(task)));
        tip.append(", level ").append(workflow.level(task));
        if (workflow.timeMicros(task) != Workflow.UNKNOWN) {
            tip.append("\ntime ").append(TimeText.text(workflow.timeMicros(task)));
        }
        Resources needed = workflow.resources(task);
        tip.append("\n").append(needed.isShare() ? needed.coresText() + " cores" : count(needed.cores(), "core"));
        if (needed.nodes() > 1) {
            tip.append(" on ").append(count(needed.nodes(), "node"));
        }
        if (needed.gpus() > 0) {
            tip.append(", ").append(count(needed.gpus(), "GPU"));
        }
        tip.append("\n").append(count(workflow.parents(task), "parent"));
        return tip.append(", ")
                .append(workflow.children(task) == 1 ? "1 child" : workflow.children(task) + " children")
                .toString();
    }

    static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }
}
