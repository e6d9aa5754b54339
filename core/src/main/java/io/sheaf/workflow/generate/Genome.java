package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import io.sheaf.text.SizeText;
import io.sheaf.workflow.Workflow;
import java.util.List;

/**
 * Genome (Epigenomics): maps the reads of a DNA sequencer onto a reference genome.
 *
 * <p><b>Shape.</b> Nine levels. The reads of each of <i>l</i> lanes are split into <i>k</i> parts; each part passes
 * four steps in a row; the parts of a lane are merged, then the lanes; an index and the final pile-up follow. That
 * makes n = l (4k + 2) + 3 tasks. The thesis' files have lanes × parts of 2 × 5 (50 tasks), 3 × 20 (250) and 19 × 6
 * (500), in which no rule is evident. Here {@code lanes} may be given; the default is as in those files: 2 up to 150
 * tasks, 3 up to 375, beyond that n / 26, which makes lanes of 6 parts.
 *
 * <p><b>Times.</b> A task takes as long as it has bytes to read, divided by its speed; the sizes come from lane to part
 * to result. Speeds are relative to that of map; their unit follows from the work. Measured on the nine GENOME files of
 * the data set of the GLUME thesis, made with the Pegasus WorkflowGenerator (Bharathi et al., WORKS 2008; Juve et al.,
 * FGCS 29(3), 2013):
 *
 * <pre>
 * level  category       tasks  bytes in                         speed   spread of the speed
 *   0    fastqSplit     l      lane: 175 … 525 MB, uniform      20.6    bell, 29 %
 *   1    filterContams  l k    part: lane / k, ± 9 %            23.0    bell, 52 %
 *   2    sol2sanger     l k    0.475 … 0.525 of the part        41.2    bell, 25 %
 *   3    fastq2bfq      l k    that / 1.324 (bell, 25 %)        18.7    bell, 16 %
 *   4    map            l k    reference, plus that / 4.24      1       bell, 30.5 %
 *   5    mapMerge       l      1.087 × those of the lane, added  6.29    bell, 15 %
 *   6    mapMerge       1      those / 1.06, added              6.29    bell, 15 %
 *   7    maqindex       1      that / 1.06                      3075    bell, 25 %
 *   8    pileup         1      reference                        2.47    bell, 7.5 %
 * </pre>
 *
 * <p>The reference genome, 1.5 to 4.2 GB, is drawn once a workflow (or given: {@code reference}); as every map reads all
 * of it, it decides how small the part of the other steps in the work is.
 */
final class Genome extends Family {
    private static final String CHROMOSOME = "chr21";
    private static final String AUTO = "auto";

    private static final Distribution LANE_BYTES = Distribution.uniform(175e6, 525e6);
    private static final Distribution PART = Distribution.uniform(0.925, 1.075);
    private static final Distribution CLEAN = Distribution.uniform(0.475, 0.525);
    private static final Distribution SANGER = Distribution.bell(1.324, 0.25);
    private static final Distribution BINARY = Distribution.bell(4.243, 0.096);
    private static final double MAPPED = 1.087;
    private static final double MERGED = 1.06;
    private static final Distribution ZERO_READS = Distribution.uniform(0.015, 0.065);
    private static final Distribution UNMAPPED = Distribution.uniform(0.0015, 0.006);
    private static final Distribution INDEX = Distribution.uniform(0.010, 0.022);
    private static final Distribution PILEUP = Distribution.uniform(0.2, 9.0);
    private static final Distribution REFERENCE_BYTES = Distribution.uniform(1.5e9, 4.2e9);

    private static final int TAIL = 3;
    private static final int DEFAULT = 50;

    /** The steps and their speeds. */
    private record Step(String category, Distribution speed) {
        static final Step SPLIT = of("fastqSplit", 20.6, 0.29);
        static final Step FILTER = of("filterContams", 23.0, 0.52);
        static final Step SANGER = of("sol2sanger", 41.2, 0.25);
        static final Step BINARY = of("fastq2bfq", 18.7, 0.16);
        static final Step MAP = of("map", 1, 0.305);
        static final Step MERGE = of("mapMerge", 6.29, 0.15);
        static final Step INDEX = of("maqindex", 3075, 0.25);
        static final Step PILEUP = of("pileup", 2.47, 0.075);

        private static Step of(String transformation, double meanSpeed, double relativeDeviation) {
            return new Step(transformation + "_" + CHROMOSOME, Distribution.bell(meanSpeed, relativeDeviation));
        }
    }

    Genome() {
        super(
                "genome",
                "epigenomics: DNA reads mapped onto a reference; 9 levels (GLUME thesis 4.2; Juve et al. 2013)",
                List.of(
                        new Parameter("lanes", AUTO, "lanes of the sequencer; auto: as in the thesis' files"),
                        new Parameter("reference", AUTO, "size of the reference genome, e.g. 3G; auto: drawn")));
    }

    @Override
    public Workflow generate(Recipe recipe) {
        recipe.check(this);
        GenomeSize shape = shape(recipe);
        RandomStream random = new RandomStream(recipe.seed()).split("genome");
        WorkflowDraft draft = new WorkflowDraft(this, recipe, shape.tasks());
        long reference = reference(recipe, random.split("reference"));
        new Drawing(draft, shape, reference, random).draw();
        return draft.build();
    }

    private long reference(Recipe recipe, RandomStream random) {
        String name = recipe.text(this, "reference");
        if (name.equals(AUTO)) {
            return REFERENCE_BYTES.bytes(random);
        }
        long bytes = SizeText.bytes(name);
        if (bytes <= 0) {
            throw new InputException("reference=" + name + ": a reference genome has at least one byte");
        }
        return bytes;
    }

    private GenomeSize shape(Recipe recipe) {
        int tasks = recipe.tasks() == 0 ? DEFAULT : recipe.tasks();
        if (!recipe.text(this, "lanes").equals(AUTO)) {
            return GenomeSize.of(tasks, recipe.integer(this, "lanes", 1, Recipe.MAX_TASKS / 6));
        }
        if (tasks <= 375) {
            return GenomeSize.of(tasks, tasks <= 12 ? 1 : tasks <= 150 ? 2 : 3);
        }
        return GenomeSize.of(tasks, (tasks - TAIL + 12) / 26);
    }

    /** How many lanes, and parts in each. */
    record GenomeSize(int lanes, int parts) {
        /** The number of parts that comes nearest to this number of tasks, of two the smaller. */
        static GenomeSize of(int tasks, int lanes) {
            double parts = ((tasks - TAIL) / (double) lanes - 2) / 4;
            return new GenomeSize(lanes, (int) Math.max(1, Math.ceil(parts - 0.5)));
        }

        int tasks() {
            return lanes * (4 * parts + 2) + TAIL;
        }
    }

    /** Draws one workflow. */
    private static final class Drawing {
        private final WorkflowDraft draft;
        private final GenomeSize shape;
        private final RandomStream times;
        private final RandomStream sizes;
        private final long referenceBytes;
        private final int reference;

        Drawing(WorkflowDraft draft, GenomeSize shape, long referenceBytes, RandomStream random) {
            this.draft = draft;
            this.shape = shape;
            this.referenceBytes = referenceBytes;
            times = random.split("times");
            sizes = random.split("sizes");
            reference = draft.file(CHROMOSOME + ".BS.bfa", referenceBytes);
        }

        /** A file, its size and the task that writes it. */
        private record WrittenFile(int file, long bytes, int task) {}

        void draw() {
            WrittenFile[] lanes = new WrittenFile[shape.lanes()];
            for (int lane = 0; lane < lanes.length; lane++) {
                lanes[lane] = lane(CHROMOSOME + "." + lane);
            }
            WrittenFile all = merge(lanes, CHROMOSOME + ".nocontam.map");
            int extra = draft.file(CHROMOSOME + ".nocontam.map.zr", Math.round(all.bytes() * ZERO_READS.draw(sizes)));
            int more = draft.file(CHROMOSOME + ".nocontam.map.vm", Math.round(all.bytes() * UNMAPPED.draw(sizes)));
            draft.writes(all.task(), extra, more);
            WrittenFile index = step(Step.INDEX, all, CHROMOSOME + ".nocontam.chr.map", INDEX.draw(sizes));
            int pileup = draft.task(Step.PILEUP.category(), time(Step.PILEUP, referenceBytes + index.bytes()));
            long bytes = Math.round(index.bytes() * PILEUP.draw(sizes));
            draft.reads(pileup, reference, index.file())
                    .writes(pileup, draft.file(CHROMOSOME + ".nocontam.chr.pileup", bytes))
                    .after(pileup, index.task());
        }

        /** One lane, from its reads to its merged map. */
        private WrittenFile lane(String lane) {
            long bytes = LANE_BYTES.bytes(sizes);
            int split = draft.task(Step.SPLIT.category(), time(Step.SPLIT, bytes));
            draft.reads(split, draft.file(lane + ".sfq", bytes));
            WrittenFile[] maps = new WrittenFile[shape.parts()];
            double[] cuts = cuts();
            for (int part = 0; part < maps.length; part++) {
                String name = lane + "." + part;
                long partBytes = Math.round(bytes * cuts[part]);
                WrittenFile raw = new WrittenFile(draft.file(name + ".sfq", partBytes), partBytes, split);
                draft.writes(split, raw.file());
                maps[part] = part(name, raw);
            }
            return merge(maps, lane + ".nocontam.map");
        }

        /** Which fraction of its lane each part is. */
        private double[] cuts() {
            double[] cuts = new double[shape.parts()];
            double sum = 0;
            for (int i = 0; i < cuts.length; i++) {
                cuts[i] = PART.draw(sizes);
                sum += cuts[i];
            }
            for (int i = 0; i < cuts.length; i++) {
                cuts[i] /= sum;
            }
            return cuts;
        }

        private WrittenFile part(String name, WrittenFile raw) {
            WrittenFile clean = step(Step.FILTER, raw, name + ".nocontam.sfq", CLEAN.draw(sizes));
            draft.writes(clean.task(), draft.file(name + ".contam.sfq", raw.bytes() - clean.bytes()));
            WrittenFile sanger = step(Step.SANGER, clean, name + ".nocontam.fq", 1 / SANGER.draw(sizes));
            WrittenFile binary = step(Step.BINARY, sanger, name + ".nocontam.bfq", 1 / BINARY.draw(sizes));
            int map = draft.task(Step.MAP.category(), time(Step.MAP, referenceBytes + binary.bytes()));
            long bytes = Math.round(binary.bytes() * MAPPED);
            int file = draft.file(name + ".nocontam.map", bytes);
            draft.reads(map, reference, binary.file()).writes(map, file).after(map, binary.task());
            return new WrittenFile(file, bytes, map);
        }

        /** A task that turns one file into another of this relative size. */
        private WrittenFile step(Step step, WrittenFile in, String out, double ratio) {
            int task = draft.task(step.category(), time(step, in.bytes()));
            long bytes = Math.round(in.bytes() * ratio);
            int file = draft.file(out, bytes);
            draft.reads(task, in.file()).writes(task, file).after(task, in.task());
            return new WrittenFile(file, bytes, task);
        }

        private WrittenFile merge(WrittenFile[] maps, String out) {
            long bytes = 0;
            for (WrittenFile map : maps) {
                bytes += map.bytes();
            }
            int task = draft.task(Step.MERGE.category(), time(Step.MERGE, bytes));
            for (WrittenFile map : maps) {
                draft.reads(task, map.file()).after(task, map.task());
            }
            long merged = Math.round(bytes / MERGED);
            int file = draft.file(out, merged);
            draft.writes(task, file);
            return new WrittenFile(file, merged, task);
        }

        private double time(Step step, long bytes) {
            return bytes / step.speed().draw(times);
        }
    }
}
