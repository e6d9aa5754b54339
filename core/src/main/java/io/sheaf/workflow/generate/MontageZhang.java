package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;

/**
 * Montage, mosaics of the sky, as Zhang et al. have it: "several inter-leaved layers of parallel executions" in a constant
 * number of levels (see {@link ZhangFamily}).
 *
 * <p>p images are projected; w differences of overlapping images are fitted; the fits are concatenated and a background
 * model is made of them; each projected image is corrected by the model; all are added. p is two thirds of w: an image
 * overlaps its two neighbours in a ring, and every second one also the next but one. 2p + w + 3 tasks in 6 levels.
 *
 * <p>Weights, chosen: projecting 600 of 1000, fitting 200, correcting 188, each spread evenly by ±10 % over its tasks;
 * adding 8, modelling 3, concatenating 1.
 */
final class MontageZhang extends ZhangFamily {
    private static final double SPREAD = 0.1;

    MontageZhang() {
        super("montage-zhang", "sky mosaics in 6 levels: layers of parallel steps", 4);
    }

    static int images(int width) {
        return (int) ((2L * width + 2) / 3);
    }

    @Override
    long tasks(int width) {
        return 2L * images(width) + width + 3;
    }

    @Override
    void draw(Sketch sketch, int width, RandomStream random) {
        int images = images(width);
        int[] projected = new int[images];
        for (int i = 0; i < images; i++) {
            projected[i] = sketch.task("mProject", spread(600, images, random));
        }
        int concat = sketch.task("mConcatFit", 1);
        for (int i = 0; i < width; i++) {
            int fit = sketch.task("mDiffFit", spread(200, width, random));
            int distance = 1 + i / images;
            sketch.edge(projected[i % images], fit).edge(projected[(i + distance) % images], fit);
            sketch.edge(fit, concat);
        }
        int model = sketch.task("mBgModel", 3);
        sketch.edge(concat, model);
        int add = sketch.task("mAdd", 8);
        for (int i = 0; i < images; i++) {
            int corrected = sketch.task("mBackground", spread(188, images, random));
            sketch.edge(projected[i], corrected).edge(model, corrected).edge(corrected, add);
        }
    }

    private static double spread(double weight, int tasks, RandomStream random) {
        return weight / tasks * random.uniform(1 - SPREAD, 1 + SPREAD);
    }
}
