package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.List;

/**
 * SIPHT: searches bacterial genomes for small untranslated RNAs.
 *
 * <p><b>Shape.</b> Five levels, and as many workflows side by side as there are organisms, without an edge between
 * them. For each organism some searches for transcription factor sites (Patser) are put together; four predictions feed
 * the search for sRNAs proper; five examinations of the candidates follow, of which one reads another's result; all end
 * in an annotation. An organism has 12 tasks besides its Patsers; the files have 30 tasks an organism on average, and
 * the numbers of Patsers of a workflow's organisms differ by some 8 % either way. A workflow of n tasks has n / 30
 * organisms, rounded, or as given by {@code organisms}.
 *
 * <p><b>Times</b>, in units of the mean Patser; measured on the six SIPHT files of the data set of the GLUME thesis,
 * made with the Pegasus WorkflowGenerator (Bharathi et al., WORKS 2008; Juve et al., FGCS 29(3), 2013):
 *
 * <pre>
 * level  category          tasks an organism  run time          spread
 *   0    Patser            18, 11 … 21        1                 bell, 25 %
 *   0    Findterm          1                  510 … 1550        uniform
 *   0    RNAMotif          1                  28.7              bell, 24 %
 *   0    Transterm         1                  24 … 63           uniform
 *   0    Blast             1                  900 … 2620        uniform
 *   1    Patser_concate    1                  0.035 … 0.090     uniform
 *   1    SRNA              1                  140 … 400         uniform
 *   2    FFN_Parse         1                  1.31              bell, 13 %
 *   2    Blast_candidate   1                  4.05              bell, 18 %
 *   2    Blast_QRNA        1                  1088              bell, 6.5 %
 *   2    Blast_paralogues  1                  3.82              bell, 22 %
 *   3    Blast_synteny     1                  25.65             none
 *   4    SRNA_annotate     1                  1.30              bell, 27 %
 * </pre>
 *
 * <p><b>Departures.</b> In the thesis' files all organisms of a workflow write files of the same names, so that edges
 * taken from files would tie them together. Here every name that an organism writes begins with the organism. The 850
 * to 940 partner genomes that each Blast and each Blast_QRNA reads are one archive of their total size: listed one by
 * one they would make up nine tenths of a workflow file.
 */
final class Sipht extends Family {
    private static final String AUTO = "auto";
    private static final int FIXED = 12;
    private static final int TASKS_AN_ORGANISM = 30;
    private static final Distribution PATSERS = Distribution.bell(1, 0.085);
    private static final int DEFAULT = 50;

    /** The categories and their run times. */
    private record Step(String category, Distribution time) {
        static final Step PATSER = new Step("Patser", Distribution.bell(1, 0.25));
        static final Step FINDTERM = new Step("Findterm", Distribution.uniform(510, 1550));
        static final Step MOTIF = new Step("RNAMotif", Distribution.bell(28.7, 0.24));
        static final Step TRANSTERM = new Step("Transterm", Distribution.uniform(24, 63));
        static final Step BLAST = new Step("Blast", Distribution.uniform(900, 2620));
        static final Step CONCATE = new Step("Patser_concate", Distribution.uniform(0.035, 0.090));
        static final Step SRNA = new Step("SRNA", Distribution.uniform(140, 400));
        static final Step FFN = new Step("FFN_Parse", Distribution.bell(1.31, 0.13));
        static final Step CANDIDATE = new Step("Blast_candidate", Distribution.bell(4.05, 0.18));
        static final Step QRNA = new Step("Blast_QRNA", Distribution.bell(1088, 0.065));
        static final Step PARALOGUES = new Step("Blast_paralogues", Distribution.bell(3.82, 0.22));
        static final Step SYNTENY = new Step("Blast_synteny", Distribution.exactly(25.65));
        static final Step ANNOTATE = new Step("SRNA_annotate", Distribution.bell(1.30, 0.27));
    }

    Sipht() {
        super(
                "sipht",
                "bioinformatics: small RNAs in bacteria; 5 levels (GLUME thesis 4.2; Juve et al. 2013)",
                List.of(new Parameter("organisms", AUTO, "genomes searched side by side; auto: one for 30 tasks")));
    }

    @Override
    public Workflow generate(Recipe recipe) {
        recipe.check(this);
        int requested = recipe.tasks() == 0 ? DEFAULT : recipe.tasks();
        int organisms = recipe.text(this, "organisms").equals(AUTO)
                ? Math.max(1, (requested + TASKS_AN_ORGANISM / 2) / TASKS_AN_ORGANISM)
                : recipe.integer(this, "organisms", 1, Recipe.MAX_TASKS / (FIXED + 1));
        int tasks = Math.max(requested, organisms * (FIXED + 1));
        RandomStream random = new RandomStream(recipe.seed()).split("sipht");
        int[] patsers = divide(tasks - organisms * FIXED, organisms, random.split("patsers"));
        WorkflowDraft draft = new WorkflowDraft(this, recipe, tasks);
        SiphtFiles shared = new SiphtFiles(draft, random.split("sizes"));
        RandomStream times = random.split("times");
        for (int i = 0; i < organisms; i++) {
            new Organism(draft, shared, WorkflowDraft.number("NC_", i), times).draw(patsers[i]);
        }
        return draft.build();
    }

    /** Divides the tasks among the organisms, about equally, at least one each. */
    static int[] divide(int total, int organisms, RandomStream random) {
        double[] weight = new double[organisms];
        Arrays.setAll(weight, i -> PATSERS.draw(random));
        long[] more = Shares.of(total - organisms, weight);
        int[] parts = new int[organisms];
        Arrays.setAll(parts, i -> 1 + (int) more[i]);
        return parts;
    }

    /** The tasks of one organism. */
    private static final class Organism {
        private final WorkflowDraft draft;
        private final SiphtFiles shared;
        private final SiphtFiles.Own files;
        private final String name;
        private final RandomStream times;

        Organism(WorkflowDraft draft, SiphtFiles shared, String name, RandomStream times) {
            this.draft = draft;
            this.shared = shared;
            this.name = name;
            this.times = times;
            files = shared.own(name);
        }

        private int task(Step step) {
            return draft.task(step.category(), step.time().draw(times));
        }

        void draw(int patsers) {
            int concate = sites(patsers);
            int srna = predict();
            int ffn = task(Step.FFN);
            draft.reads(ffn, files.ffn, files.ptt, files.sequence)
                    .writes(ffn, files.parsed)
                    .after(ffn, srna);
            int candidate = task(Step.CANDIDATE);
            draft.reads(candidate, shared.knownRegions)
                    .reads(candidate, shared.blastTools)
                    .reads(candidate, files.sequence);
            draft.writes(candidate, files.candidates).after(candidate, srna);
            int qrna = task(Step.QRNA);
            draft.reads(qrna, shared.qrnaTools)
                    .reads(qrna, shared.blastTools)
                    .reads(qrna, files.partner, shared.partners, files.sequence);
            draft.writes(qrna, files.qrna).after(qrna, srna);
            int synteny = task(Step.SYNTENY);
            draft.reads(synteny, shared.flanking).reads(synteny, shared.blastTools);
            draft.reads(synteny, files.sequence, files.parsed)
                    .writes(synteny, files.synteny)
                    .after(synteny, srna, ffn);
            int paralogues = task(Step.PARALOGUES);
            draft.reads(paralogues, shared.blastTools).reads(paralogues, files.sequence);
            draft.writes(paralogues, files.paralogues).after(paralogues, srna);
            int annotate = task(Step.ANNOTATE);
            draft.reads(annotate, shared.matrix, shared.settings, files.sequence, files.srnaOut, files.sites)
                    .reads(annotate, files.candidates)
                    .reads(annotate, files.qrna[files.qrna.length - 1], files.synteny, files.paralogues);
            draft.writes(annotate, files.annotation)
                    .after(annotate, concate, srna, candidate, qrna, synteny, paralogues);
        }

        /** The searches for sites, and what puts them together. */
        private int sites(int patsers) {
            int[] found = new int[patsers];
            int[] searches = new int[patsers];
            for (int i = 0; i < patsers; i++) {
                searches[i] = task(Step.PATSER);
                found[i] = shared.found(name, i);
                draft.reads(searches[i], shared.patserTools).reads(searches[i], files.genome, shared.matrix(name, i));
                draft.writes(searches[i], found[i]);
            }
            int concate = task(Step.CONCATE);
            draft.reads(concate, found).writes(concate, files.sites).after(concate, searches);
            return concate;
        }

        /** The four predictions, and the search that they feed. */
        private int predict() {
            int findterm = task(Step.FINDTERM);
            draft.reads(findterm, files.genome, shared.fold).writes(findterm, files.terminators);
            int motif = task(Step.MOTIF);
            draft.reads(motif, files.genome, shared.descriptor).writes(motif, files.motifs);
            int transterm = task(Step.TRANSTERM);
            draft.reads(transterm, files.genome, shared.transtermData, files.ptt)
                    .writes(transterm, files.transterm);
            int blast = task(Step.BLAST);
            draft.reads(blast, shared.blastTools)
                    .reads(blast, files.partner, shared.partners)
                    .writes(blast, files.blast);
            int srna = task(Step.SRNA);
            draft.reads(srna, shared.srnaTools)
                    .reads(srna, files.genbank, files.genome, files.ptt)
                    .reads(srna, files.terminators)
                    .reads(srna, files.motifs)
                    .reads(srna, files.transterm)
                    .reads(srna, files.blast);
            draft.writes(srna, files.sequence, files.srnaOut).writes(srna, files.srnaRest);
            draft.after(srna, findterm, motif, transterm, blast);
            return srna;
        }
    }
}
