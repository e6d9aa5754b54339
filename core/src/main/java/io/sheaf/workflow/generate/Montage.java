package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.List;

/**
 * Montage: a mosaic of the sky from many overlapping images.
 *
 * <p><b>Shape.</b> Nine levels. Each of <i>p</i> images is re-projected; <i>d</i> differences of two re-projected
 * images are fitted; the fits are put together and a model of the background is made of them; it corrects each image;
 * the corrected images are listed, added, shrunk and turned into a picture. A workflow of n tasks has p = ⌊0.164 n⌋
 * images and d = n − 2p − 6 differences. Which images are compared is a random set of d of the p × p ordered pairs, as
 * in the files; a pair of an image with itself is possible and gives the difference a single parent.
 *
 * <p><b>Times</b>, in units of the mean mDiffFit; measured on the nine MONTAGE files of the data set of the GLUME
 * thesis, which were made with the Pegasus WorkflowGenerator (Bharathi et al., "Characterization of scientific
 * workflows", WORKS 2008; Juve et al., "Characterizing and profiling scientific workflows", FGCS 29(3), 2013):
 *
 * <pre>
 * level  category     tasks  run time               spread
 *   0    mProjectPP   p      1.285                  normal, 1.87 %
 *   1    mDiffFit     d      1                      normal, 0.95 %
 *   2    mConcatFit   1      0.00756 d              none
 *   3    mBgModel     1      0.0090 … 0.0155 d      uniform
 *   4    mBackground  p      1.0155                 normal, 1.6 %
 *   5    mImgTbl      1      0.0245 … 0.0470 p      uniform
 *   6    mAdd         1      0.0570 p               none
 *   7    mShrink      1      0.1632 √p              none
 *   8    mJPEG        1      0.0100 … 0.0350 √p     uniform
 * </pre>
 */
final class Montage extends Family {
    private static final Distribution PROJECT = Distribution.bell(1.285, 0.0187);
    private static final Distribution DIFF = Distribution.bell(1, 0.0095);
    private static final Distribution CONCAT = Distribution.exactly(0.00756);
    private static final Distribution MODEL = Distribution.uniform(0.0090, 0.0155);
    private static final Distribution BACKGROUND = Distribution.bell(1.0155, 0.016);
    private static final Distribution TABLE = Distribution.uniform(0.0245, 0.0470);
    private static final Distribution ADD = Distribution.exactly(0.0570);
    private static final Distribution SHRINK = Distribution.exactly(0.1632);
    private static final Distribution JPEG = Distribution.uniform(0.0100, 0.0350);

    private static final long HEADER_BYTES = 304;
    private static final long RAW_BYTES = 4_222_080;
    private static final Distribution PROJECTED_BYTES = Distribution.bell(4_161_500, 0.0025);
    private static final Distribution FIT_BYTES = Distribution.bell(273.6, 0.037);
    private static final Distribution DIFF_BYTES = Distribution.uniform(141_000, 427_000);
    private static final Distribution TABLE_BYTES = Distribution.uniform(255, 410);
    private static final Distribution MOSAIC_BYTES = Distribution.uniform(17.5e6, 22.5e6);
    private static final Distribution JPEG_RATIO = Distribution.uniform(0.06, 0.27);

    private static final int SERIAL = 6;
    private static final int FEWEST = 9;
    private static final int DEFAULT = 50;

    Montage() {
        super("montage", "astronomy: a mosaic of images; 9 levels (GLUME thesis 4.2; Juve et al. 2013)", List.of());
    }

    @Override
    public Workflow generate(Recipe recipe) {
        recipe.check(this);
        MontageSize shape = MontageSize.of(recipe.tasks() == 0 ? DEFAULT : recipe.tasks());
        WorkflowDraft draft = new WorkflowDraft(this, recipe, shape.tasks());
        new Drawing(draft, shape, new RandomStream(recipe.seed()).split("montage")).draw();
        return draft.build();
    }

    /** How many images and differences. */
    record MontageSize(int images, int differences) {
        /** The shape with this many tasks; 10 tasks have none and get 9. */
        static MontageSize of(int tasks) {
            int target = tasks <= FEWEST + 1 ? FEWEST : tasks;
            int images = Math.max(1, (int) (target * 164L / 1000));
            while (target - 2 * images - SERIAL > (long) images * images) {
                images++;
            }
            return new MontageSize(images, target - 2 * images - SERIAL);
        }

        int tasks() {
            return 2 * images + differences + SERIAL;
        }
    }

    /** Draws one workflow. */
    private static final class Drawing {
        private final WorkflowDraft draft;
        private final int images;
        private final int differences;
        private final RandomStream times;
        private final RandomStream sizes;
        private final RandomStream pairs;
        private final int header;
        private final int[] projected;
        private final int[] projectedArea;
        private final long[] projectedBytes;
        private final int corrections;
        private final int newTable;

        Drawing(WorkflowDraft draft, MontageSize shape, RandomStream random) {
            this.draft = draft;
            images = shape.images();
            differences = shape.differences();
            times = random.split("times");
            sizes = random.split("sizes");
            pairs = random.split("pairs");
            header = draft.file("region.hdr", HEADER_BYTES);
            projected = new int[images];
            projectedArea = new int[images];
            projectedBytes = new long[images];
            corrections = draft.file("corrections.tbl", 53L * images);
            newTable = draft.file("newcimages.tbl", Math.round(TABLE_BYTES.draw(sizes) * images));
        }

        void draw() {
            project();
            int model = fit();
            int table = correct(model);
            finish(table);
        }

        /** The re-projections are the first tasks, so that image i's is task i. */
        private void project() {
            for (int i = 0; i < images; i++) {
                int task = draft.task("mProjectPP", PROJECT.draw(times));
                projectedBytes[i] = PROJECTED_BYTES.bytes(sizes);
                projected[i] = draft.file(image("p2mass-atlas-", i, ".fits"), projectedBytes[i]);
                projectedArea[i] = draft.file(image("p2mass-atlas-", i, "_area.fits"), projectedBytes[i]);
                draft.reads(task, header, draft.file(image("2mass-atlas-", i, ".fits"), RAW_BYTES));
                draft.writes(task, projected[i], projectedArea[i]);
            }
        }

        private int fit() {
            int first = images;
            int[] results = new int[2 * differences];
            long[] chosen = choose((long) images * images, differences, pairs);
            for (int i = 0; i < differences; i++) {
                int image = (int) (chosen[i] / images);
                int other = (int) (chosen[i] % images);
                int task = draft.task("mDiffFit", DIFF.draw(times));
                results[2 * i] = draft.file(WorkflowDraft.number("fitID", task) + ".txt", FIT_BYTES.bytes(sizes));
                results[2 * i + 1] = draft.file(WorkflowDraft.number("diffID", task) + ".txt", DIFF_BYTES.bytes(sizes));
                draft.reads(
                        task, header, projected[image], projectedArea[image], projected[other], projectedArea[other]);
                draft.writes(task, results[2 * i], results[2 * i + 1]).after(task, image, other);
            }
            int concat = draft.task("mConcatFit", CONCAT.draw(times) * differences);
            int fits = draft.file("fits.tbl", 210L * differences);
            draft.reads(concat, draft.file("fits_list.tbl", 27L * differences))
                    .reads(concat, results)
                    .writes(concat, fits);
            for (int task = first; task < concat; task++) {
                draft.after(concat, task);
            }
            int model = draft.task("mBgModel", MODEL.draw(times) * differences);
            draft.reads(model, draft.file("pimages.tbl", 168L * images), fits);
            draft.writes(model, corrections).after(model, concat);
            return model;
        }

        private int correct(int model) {
            int[] corrected = new int[2 * images];
            for (int i = 0; i < images; i++) {
                int task = draft.task("mBackground", BACKGROUND.draw(times));
                corrected[2 * i] = draft.file(image("c2mass-atlas-", i, ".fits"), projectedBytes[i]);
                corrected[2 * i + 1] = draft.file(image("c2mass-atlas-", i, "_area.fits"), projectedBytes[i]);
                draft.reads(task, corrections, projected[i], projectedArea[i]);
                draft.writes(task, corrected[2 * i], corrected[2 * i + 1]).after(task, model, i);
            }
            int table = draft.task("mImgTbl", TABLE.draw(times) * images);
            draft.reads(table, draft.file("cimages.tbl", 168L * images)).reads(table, corrected);
            draft.writes(table, newTable);
            for (int task = model + 1; task < table; task++) {
                draft.after(table, task);
            }
            return table;
        }

        private void finish(int table) {
            double side = StrictMath.sqrt(images);
            long mosaicBytes = Math.round(MOSAIC_BYTES.draw(sizes) * side);
            int mosaic = draft.file("mosaic.fits", mosaicBytes);
            int area = draft.file("mosaic_area.fits", mosaicBytes);
            int shrunken = draft.file("shrunken.fits", mosaicBytes / 25);
            int picture = draft.file("shrunken.jpg", Math.round(mosaicBytes / 25.0 * JPEG_RATIO.draw(sizes)));
            int add = draft.task("mAdd", ADD.draw(times) * images);
            draft.reads(add, header, newTable).writes(add, mosaic, area).after(add, table);
            int shrink = draft.task("mShrink", SHRINK.draw(times) * side);
            draft.reads(shrink, mosaic, area).writes(shrink, shrunken).after(shrink, add);
            int jpeg = draft.task("mJPEG", JPEG.draw(times) * side);
            draft.reads(jpeg, shrunken).writes(jpeg, picture).after(jpeg, shrink);
        }

        private static String image(String prefix, int number, String suffix) {
            return WorkflowDraft.number(prefix, number) + suffix;
        }
    }

    /** A random set of this many distinct numbers below a bound, ascending. */
    static long[] choose(long bound, int count, RandomStream random) {
        long[] chosen = new long[count];
        int kept = 0;
        while (kept < count) {
            for (int i = kept; i < count; i++) {
                chosen[i] = random.nextLong(bound);
            }
            Arrays.sort(chosen);
            kept = 0;
            for (int i = 0; i < count; i++) {
                if (kept == 0 || chosen[i] != chosen[kept - 1]) {
                    chosen[kept++] = chosen[i];
                }
            }
        }
        return chosen;
    }
}
