package io.sheaf.lab.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Columns of {@code runs.csv} in their order, each with its value for a {@code T}. */
public final class RowColumns<T> {
    private final Map<String, Function<T, String>> columns = new LinkedHashMap<>();

    /** Adds a column behind the others. */
    public RowColumns<T> add(String name, Function<T, String> value) {
        columns.put(name, value);
        return this;
    }

    public List<String> names() {
        return List.copyOf(columns.keySet());
    }

    /** The values as fields of a row, separated by commas. */
    public String row(T of) {
        return columns.values().stream()
                .map(value -> Csv.quoted(value.apply(of)))
                .collect(Collectors.joining(","));
    }

    /** The first value, and each other value with its column name: for people. */
    public String words(T of) {
        List<String> words = new ArrayList<>();
        columns.forEach((name, value) ->
                words.add((words.isEmpty() ? "" : name.replace('_', ' ') + " ") + Csv.quoted(value.apply(of))));
        return String.join(", ", words);
    }

    /** The columns of a table: the run number, then these lists. */
    public static List<String> table(List<?>... parts) {
        List<String> all = new ArrayList<>(List.of("run"));
        for (List<?> part : parts) {
            part.forEach(name -> all.add(String.valueOf(name)));
        }
        return List.copyOf(all);
    }
}
