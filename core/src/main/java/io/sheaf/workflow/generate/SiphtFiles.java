package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;

/**
 * The files of a SIPHT workflow, with names and sizes as in the thesis' files: programs and tables that all organisms
 * share, and what each organism has of its own.
 */
final class SiphtFiles {
    private static final Distribution SITES_FOUND = Distribution.uniform(45_900, 140_000);
    /** 850 to 940 genomes of 144 to 433 kB. */
    private static final Distribution PARTNERS = Distribution.uniform(850 * 288e3, 940 * 288e3);

    private static final long MATRIX_BYTES = 170_917;

    private final WorkflowDraft draft;
    private final RandomStream sizes;

    final int[] patserTools;
    final int[] blastTools;
    final int[] qrnaTools;
    final int[] srnaTools;
    final int partners;
    final int fold;
    final int descriptor;
    final int transtermData;
    final int knownRegions;
    final int flanking;
    final int matrix;
    final int settings;

    SiphtFiles(WorkflowDraft draft, RandomStream sizes) {
        this.draft = draft;
        this.sizes = sizes;
        patserTools = new int[] {draft.file("patser.in", 14), draft.file("alphabet", 16)};
        blastTools =
                new int[] {draft.file("blasta", 786_856), draft.file("xdformat", 380_164), draft.file("time", 11_944)};
        qrnaTools = new int[] {
            draft.file("mix_tied_linux.cfg", 11_964),
            draft.file("RIBOPROB.mat", 8_350),
            draft.file("BLOSUM62", 2_122),
            draft.file("blastn2qrnadepth.pl", 69_426),
            draft.file("qrna2gff.pl", 16_995),
            draft.file("eqrna", 953_556)
        };
        partners = draft.file("NC_IGR_partners.tar", PARTNERS.bytes(sizes));
        fold = draft.file("RNAfold", 591_942);
        descriptor = draft.file("RNAMofficial_descriptor.txt", 17_626);
        transtermData = draft.file("expterm.dat", 45_788);
        knownRegions = draft.file("Seq_known_sRNAs_IGRs.txt", 172_432);
        flanking = draft.file("Flanking_ORFs_known.txt", 1_419_426);
        matrix = draft.file("access_matrix.txt", MATRIX_BYTES);
        settings = draft.file("sRNAPredict.in", 1_198);
        srnaTools = new int[] {
            draft.file("access_genomes2.txt", 83_722), settings, draft.file("All_known_sRNAs.txt", 1_028_403)
        };
    }

    /** The matrix that an organism's i-th Patser reads. */
    int matrix(String organism, int i) {
        return draft.file(WorkflowDraft.number(organism + "_matrix_", i) + ".txt", MATRIX_BYTES);
    }

    /** The sites that an organism's i-th Patser finds. */
    int found(String organism, int i) {
        return draft.file(WorkflowDraft.number(organism + "_PatserOut_", i) + ".txt", SITES_FOUND.bytes(sizes));
    }

    Own own(String organism) {
        return new Own(organism);
    }

    /** The files of one organism. */
    final class Own {
        private final String organism;

        final int genome;
        final int genbank;
        final int ptt;
        final int ffn;
        final int partner;
        final int sites;
        final int[] terminators;
        final int[] motifs;
        final int[] transterm;
        final int[] blast;
        final int sequence;
        final int srnaOut;
        final int[] srnaRest;
        final int parsed;
        final int[] candidates;
        final int[] qrna;
        final int synteny;
        final int paralogues;
        final int[] annotation;

        Own(String organism) {
            this.organism = organism;
            genome = file(".fna", 3.78e6, 5.87e6);
            genbank = file(".gbk", 7.88e6, 15.6e6);
            ptt = file(".ptt", 314e3, 346e3);
            ffn = file(".ffn", 3.42e6, 4.90e6);
            partner = file("_IGR_partners.txt", 144e3, 433e3);
            sites = file("_PatserOut.txt", 0.93e6, 2.0e6);
            terminators = new int[] {
                file("_findterm.out", 134, 134),
                file("_findterm.err", 0, 0),
                file("_term.txt", 8.8e6, 24.4e6),
                file("_term_candidates_non_redund", 194e3, 523e3),
                file("_rna.ps", 2_777, 2_903),
                file("_vienna_input_tmp", 2.3e6, 5.5e6),
                file("_vienna_output", 4.3e6, 11.6e6),
                file("_vienna_index_tmp", 3.2e6, 7.9e6)
            };
            motifs = new int[] {file("_rnamotif.out", 868e3, 1.23e6), file("_rnamotif.err", 310, 310)};
            transterm = new int[] {file("_transterm.out", 399e3, 465e3), file("_transterm.err", 95, 97)};
            blast = new int[] {
                file("_blast.err", 547, 549), file("_blast.out", 510, 512), file("_BLAST_sorted.out", 2.7e6, 7.8e6)
            };
            sequence = file("_Seq", 77.5e3, 91.4e3);
            srnaOut = file("_srna.out", 296e3, 367e3);
            srnaRest = new int[] {
                file("_srna.err", 1_844, 1_876),
                file("_Blast_Out", 1.27e6, 3.71e6),
                file("_OutBlastParsed", 527e3, 1.5e6),
                file("_OutCandidates", 131e3, 308e3),
                file("_OutConsIG", 218e3, 620e3),
                file("_OutIG", 584e3, 623e3),
                file("_OutORF", 286e3, 406e3),
                file("_OutTerms", 31e3, 75e3)
            };
            parsed = file("_parsed.ffn", 578e3, 1.07e6);
            candidates = new int[] {
                file("_BLAST", 7_021, 16_430),
                file("_blast_candidate.out", 2_744, 3_407),
                file("_blast_candidate.err", 543, 545)
            };
            qrna = new int[] {
                file("_QRNA.txt", 741e3, 791e3),
                file("_QRNAblast.txt", 1.67e6, 4.06e6),
                file("_qrna.out", 2_436, 7_201),
                file("_qrna.err", 610, 610),
                file("_QRNA.gff", 156e3, 191e3)
            };
            synteny = file("_synteny.txt", 605e3, 1.68e6);
            paralogues = file("_paralogues.txt", 364e3, 1.02e6);
            annotation = new int[] {
                file("_srna_annotate.out", 291e3, 813e3),
                file("_srna_annotate.err", 1_069, 1_072),
                file("_Parsed_temp_PatserOut.txt", 287e3, 800e3),
                file("_paralogues_temp.txt", 47e3, 140e3),
                file("_synteny_temp.txt", 10e3, 30e3)
            };
        }

        private int file(String suffix, double min, double max) {
            return draft.file(organism + suffix, Math.round(sizes.uniform(min, max)));
        }
    }
}
