package io.sheaf.slurm.whatif;

import java.util.List;

/** The differences between Slurm's priorities of our jobs and the predicted ones, from the {@linkplain StartRecords book}. */
final class PriorityErrors {
    /** The record name of the uncorrected prediction for a job, when Slurm has given a priority to it. */
    static final String PREDICTED = "priority";

    /** The record name of Slurm's priority without age. */
    static final String OBSERVED = "priority-seen";

    private static final int RECENT = 20;

    private final long[] errors;

    PriorityErrors(List<StartRecords.StartRecord> started) {
        List<StartRecords.StartRecord> known = started.stream()
                .filter(each -> each.predicted().containsKey(PREDICTED)
                        && each.predicted().containsKey(OBSERVED))
                .toList();
        errors = known.subList(Math.max(0, known.size() - RECENT), known.size()).stream()
                .mapToLong(each -> each.predicted().getOrDefault(OBSERVED, 0L)
                        - each.predicted().getOrDefault(PREDICTED, 0L))
                .sorted()
                .toArray();
    }

    /** Whether a record is a priority, as opposed to a start. */
    static boolean isPriority(String name) {
        return name.equals(PREDICTED) || name.equals(OBSERVED);
    }

    int count() {
        return errors.length;
    }

    /** The median error; 0 if none is known. */
    long median() {
        return errors.length == 0 ? 0 : errors[errors.length / 2];
    }

    /** One of the errors, for the i-th sample; 0 if none is known. */
    long sample(int i) {
        return errors.length == 0 ? 0 : errors[(int) ((i * 7L + errors.length / 2) % errors.length)];
    }
}
