package io.sheaf.formats.picture;

import io.sheaf.workflow.Workflow;

/**
 * The coordinates of tasks in a picture, in pixels: levels as bands from top to bottom, each centred, a wide one wrapped into several rows.
 *
 * <p>A wrapped level is filled column by column, so that tasks that follow each other in its order stay near each other and edges stay
 * short.
 */
final class Layout {
    /** Maximum number of tasks with labels. */
    static final int MAX_LABELS = 60;

    private static final int LONGEST_LABEL = 18;
    private static final double LETTER = 6.4;
    private static final int LABELLED_WIDTH = 1080;
    private static final int COLUMNS = 48;
    static final int MARGIN = 24;
    /** The room for the name of the level, left of the bands. */
    static final int GUTTER = 84;

    final boolean labelled;
    final int boxWidth;
    final int boxHeight;
    final double[] x;
    final double[] y;
    /** The upper edge of each level's band, and of the end below the last one. */
    final double[] bandTop;

    final int width;
    final int height;

    private final Workflow workflow;
    private final int columnPitch;
    private final int rowPitch;
    private final int bandGap;

    /** Lays out below a heading of this height. */
    Layout(Workflow workflow, int headingHeight) {
        this.workflow = workflow;
        labelled = workflow.size() <= MAX_LABELS;
        boxWidth = labelled ? labelWidth() : 14;
        boxHeight = labelled ? 24 : 14;
        columnPitch = boxWidth + (labelled ? 14 : 7);
        rowPitch = boxHeight + (labelled ? 12 : 7);
        bandGap = labelled ? 36 : 44;
        int columns = columns();
        int inner = Math.max(Math.min(columns, workflow.maxWidth()) * columnPitch, 560);
        width = GUTTER + inner + 2 * MARGIN;
        x = new double[workflow.size()];
        y = new double[workflow.size()];
        bandTop = new double[workflow.levels() + 1];
        int[][] order = LevelOrder.of(workflow);
        double top = headingHeight;
        for (int level = 0; level < order.length; level++) {
            bandTop[level] = top;
            top += place(order[level], columns, top, GUTTER + MARGIN + inner / 2.0);
        }
        bandTop[order.length] = top;
        height = (int) Math.ceil(top) + MARGIN;
    }

    /** The width of the picture, which grows with the workflow up to the height. */
    private int columns() {
        int limit = labelled ? Math.max(1, LABELLED_WIDTH / columnPitch) : COLUMNS;
        return Math.max(limit, (int) Math.ceil(Math.sqrt(4.0 * workflow.maxWidth())));
    }

    /** Places a level and returns the height of its band. */
    private double place(int[] tasks, int columns, double top, double centre) {
        int rows = (tasks.length - 1) / columns + 1;
        int used = (tasks.length - 1) / rows + 1;
        for (int i = 0; i < tasks.length; i++) {
            int column = i / rows;
            int inColumn = Math.min(rows, tasks.length - column * rows);
            // A partial last column is centred in the band.
            double row = i % rows + (rows - inColumn) / 2.0;
            x[tasks[i]] = centre + (column - (used - 1) / 2.0) * columnPitch;
            y[tasks[i]] = top + bandGap / 2.0 + boxHeight / 2.0 + row * rowPitch;
        }
        return bandGap + boxHeight + (rows - 1) * (double) rowPitch;
    }

    /** The bulge of an edge around a box on its way. */
    double bulge(int parent, int child) {
        // Many small boxes leave no room.
        if (labelled) {
            for (int level = workflow.level(parent) + 1; level < workflow.level(child); level++) {
                for (int i = 0; i < workflow.width(level); i++) {
                    int between = workflow.taskOfLevel(level, i);
                    double part = (y[between] - y[parent]) / (y[child] - y[parent]);
                    double onWay = x[parent] + part * (x[child] - x[parent]);
                    if (Math.abs(onWay - x[between]) < boxWidth / 2.0) {
                        // The middle of a cubic curve lies at three quarters of its bulge.
                        return boxWidth;
                    }
                }
            }
        }
        return 0;
    }

    /** A task's id, shortened in the middle, where ids differ least. */
    String label(int task) {
        String id = workflow.id(task);
        if (id.length() <= LONGEST_LABEL) {
            return id;
        }
        int tail = LONGEST_LABEL / 2;
        return id.substring(0, LONGEST_LABEL - tail - 1) + "…" + id.substring(id.length() - tail);
    }

    private int labelWidth() {
        int longest = 3;
        for (int task = 0; task < workflow.size(); task++) {
            longest = Math.max(longest, label(task).length());
        }
        return (int) Math.ceil(longest * LETTER) + 12;
    }
}
