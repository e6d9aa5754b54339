package io.sheaf.lab.experiment;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A workflow of an experiment.
 *
 * @param group the group in reports, as given in the file; may be empty
 * @param isGenerated whether it was generated, not read from a file
 */
public record WorkflowInstance(String name, String group, boolean isGenerated, Workflow workflow) {
    /** The columns of the table that describe the workflow. */
    public static final RowColumns<WorkflowInstance> COLUMNS = new RowColumns<WorkflowInstance>()
            .add("workflow", WorkflowInstance::name)
            .add("group", WorkflowInstance::group)
            .add("source", w -> w.isGenerated ? "generated" : "file")
            .add("tasks", w -> Integer.toString(w.workflow.size()))
            .add("levels", w -> Integer.toString(w.workflow.levels()))
            .add("width", w -> Integer.toString(w.workflow.maxWidth()))
            .add("work_seconds", w -> Csv.seconds(w.workflow.totalMicros() / 1000));

    /** A text that differs for different workflows. */
    public static String identity(List<WorkflowInstance> all) {
        StringBuilder text = new StringBuilder();
        all.forEach(each -> text.append(each.name).append(each.workflow).append(each.workflow.totalMicros()));
        return text.toString();
    }

    /** Reports names that two workflows have. */
    public static void refuseSameNames(List<WorkflowInstance> all, Problems problems) {
        Set<String> seen = new HashSet<>();
        for (WorkflowInstance each : all) {
            if (!seen.add(each.name())) {
                problems.add(new InputException("two workflows are called '" + each.name() + "'; name each once"));
            }
        }
    }
}
