package io.sheaf.lab.experiment;

import io.sheaf.text.InputException;
import java.io.Serial;
import java.util.List;

/** An experiment file with problems: all of them, in the order of the file. */
public final class RefusedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<InputException> problems;

    public RefusedException(List<InputException> problems) {
        super(problems.size() + " problems, the first: " + problems.get(0).getMessage(), null, false, false);
        this.problems = List.copyOf(problems);
    }

    /** At least one, in the order in which they were found. */
    public List<InputException> problems() {
        return problems;
    }
}
