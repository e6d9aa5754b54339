package io.sheaf.workflow.generate;

import io.sheaf.text.InputException;
import java.util.List;

/** The families of workflows that Sheaf can generate, in display order. */
public final class Families {
    private static final List<Family> ALL = List.of(
            new Montage(),
            new CyberShake(),
            new Genome(),
            new Sipht(),
            new Eman(),
            new Blast(),
            new MontageZhang(),
            new Fft(),
            new GaussianElimination(),
            SouzaFamily.MONTAGE,
            SouzaFamily.BLAST,
            SouzaFamily.STATISTICS,
            new RandomDag(),
            new Chain(),
            new ForkJoin(),
            new Bag());

    private Families() {}

    public static List<Family> all() {
        return ALL;
    }

    /** The family with this name; throws an exception that lists the names if it is unknown. */
    public static Family named(String name) {
        for (Family family : ALL) {
            if (family.name().equals(name)) {
                return family;
            }
        }
        List<String> known = ALL.stream().map(Family::name).toList();
        throw InputException.unknown("workflow family", name, known);
    }
}
