package io.sheaf.app.run;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Session;
import io.sheaf.formats.Deferred;
import io.sheaf.runtime.rerun.Rerun;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.IntConsumer;

/** The tasks that run again, with reasons; as text and as JSON. */
public record RerunText(Workflow workflow, Rerun rerun) {
    /** Prints a line on the kept tasks, if there are any. */
    void printKept(Session session) {
        if (rerun.kept() > 0) {
            session.note(counts() + " ('sheaf plan' shows why)");
        }
    }

    private String counts() {
        int runs = workflow.size() - rerun.kept();
        return Rounded.count(rerun.kept()) + " of " + Rounded.count(workflow.size())
                + " tasks are up to date, " + Rounded.count(runs)
                + (runs == 1 ? " runs" : " run");
    }

    /** Prints the result of a run without tasks to run. */
    void printNothingToDo(Session session, boolean json) {
        if (json) {
            RunSummary nothing = new RunSummary("", 0, rerun.kept(), 0, 0, 0, "", 0, 0, 0, 0, 0, 0);
            JsonOut.print(session.out(), out -> RunSummary.FIGURES.fields(out, nothing));
            return;
        }
        session.out()
                .println("nothing to do: "
                        + switch (workflow.size()) {
                            case 0 -> "the workflow has no tasks";
                            case 1 -> "the only task is up to date; use --rerun all to run it again";
                            default ->
                                "all " + Rounded.count(workflow.size())
                                        + " tasks are up to date; use --rerun all to run them again";
                        });
    }

    /** Prints how many tasks run. */
    void printHead(PrintWriter out) {
        out.println(
                rerun.isFirst()
                        ? "no earlier run; "
                                + (workflow.size() == 1
                                        ? "the only task will run"
                                        : "all " + Rounded.count(workflow.size()) + " tasks will run")
                        : counts());
    }

    /** Prints one line per task and reason. */
    public void print(PrintWriter out) {
        printHead(out);
        if (rerun.isFirst()) {
            return;
        }
        for (int i = 0; i < workflow.size(); i++) {
            int task = workflow.inOrder(i);
            for (String reason : rerun.reasons(task)) {
                out.println("  " + workflow.id(task) + ": " + reason);
            }
        }
    }

    /** Writes the groups that a run adds when their files are written. */
    public static void later(JsonOut out, List<Deferred> groups) {
        if (!groups.isEmpty()) {
            out.objects("later", groups, group -> out.field("group", group.group())
                    .field("files", group.files())
                    .texts("after", group.writers()));
        }
    }

    /** Writes the fields into an open object. */
    public void print(JsonOut out) {
        print(out, task -> {});
    }

    /** Writes the fields into an open object; the function adds fields of a task that runs. */
    void print(JsonOut out, IntConsumer more) {
        out.field("kept", rerun.kept()).array("run");
        for (int i = 0; i < workflow.size(); i++) {
            int task = workflow.inOrder(i);
            if (rerun.runs(task)) {
                out.object().field("task", workflow.id(task));
                more.accept(task);
                out.texts("reasons", rerun.reasons(task)).end();
            }
        }
        out.end();
    }
}
