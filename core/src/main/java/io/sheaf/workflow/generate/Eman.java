package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;

/**
 * EMAN, the reconstruction of a particle from electron micrographs: "two parallel phases connected with single execution steps"
 * (see {@link ZhangFamily}; the programs are those of Ludtke, Baldwin and Chiu, J. Struct. Biol. 1999).
 *
 * <p>proc3d, project3d and proc2d prepare the reference; w classesbymra classify the images; one step collects the classes; w
 * classalign2 align them; make3d and a second proc3d build the model. 2w + 6 tasks in 8 levels.
 *
 * <p>Weights, chosen: classifying 900 of 1000, aligning 88, both spread evenly by ±25 % over their tasks, the single steps 12
 * together, most of it in project3d and make3d.
 */
final class Eman extends ZhangFamily {
    private static final double SPREAD = 0.25;

    Eman() {
        super("eman", "particle reconstruction: two parallel phases between single steps", 1);
    }

    @Override
    long tasks(int width) {
        return 2L * width + 6;
    }

    @Override
    void draw(Sketch sketch, int width, RandomStream random) {
        int volume = sketch.task("proc3d", 0.5);
        int project = sketch.task("project3d", 6);
        int prepare = sketch.task("proc2d", 0.5);
        sketch.edge(volume, project).edge(project, prepare);
        int collect = phase(sketch, prepare, "classesbymra", width, 900, "collect", 1, random);
        int make = phase(sketch, collect, "classalign2", width, 88, "make3d", 3.5, random);
        sketch.edge(make, sketch.task("proc3d", 0.5));
    }

    /** A parallel phase after a single step, and the single step that ends it. */
    private static int phase(
            Sketch sketch,
            int before,
            String category,
            int width,
            double weight,
            String after,
            double weightAfter,
            RandomStream random) {
        int end = sketch.task(after, weightAfter);
        for (int i = 0; i < width; i++) {
            int task = sketch.task(category, weight / width * random.uniform(1 - SPREAD, 1 + SPREAD));
            sketch.edge(before, task).edge(task, end);
        }
        return end;
    }
}
