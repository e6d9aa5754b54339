package io.sheaf.lab.experiment;

import io.sheaf.formats.yaml.Node.Text;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The problems of an experiment file, collected until all of it is checked; equal problems are reported once. */
public final class Problems {
    private final String file;
    private final Map<String, InputException> found = new LinkedHashMap<>();

    public Problems(String file) {
        this.file = file;
    }

    public void add(String problem, long place) {
        add(new InputException(problem, place));
    }

    public void add(InputException problem) {
        InputException located = problem.in(file);
        found.putIfAbsent(located.getMessage(), located);
    }

    /** Returns the value, or reports the problem at this place and returns null; a problem in another file keeps its place. */
    public <T> @Nullable T get(long place, Supplier<? extends @Nullable T> value) {
        try {
            return value.get();
        } catch (InputException e) {
            add(e.file() == null ? e.at(place) : e);
            return null;
        }
    }

    /** The value made of each text; a text that cannot be converted is reported, and one without a value left out. */
    public <T> List<T> each(List<Text> texts, Function<String, @Nullable T> made) {
        List<T> all = new ArrayList<>();
        for (Text text : texts) {
            T value = get(text.place(), () -> made.apply(text.text()));
            if (value != null) {
                all.add(value);
            }
        }
        return all;
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    /** Throws if there are problems; those with a place are in the order of the file. */
    public void check() {
        if (!found.isEmpty()) {
            List<InputException> all = new ArrayList<>(found.values());
            all.sort(Comparator.comparingLong(e -> e.place() == Place.NONE ? Long.MAX_VALUE : e.place()));
            throw new RefusedException(all);
        }
    }
}
