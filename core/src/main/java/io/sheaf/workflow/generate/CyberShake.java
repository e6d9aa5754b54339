package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.List;

/**
 * CyberShake: the earthquake hazard of a site from synthetic seismograms.
 *
 * <p><b>Shape.</b> Four levels. Each of <i>e</i> extractions of strain Green tensors feeds many syntheses of
 * seismograms, each synthesis one calculation of peak values; all seismograms are zipped, and all peak values. A
 * workflow of n tasks has s = (n − e − 2) / 2 syntheses, each of which belongs to an extraction at random.
 *
 * <p><b>Times.</b> Measured on the nine CYBERSHAKE files of the data set of the GLUME thesis, made with the Pegasus
 * WorkflowGenerator (Bharathi et al., WORKS 2008; Juve et al., FGCS 29(3), 2013). Their run times are not proportional
 * to the work: from file to file the mean peak calculation grows with the <i>square</i> of the mean synthesis (the
 * ratio stays between 0.00052 and 0.00068 per second), while extractions and zips grow in proportion to it. Between 100
 * and 1000 hours for 50 tasks the peaks' part of the work rises from 65 % to 89 %. So here: f, the mean synthesis in
 * seconds, is chosen such that the run times add up to the work.
 *
 * <pre>
 * level  category             tasks  run time, s                  spread
 *   0    ExtractSGT           e      1.7 … 4.7 f                  uniform
 *   1    SeismogramSynthesis  s      0.5 … 1.5 f                  uniform
 *   2    PeakValCalcOkaya     s      0.5 … 1.5 · 0.00059 f²       uniform
 *   2    ZipSeis              1      0.00008 … 0.00042 s f        uniform
 *   3    ZipPSA               1      0.00007 … 0.00041 s f        uniform
 * </pre>
 *
 * <p>Eight of the nine files have e = 2, one (500 tasks, 100 hours) has 4: the parameter {@code extracts}.
 */
final class CyberShake extends Family {
    private static final Distribution EXTRACT = Distribution.uniform(1.7, 4.7);
    private static final Distribution SYNTHESIS = Distribution.uniform(0.5, 1.5);
    private static final Distribution PEAK = Distribution.uniform(0.5 * 0.00059, 1.5 * 0.00059);
    private static final Distribution ZIP_SEIS = Distribution.uniform(0.00008, 0.00042);
    private static final Distribution ZIP_PSA = Distribution.uniform(0.00007, 0.00041);

    private static final Distribution TENSOR_BYTES = Distribution.uniform(19.6e9, 20.5e9);
    private static final Distribution SUB_TENSOR_BYTES = Distribution.uniform(116e6, 347e6);
    private static final Distribution VARIATION_BYTES = Distribution.uniform(1.85e6, 5.56e6);
    private static final long SEISMOGRAM_BYTES = 24_000;
    private static final long PEAK_BYTES = 216;
    private static final Distribution ZIP_RATIO = Distribution.uniform(0.04, 0.17);

    private static final double MICROS = 1e6;
    private static final int ZIPS = 2;
    private static final int DEFAULT = 50;

    CyberShake() {
        super(
                "cybershake",
                "earthquake hazard: seismograms and their peaks; 4 levels (GLUME thesis 4.2; Juve et al. 2013)",
                List.of(new Parameter("extracts", "2", "extractions of strain Green tensors (level 0)")));
    }

    @Override
    public Workflow generate(Recipe recipe) {
        recipe.check(this);
        int extracts = recipe.integer(this, "extracts", 1, Recipe.MAX_TASKS / 3);
        int requested = recipe.tasks() == 0 ? DEFAULT : recipe.tasks();
        int syntheses = Math.max(extracts, (requested - extracts - ZIPS) / 2);
        int tasks = extracts + 2 * syntheses + ZIPS;
        WorkflowDraft draft = new WorkflowDraft(this, recipe, tasks);
        new Drawing(draft, extracts, syntheses, new RandomStream(recipe.seed()).split("cybershake")).draw();
        return draft.build();
    }

    /** Draws one workflow: first all random factors, then f, then the tasks. */
    private static final class Drawing {
        private final WorkflowDraft draft;
        private final RandomStream sizes;
        private final double[] extract;
        private final double[] synthesis;
        private final double[] peak;
        private final double zipSeis;
        private final double zipPsa;
        /** How many syntheses each extraction feeds. */
        private final int[] fed;

        Drawing(WorkflowDraft draft, int extracts, int syntheses, RandomStream random) {
            this.draft = draft;
            sizes = random.split("sizes");
            RandomStream times = random.split("times");
            extract = draw(EXTRACT, extracts, times);
            synthesis = draw(SYNTHESIS, syntheses, times);
            peak = draw(PEAK, syntheses, times);
            zipSeis = ZIP_SEIS.draw(times) * syntheses;
            zipPsa = ZIP_PSA.draw(times) * syntheses;
            RandomStream shape = random.split("shape");
            fed = new int[extracts];
            for (int i = 0; i < syntheses; i++) {
                // None stays without; the rest falls where it may.
                fed[i < extracts ? i : shape.nextInt(extracts)]++;
            }
        }

        void draw() {
            double f = factor(sum(extract) + sum(synthesis) + zipSeis + zipPsa, sum(peak), draft.workMicros / MICROS);
            int count = synthesis.length;
            int[] synthesisTask = new int[count];
            int[] peakTask = new int[count];
            int[] seismogram = new int[count];
            int[] peaks = new int[count];
            int next = 0;
            for (int group = 0; group < extract.length; group++) {
                String site = WorkflowDraft.number("FFI_", group);
                int task = draft.task("ExtractSGT", extract[group] * f);
                int[] sub = extraction(task, site);
                for (int i = 0; i < fed[group]; i++, next++) {
                    synthesisTask[next] = draft.task("SeismogramSynthesis", synthesis[next] * f);
                    String name = WorkflowDraft.number(site + "_", i);
                    seismogram[next] = draft.file("Seismogram_" + name + ".grm", SEISMOGRAM_BYTES);
                    peaks[next] = draft.file("PeakVals_" + name + ".bsa", PEAK_BYTES);
                    draft.reads(synthesisTask[next], draft.file(name + "_txt.variation", VARIATION_BYTES.bytes(sizes)))
                            .reads(synthesisTask[next], sub)
                            .writes(synthesisTask[next], seismogram[next])
                            .after(synthesisTask[next], task);
                    peakTask[next] = draft.task("PeakValCalcOkaya", peak[next] * f * f);
                    draft.reads(peakTask[next], seismogram[next])
                            .writes(peakTask[next], peaks[next])
                            .after(peakTask[next], synthesisTask[next]);
                }
            }
            zip("ZipSeis", zipSeis * f, synthesisTask, seismogram, SEISMOGRAM_BYTES, "Cybershake_Seismograms.zip");
            zip("ZipPSA", zipPsa * f, peakTask, peaks, PEAK_BYTES, "Cybershake_PSA.zip");
        }

        /** The files that an extraction leaves to its syntheses. */
        private int[] extraction(int task, String site) {
            long whole = TENSOR_BYTES.bytes(sizes);
            long part = SUB_TENSOR_BYTES.bytes(sizes);
            int[] sub = {draft.file(site + "_subfx.sgt", part), draft.file(site + "_subfy.sgt", part)};
            draft.reads(task, draft.file(site + "_fx.sgt", whole), draft.file(site + "_fy.sgt", whole))
                    .reads(task, draft.file(site + "_txt.variation", VARIATION_BYTES.bytes(sizes)))
                    .writes(task, sub);
            return sub;
        }

        private void zip(String category, double time, int[] parents, int[] files, long bytesEach, String result) {
            int task = draft.task(category, time);
            long bytes = Math.round(ZIP_RATIO.draw(sizes) * bytesEach * files.length);
            draft.reads(task, files).writes(task, draft.file(result, bytes)).after(task, parents);
        }

        private static double[] draw(Distribution spread, int count, RandomStream random) {
            double[] drawn = new double[count];
            Arrays.setAll(drawn, i -> spread.draw(random));
            return drawn;
        }

        private static double sum(double[] values) {
            double sum = 0;
            for (double value : values) {
                sum += value;
            }
            return sum;
        }
    }

    /** The positive f for which linear · f + square · f² is the work. */
    static double factor(double linear, double square, double work) {
        // The form without a difference of nearly equal numbers.
        return 2 * work / (linear + StrictMath.sqrt(linear * linear + 4 * square * work));
    }
}
