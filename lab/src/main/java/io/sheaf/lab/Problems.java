package io.sheaf.lab;

import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is wrong with an experiment, collected until all of it has been looked at; the same thing is told once. */
final class Problems {
    private final String file;
    private final Map<String, InputException> found = new LinkedHashMap<>();

    Problems(String file) {
        this.file = file;
    }

    void add(String problem, long place) {
        add(new InputException(problem, place));
    }

    void add(InputException problem) {
        InputException told = problem.in(file);
        found.putIfAbsent(told.getMessage(), told);
    }

    /** What is asked for, or null where it is a problem; its place is this one unless it has a place in another file. */
    <T> @Nullable T get(long place, Supplier<T> asked) {
        try {
            return asked.get();
        } catch (InputException e) {
            add(e.file() == null ? e.at(place) : e);
            return null;
        }
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /** Refuses the experiment if anything was found; what has a place comes in the order of the file. */
    void check() {
        if (!found.isEmpty()) {
            List<InputException> all = new ArrayList<>(found.values());
            all.sort(Comparator.comparingLong(e -> e.place() == Place.NONE ? Long.MAX_VALUE : e.place()));
            throw new RefusedException(all);
        }
    }
}
