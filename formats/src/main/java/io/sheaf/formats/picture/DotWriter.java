package io.sheaf.formats.picture;

import io.sheaf.formats.WorkflowWriter;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;

/** Writes a workflow for Graphviz: levels as ranks, colour by category with a legend, a tooltip on each task. */
public final class DotWriter implements WorkflowWriter {
    @Override
    public Label label() {
        return new Label("dot", "a graph for Graphviz (DOT)", ".dot", ".gv");
    }

    @Override
    public void write(Workflow workflow, Writer out) throws IOException {
        Legend legend = new Legend(workflow);
        boolean labelled = workflow.size() <= Layout.MAX_LABELS;
        out.write("digraph " + quote(workflow.name()) + " {\n");
        out.write("  graph [label=" + quote(workflow.name() + "\n" + legend.summary())
                + ", labelloc=t, fontname=\"sans-serif\", nodesep=" + (labelled ? "0.2" : "0.05")
                + ", ranksep=" + (labelled ? "0.4" : "1.2") + "];\n");
        out.write("  node [style=\"filled\", fontname=\"sans-serif\", fontsize=10, "
                + (labelled ? "shape=box, height=0.3" : "shape=circle, label=\"\", width=0.15")
                + "];\n");
        out.write("  edge [color=\"#4b556380\", arrowsize=0.5];\n");
        legend(workflow, legend, out);
        int[][] order = LevelOrder.of(workflow);
        for (int[] level : order) {
            out.write("  { rank=same;\n");
            for (int task : level) {
                out.write("    " + quote(workflow.id(task)) + " [" + style(legend.colour(task)) + ", tooltip="
                        + quote(legend.tip(task)) + "];\n");
            }
            out.write("  }\n");
        }
        for (int[] level : order) {
            for (int task : level) {
                edges(workflow, task, out);
            }
        }
        out.write("}\n");
    }

    private static void legend(Workflow workflow, Legend legend, Writer out) throws IOException {
        out.write("  subgraph cluster_legend {\n    label=\"\"; color=\"#d1d5db\";\n");
        for (Legend.LegendEntry entry : legend.entries) {
            String id = "legend " + entry.colour();
            while (workflow.find(id) >= 0) {
                id += "_";
            }
            out.write("    " + quote(id) + " [shape=box, label=" + quote(entry.text()) + ", " + style(entry.colour())
                    + "];\n");
        }
        out.write("  }\n");
    }

    private static void edges(Workflow workflow, int task, Writer out) throws IOException {
        if (workflow.children(task) > 0) {
            out.write("  " + quote(workflow.id(task)) + " -> {");
            for (int i = 0; i < workflow.children(task); i++) {
                out.write(" " + quote(workflow.id(workflow.child(task, i))));
            }
            out.write(" };\n");
        }
    }

    private static String style(int colour) {
        Palette.Mark mark = Palette.mark(colour);
        String hue = "\"" + Palette.colour(colour) + "\"";
        String peripheries = mark.hasDot() ? ", peripheries=2" : "";
        return mark.isFilled()
                ? "fillcolor=" + hue + ", color=" + hue + ", fontcolor=\"" + Palette.letters(colour) + "\""
                        + peripheries
                : "fillcolor=\"#ffffff\", color=" + hue + ", penwidth=2" + peripheries;
    }

    private static String quote(String text) {
        return "\""
                + text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", " ") + "\"";
    }
}
